/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict, findings and advice of a report: one word for what the job was bound by, what a user can act on, and
 * lines to paste into the job script. docs/verdict.md explains the rules to people.
 *
 * A pure function: it reads nothing but the report. What the report does not have counts as not known, never as zero.
 * Any report is accepted, however odd.
 */
#ifndef STINT_VERDICT_H
#define STINT_VERDICT_H

#include "reports/model/report.h"
#include "reports/rules/rules.h"

struct facts;

/*
 * Makes the verdict, findings and advice of @report, which has all other parts already. What it had of these is replaced.
 * The verdict has the word, what it follows from and a sentence; with file-io, the file system, if that is known; how the
 * job ended, as one sentence; and why there is no advice, where there is none.
 *
 * @rules: the thresholds; NULL: the defaults
 */
void verdict_put(struct report *report, const struct rules *rules);

/*
 * The same without words, numbers and advice: of the verdict only the word, and of the findings only the code of each, in
 * the order of enum finding.
 *
 * @rules: live as long as @facts
 * @facts: gets what they were found by
 */
void verdict_put_codes(struct report *report, const struct rules *rules, struct facts *facts);

#endif
