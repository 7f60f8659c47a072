/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the job ended, as one sentence: the user's first question. All pages, lists and mails have this sentence. */
#ifndef STINT_OUTCOME_H
#define STINT_OUTCOME_H

#include "reports/model/report.h"
#include "reports/rules/facts.h"

#define OUTCOME_TEXT 512
#define OUTCOME_SHORT 64

/*
 * Writes the sentence: "FAILED: python3 (pid 3244) ended with exit code 1 at 00:00:12, and the job with it". It begins
 * with Slurm's word for the job's state. It takes some of its text from the report's advice, so call this after the
 * advice is made.
 *
 * Returns @text. Names in it are as in the report: the caller must escape it.
 */
const char *outcome_text(const struct facts *facts, char text[OUTCOME_TEXT]);

/*
 * Returns the sentence that @report has. If it has none, as in reports of stint 0.1, writes one to @text and returns
 * that. Such a sentence names no process, because a page is shown without the report's timeline.
 */
const char *outcome_of_report(const struct report *report, char text[OUTCOME_TEXT]);

/*
 * Returns the length of @outcome, of @report, without its last words, ". Its output: slurm-21.out"; its full length if it does not
 * end so.
 */
size_t outcome_before_output(const struct report *report, const char *outcome);

/*
 * Returns true if @sentence, an outcome, says that Slurm could not start the job: then the job's signal is not a real
 * one. @sentence may be NULL: not known.
 */
bool outcome_not_started(const char *sentence);

/*
 * Writes in two or three words why a job in state FAILED failed: "exit 3", "SIGSEGV", "command not found". In any state, writes if the
 * job was or is dead: "job script killed, and Slurm has not noticed".
 *
 * @sentence: its outcome; NULL: it is not known
 * @code, @signal: those that Slurm knows; -1: none
 *
 * Returns @text; NULL if the job has another state, which says why itself, or if nothing is known.
 */
const char *outcome_short(const char *state, const char *sentence, int64_t code, int64_t signal, char text[OUTCOME_SHORT]);

/* Returns @path relative to the directory of @report's job, as its user sees it from there; all of @path if it is not in there. */
const char *outcome_path(const struct report *report, const char *path);

#endif
