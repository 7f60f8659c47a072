/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the verdict, findings and advice of a report. The verdict is one word for what limited the job. The findings
 * are things that a user can act on. The advice is lines to paste into the job script. docs/verdict.md explains the
 * rules to people.
 *
 * These are pure functions, which read only the report. If the report lacks a value, the value is unknown, never zero.
 * The functions accept any report, however odd.
 */
#ifndef STINT_VERDICT_H
#define STINT_VERDICT_H

#include "reports/model/report.h"
#include "reports/rules/rules.h"

struct facts;

/*
 * Makes the verdict, findings and advice of @report, which must have all its other parts already. Replaces any verdict,
 * findings and advice that @report had. The verdict has:
 * - the word, the numbers that decided the word, and a sentence;
 * - with file-io, the file system, if that is known;
 * - how the job ended, as one sentence;
 * - why there is no advice, if there is none.
 *
 * @timeline: all entries of the timeline. The timeline in @report may have only the entries that were chosen for the
 * verdict (kept.h)
 * @rules: the thresholds; NULL for the defaults
 */
void verdict_put(struct report *report, const struct report_entry_list *timeline, const struct rules *rules);

/*
 * Like verdict_put(), but without sentences, numbers and advice. Sets only the verdict's word, and the code of each
 * finding, in the order of enum finding.
 *
 * @rules: must outlive @facts
 * @facts: set to the facts that decided the word and the codes
 */
void verdict_put_codes(struct report *report, const struct rules *rules, struct facts *facts);

#endif
