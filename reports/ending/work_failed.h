/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds work that failed in a job although the job's script ended with 0. */
#ifndef STINT_WORK_FAILED_H
#define STINT_WORK_FAILED_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

struct work_failed {
	bool found;
	const char *tool;        /* borrowed from the report; NULL if not known */
	double failures, runs;   /* how often the tool failed and ran; NAN if steps failed. If it crashed in only some runs,
				  * failures counts the runs that a signal ended */
	double steps_failed, steps; /* how many steps of srun failed, and how many there were; NAN if none failed */
	const char *step;        /* the first step that failed */
	bool unawaited; /* the process was in a pipe or in the background, because its shell started another process before it ended */
	const char *not_started; /* why the program of the first failed step was never executed; NULL if it was, or if not known */
	int64_t exit_code, signal;
	const struct report_entry *entry; /* the first process that failed; borrowed; may be NULL if a step failed */
	bool worker; /* the process is a worker that the tool had forked */
	double workers; /* how many workers failed; NAN if none failed */
};

/*
 * Finds work that failed in the report of a job that completed. Looks for the following, in this order:
 * - steps of srun that failed
 * - a tool that a shell started, and that failed in each of its runs
 * - a tool that crashed in one run
 * - a tool that continued although processes that it had forked failed (workers.h)
 *
 * Names the tool that started first. If that tool only passes on how others ended, names the program below it that
 * failed.
 *
 * Never counts a tool whose exit code answers a question (grep, test), nor work that succeeded when it was tried
 * again. Never counts the only run of a tool if the run was short and wrote nothing, because the script may have
 * expected the failure. Counts a step whose program does not exist even if another step succeeded, because the other
 * step ran another program.
 *
 * Finds no failed work if the report is incomplete, or if the job has no script.
 */
void work_failed_find(struct work_failed *work, const struct report *report);

/*
 * Returns true if the exit code of @engine means only that some of its commands failed with codes of their own, and
 * if each of these commands is a tool that answers a question. An example is "find | xargs grep -l", if one call of
 * grep found nothing. make and similar programs do not count, because they stop at such a code. @engine is an entry
 * of the timeline.
 */
bool work_failed_has_only_answers(const struct report *report, const struct report_entry *engine);

#endif
