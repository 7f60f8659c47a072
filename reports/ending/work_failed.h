/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds work that failed in a job whose script ended with 0. */
#ifndef STINT_WORK_FAILED_H
#define STINT_WORK_FAILED_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

struct work_failed {
	bool found;
	const char *tool;        /* borrowed from the report; NULL if not known */
	double failures, runs;   /* counts of the tool; NAN if steps failed. If the tool crashed in only some runs, failures
				  * counts the runs that a signal ended */
	double steps_failed, steps; /* counts of srun's steps; NAN if none failed */
	const char *step;        /* the first step that failed */
	bool unawaited; /* the shell that had started the process started another one before it ended, so the process was in a
			 * pipe or in the background */
	const char *not_started; /* why the program of the first failed step was never executed; NULL if it was executed, or if
				  * that is not known */
	int64_t exit_code, signal;
	const struct report_entry *entry; /* the first process that failed, borrowed; NULL if none is known, as may be for a
					   * step */
	bool worker; /* the tool had forked that process */
	double workers; /* how many such processes failed; NAN if none */
};

/*
 * Finds work that failed in the report of a job that completed. Looks for the following, in this order: steps of srun
 * that failed; a tool that a shell started and that failed in each of its runs; a tool that crashed in one run; a tool
 * that continued although processes that it had forked failed (workers.h). Names the tool that started first. If that
 * tool only passes on how others ended, names the program below it that failed.
 *
 * The following never counts: a tool whose exit code answers a question (grep, test); work that was tried again with
 * success; a tool's only run if it was short and wrote nothing, because the script may have expected the failure. A
 * step whose program does not exist counts even if another step succeeded, because the other step ran another program.
 *
 * Finds no failed work if the report is incomplete, or if the job has no script.
 */
void work_failed_find(struct work_failed *work, const struct report *report);

/*
 * Returns true if the exit code of @engine, an entry of the timeline, only says that some of its commands failed with a
 * code of their own, and each of these commands is a tool that answers a question. An example is "find | xargs grep
 * -l", if one call of grep found nothing. (make and similar programs stop at such a code.)
 */
bool work_failed_has_only_answers(const struct report *report, const struct report_entry *engine);

#endif
