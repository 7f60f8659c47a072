/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files that write the outcome. Each function appends to @text. */
#ifndef STINT_OUTCOME_INTERNAL_H
#define STINT_OUTCOME_INTERNAL_H

#include <stdint.h>

#include "common/utf8.h"
#include "reports/verdict/outcome.h"

/* Words of the outcome that outcome_short() searches for. */
#define WAS_KILLED "was killed by "
#define SHELL_FOUND_NOTHING " (the shell did not find the command"
#define SHELL_COULD_NOT_RUN " (the shell could not run the command)"

#define append(text, ...) utf8_append(text, OUTCOME_TEXT, __VA_ARGS__)

static inline int64_t count_or_0(int64_t count)
{
	return count > 0 ? count : 0;
}

/* Appends a name that a user chose. @name: NULL if unknown. */
void outcome_name(char text[OUTCOME_TEXT], const char *name);

/* Appends " at 00:00:12", the time since the job's start. @time: NULL if unknown. */
void outcome_moment(const struct facts *facts, const char *time, char text[OUTCOME_TEXT]);

/* Appends which processes were killed for memory, where, when, and at which limit. */
void outcome_victims(const struct facts *facts, char text[OUTCOME_TEXT]);

/* Appends which process made the job fail with the exit code @code or by @signal. */
void outcome_culprit(const struct facts *facts, int64_t code, int64_t signal, char text[OUTCOME_TEXT]);

/* Appends the failed work: "2 of 6 steps failed: in step 1, samtools failed (exit code 1)". */
void outcome_failed_work(const struct facts *facts, char text[OUTCOME_TEXT]);

/* Appends "step 0 still ran when the job script ended, and Slurm ended it". */
void outcome_left_behind(const struct left_behind *left, char text[OUTCOME_TEXT]);

/*
 * Appends ", but solve was killed in 1 of 2 runs (signal 15 SIGTERM)", or which program outlived the script.
 * Appends nothing about programs that the script may have ended itself (pkill).
 * Appends nothing for interactive users, who see how each command ends.
 */
void outcome_killed(const struct facts *facts, char text[OUTCOME_TEXT]);

#endif
