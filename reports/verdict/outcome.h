/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the job ended, as one sentence: what its user asks first. All pages, lists and mails have this sentence. */
#ifndef STINT_OUTCOME_H
#define STINT_OUTCOME_H

#include "reports/model/report.h"
#include "reports/rules/facts.h"

#define OUTCOME_TEXT 512
#define OUTCOME_SHORT 64

/*
 * Writes the sentence: "FAILED: python3 (pid 3244) ended with exit code 1 at 00:00:12, and the job with it". It begins
 * with Slurm's word for the job's state. What in it comes from the report's advice needs that to be there already.
 *
 * Returns @text. Names in it are as in the report: the caller must escape it.
 */
const char *outcome_text(const struct facts *facts, char text[OUTCOME_TEXT]);

/*
 * Returns the sentence that @report has; where it has none, as in reports of stint 0.1, writes it to @text and returns
 * that. Such a sentence names no process: the report's timeline was not read to show a page.
 */
const char *outcome_of_report(const struct report *report, char text[OUTCOME_TEXT]);

/*
 * Returns how long @outcome, of @report, is without its last words, ". Its output: slurm-21.out"; all of its length, if it has none.
 */
size_t outcome_before_output(const struct report *report, const char *outcome);

/* Returns true if @sentence, an outcome, says that Slurm could not start the job: its signal is none, then. NULL: it is not known. */
bool outcome_not_started(const char *sentence);

/*
 * Writes in two or three words why a job of state FAILED did: "exit 3", "SIGSEGV", "command not found".
 *
 * @sentence: its outcome; NULL: it is not known
 * @code, @signal: those that Slurm knows; -1: none
 *
 * Returns @text; NULL for a job of another state, whose state says it, and where nothing is known.
 */
const char *outcome_short(const char *state, const char *sentence, int64_t code, int64_t signal, char text[OUTCOME_SHORT]);

/* Returns the part of @path by which a user sees it from the directory of @report's job: all of it, where it is not in there. */
const char *outcome_path(const struct report *report, const char *path);

#endif
