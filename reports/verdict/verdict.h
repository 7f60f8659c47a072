/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict, findings and advice of a report: one word for what the job was bound by, what a user can act on, and
 * lines to paste into the job script. docs/verdict.md explains the rules to people.
 *
 * A pure function: it reads nothing but the report. What the report does not have counts as not known, never as zero.
 * Any JSON is accepted, however odd.
 */
#ifndef STINT_VERDICT_H
#define STINT_VERDICT_H

#include <json-c/json.h>

#include "reports/rules/rules.h"

struct facts;

/*
 * Puts "verdict", "findings" and "advice" into @report, which has all other parts already.
 *
 * "verdict": {"bound": one of cpu, memory, file-io, network, lock, serial,
 *  oversubscribed, idle, mixed, unknown; "share": 0 to 1 of the time or the core time, absent for unknown;
 *  "file_system", "file_system_class": with file-io, where it is known which;
 *  "evidence": [{"name", "value", "unit"?, "threshold"?}]; "text": one sentence;
 *  "outcome": how the job ended, as one sentence; "no_advice": why there is none, absent where there is}
 * "findings": [{"code", "severity", "evidence": [{"name", "value", "unit"?}],
 *  "threshold": {rule: number}, "hint"}], the worst first. A value is a number, or the text of a name.
 * "advice": [{"line", "reason", "memory_bytes"?, "cpus_per_task"?, "time_limit_s"?}], the last three: what the line
 * asks for
 *
 * @rules: the thresholds; NULL: the defaults
 */
void verdict_put(struct json_object *report, const struct rules *rules);

/*
 * The same without words, numbers and advice: of "verdict" only "bound", and of "findings" only the "code" of each, in
 * the order of enum finding.
 *
 * @rules: live as long as @facts
 * @facts: gets what they were found by
 */
void verdict_put_codes(struct json_object *report, const struct rules *rules, struct facts *facts);

#endif
