/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a report comes down to: one word for what bound the job, what should be
 * looked at, and lines to paste into the job script. docs/verdict.md has the rules for people.
 *
 * Pure, as the report is: it reads nothing but the report. What the report does
 * not tell is taken as not known, never as zero; no JSON is too odd for it.
 */
#ifndef STINT_VERDICT_H
#define STINT_VERDICT_H

#include <json-c/json.h>

#include "reports/rules.h"

/*
 * Puts "verdict", "findings" and "advice" into @report, of which all other
 * parts are there.
 *
 * "verdict": {"bound": one of cpu, memory, file-io, network, lock, serial,
 *  oversubscribed, idle, mixed, unknown; "share": 0 to 1 of the time or the core time, absent for unknown;
 *  "file_system", "file_system_class": with file-io, where it is known which;
 *  "evidence": [{"name", "value", "unit"?, "threshold"?}]; "text": one sentence}
 * "findings": [{"code", "severity", "evidence": [{"name", "value", "unit"?}],
 *  "threshold": {rule: number}, "hint"}], the worst first. A value is a number, or the text of a name.
 * "advice": [{"line", "reason"}]
 *
 * @rules: the thresholds; NULL: the defaults
 */
void verdict_put(struct json_object *report, const struct rules *rules);

#endif
