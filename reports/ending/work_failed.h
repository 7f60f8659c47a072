/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work that failed in a job whose script ended with 0. */
#ifndef STINT_WORK_FAILED_H
#define STINT_WORK_FAILED_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

struct work_failed {
	bool found;
	const char *tool;        /* borrowed from the report; NULL: it is not known */
	double failures, runs;   /* of the tool; NAN if steps failed. If it crashed in some runs only: the runs that a signal ended */
	double steps_failed, steps; /* srun's; NAN: none failed */
	const char *step;        /* the first that failed */
	bool unawaited; /* the shell that had started it went on before it ended: it was in a pipe, or in the background */
	const char *not_started; /* why the first that failed was never executed; NULL: it was, or that is not known */
	int64_t exit_code, signal;
	const struct report_entry *entry; /* the first process that failed, borrowed; NULL: none is known, for example of a step */
	bool worker; /* the tool had forked that process */
	double workers; /* how many such processes failed; NAN: none */
};

/*
 * Finds work that failed in the report of a job that completed. It looks for the following, in this order: steps of srun that
 * failed; a tool that a shell started and that failed in each of its runs; a tool that crashed in one run; processes that a tool
 * had forked and that it went on without (workers.h). It names the first such tool to start, or the program that failed below it if
 * the tool only passes on how others ended.
 *
 * The following never counts: a tool whose exit code answers a question (grep, test); what was tried again with success; a tool's
 * only run if it was short and said nothing, because the script may have expected that. A step whose program does not exist counts
 * even if another step succeeded, because that one was another program.
 *
 * An incomplete report has no failed work, and neither has a job without a script.
 */
void work_failed_find(struct work_failed *work, const struct report *report);

/*
 * Returns true if the exit code of @engine, an entry of the timeline, only says that some of its commands had a code of their own,
 * and each of these is a tool that answers a question. An example is "find | xargs grep -l", one call of which found nothing. (make
 * and the like stop at such a code.)
 */
bool work_failed_has_only_answers(const struct report *report, const struct report_entry *engine);

#endif
