/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes one sentence about how the job ended. All pages, lists and mails show it. */
#ifndef STINT_OUTCOME_H
#define STINT_OUTCOME_H

#include "reports/model/report.h"
#include "reports/rules/facts.h"

#define OUTCOME_TEXT 512
#define OUTCOME_SHORT 64

/*
 * Writes "FAILED: python3 (pid 3244) ended with exit code 1 at 00:00:12, and the job with it".
 * The first word is Slurm's word for the state.
 * Call this after the report has its advice, because the sentence repeats some of this advice.
 * Returns @text. Names in it are not escaped.
 */
const char *outcome_text(const struct facts *facts, char text[OUTCOME_TEXT]);

/*
 * Returns the sentence of @report.
 * A report of stint 0.1 has no sentence: makes a sentence without process names, in @text.
 */
const char *outcome_of_report(const struct report *report, char text[OUTCOME_TEXT]);

/* Returns the length of @outcome without its last words ". Its output: slurm-21.out". */
size_t outcome_before_output(const struct report *report, const char *outcome);

/*
 * Returns true if @sentence says that Slurm could not start the job. The job's signal is not real then.
 * @sentence: NULL if unknown.
 */
bool outcome_not_started(const char *sentence);

/*
 * Writes in a few words why a job in state FAILED failed: "exit 3", "SIGSEGV", "command not found".
 * If the job script was killed and Slurm did not notice, writes this in any state.
 *
 * @sentence: the outcome; NULL if unknown.
 * @code, @signal: from Slurm; -1 if none.
 *
 * Returns @text; NULL for a state that needs no reason, or if the reason is not known.
 */
const char *outcome_short(const char *state, const char *sentence, int64_t code, int64_t signal, char text[OUTCOME_SHORT]);

/* Returns @path relative to the job's directory, or the whole @path if it is in another directory. */
const char *outcome_path(const struct report *report, const char *path);

#endif
