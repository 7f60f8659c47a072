/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the verdict, findings and advice of a report. docs/verdict.md explains the rules.
 *
 * The functions read only the report. A missing value is unknown, never zero.
 * A report may be forged: its values may be anything.
 */
#ifndef STINT_VERDICT_H
#define STINT_VERDICT_H

#include "reports/model/report.h"
#include "reports/rules/rules.h"

struct facts;

/*
 * Makes the verdict, findings and advice of @report, and replaces older results.
 * @report must already have all its other parts.
 * The verdict has:
 *  - the word, the numbers that decided the word, and a sentence;
 *  - with file-io, the file system if known;
 *  - the outcome;
 *  - the reason if there is no advice.
 *
 * @timeline: all entries. The timeline of @report itself may have only chosen entries (kept.h).
 * @rules: thresholds; NULL for the defaults.
 */
void verdict_put(struct report *report, const struct report_entry_list *timeline, const struct rules *rules);

/*
 * Sets only the word of the verdict, and the codes of the findings in the order of enum finding.
 * @rules: must outlive @facts.
 * @facts: receives the facts that decided the word and the codes.
 */
void verdict_put_codes(struct report *report, const struct rules *rules, struct facts *facts);

#endif
