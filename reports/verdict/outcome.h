/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes one sentence about how the job ended, which is the user's first question. All pages, lists and mails show this
 * sentence.
 */
#ifndef STINT_OUTCOME_H
#define STINT_OUTCOME_H

#include "reports/model/report.h"
#include "reports/rules/facts.h"

#define OUTCOME_TEXT 512
#define OUTCOME_SHORT 64

/*
 * Writes the sentence, such as "FAILED: python3 (pid 3244) ended with exit code 1 at 00:00:12, and the job with it".
 * The sentence begins with Slurm's word for the job's state. Call this after the report has its advice, because the
 * sentence repeats some of the advice.
 *
 * Returns @text. The caller must escape @text, because names in it are as in the report.
 */
const char *outcome_text(const struct facts *facts, char text[OUTCOME_TEXT]);

/*
 * Returns the sentence in @report. If @report has no sentence, as in reports of stint 0.1, writes a sentence to @text
 * and returns @text. Such a sentence names no process, because a page is shown without the report's timeline.
 */
const char *outcome_of_report(const struct report *report, char text[OUTCOME_TEXT]);

/*
 * Returns the length of @outcome, the sentence of @report, without its last words ". Its output: slurm-21.out". Returns
 * its full length if @outcome does not end with such words.
 */
size_t outcome_before_output(const struct report *report, const char *outcome);

/*
 * Returns true if the outcome @sentence says that Slurm could not start the job. Then the job's signal is not a real
 * signal. @sentence may be NULL if it is not known.
 */
bool outcome_not_started(const char *sentence);

/*
 * Writes in a few words why a job in state FAILED failed, such as "exit 3", "SIGSEGV" or "command not found". If the
 * kernel killed the job script and Slurm did not notice at once, writes that in any state, such as "job script killed,
 * and Slurm has not noticed".
 *
 * @sentence: the job's outcome; NULL if not known
 * @code, @signal: the exit code and the signal that Slurm knows; -1 if none
 *
 * Returns @text. Returns NULL if the job has another state, because that state itself says why the job ended. Also
 * returns NULL if nothing is known.
 */
const char *outcome_short(const char *state, const char *sentence, int64_t code, int64_t signal, char text[OUTCOME_SHORT]);

/*
 * Returns @path relative to the directory of @report's job, as the job's user sees the path from there. Returns all of
 * @path if it is not within that directory.
 */
const char *outcome_path(const struct report *report, const char *path);

#endif
