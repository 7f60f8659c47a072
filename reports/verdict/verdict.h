/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict, findings and advice of a report: one word for what limited the job, what a user can act on, and lines
 * to paste into the job script. docs/verdict.md explains the rules to people.
 *
 * A pure function: it reads nothing but the report. A value that the report does not have is unknown, never zero. It
 * accepts any report, however odd.
 */
#ifndef STINT_VERDICT_H
#define STINT_VERDICT_H

#include "reports/model/report.h"
#include "reports/rules/rules.h"

struct facts;

/*
 * Makes the verdict, findings and advice of @report, which must have all its other parts already. Replaces any verdict,
 * findings and advice that it had. The verdict has:
 * - the word, the numbers that it follows from, and a sentence;
 * - with file-io, the file system, if that is known;
 * - how the job ended, as one sentence;
 * - why there is no advice, if there is none.
 *
 * @timeline: all of it; that of @report may have only the entries that were chosen for the verdict (kept.h)
 * @rules: the thresholds; NULL: the defaults
 */
void verdict_put(struct report *report, const struct report_entry_list *timeline, const struct rules *rules);

/*
 * The same without sentences, numbers and advice: only the verdict's word, and only the code of each finding, in the
 * order of enum finding.
 *
 * @rules: must outlive @facts
 * @facts: receives the facts that decided them
 */
void verdict_put_codes(struct report *report, const struct rules *rules, struct facts *facts);

#endif
