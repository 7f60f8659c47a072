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
	double failures, runs;   /* of the tool; NAN where steps failed. If it crashed in some runs only: those that a signal ended */
	double steps_failed, steps; /* srun's; NAN: none failed */
	const char *step;        /* the first that failed */
	bool unawaited; /* the shell that had started it went on before it ended: it was in a pipe, or in the background */
	const char *not_started; /* why the first that failed was never executed; NULL: it was, or that is not known */
	int64_t exit_code, signal;
	const struct report_entry *entry; /* the first process that failed, borrowed; NULL: none is known, as where a step has none */
	bool worker; /* the tool had forked that */
	double workers; /* that failed so; NAN: none */
};

/*
 * Finds it in the report of a job that completed: steps of srun that failed, else a tool that a shell started and that failed in
 * each of its runs, or that crashed in one, else processes that a tool had forked and that it went on without (workers.h). The tool is
 * the first one to start, and what failed below it where it only passes on how others ended. Tools
 * whose exit code answers a question (grep, test) never count, nor does what was tried again with success, nor a tool's only run that
 * was short and said nothing, since the script may have expected that. A step whose program is not there counts: another one that
 * succeeded was another program.
 *
 * A report of which not all is known has none, nor has a job without a script.
 */
void work_failed_find(struct work_failed *work, const struct report *report);

/*
 * Returns true if @engine, an entry of the timeline, only says that some of what it ran had a code of its own, and each that had
 * one is a tool that answers a question: as in "find | xargs grep -l", one call of which found nothing. (make and the like stop at
 * such a code.)
 */
bool work_failed_has_only_answers(const struct report *report, const struct report_entry *engine);

#endif
