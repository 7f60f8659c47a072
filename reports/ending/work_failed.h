/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds work that failed in a job whose script ended with 0. */
#ifndef STINT_WORK_FAILED_H
#define STINT_WORK_FAILED_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report.h"

struct work_failed {
	bool found;
	const char *tool;        /* borrowed from the report; NULL if unknown */
	/*
	 * How often the tool failed and ran; NAN if steps failed.
	 * If the tool crashed in only some runs, failures counts the runs that a signal ended.
	 */
	double failures, runs;
	double steps_failed, steps; /* steps of srun; NAN if none failed */
	const char *step;
	bool unawaited; /* in a pipe or in the background: its shell started another process before the tool ended */
	const char *not_started; /* why the first failed step's program was never executed, or NULL */
	int64_t exit_code, signal;
	const struct report_entry *entry; /* the first process that failed; borrowed; may be NULL for a step */
	bool worker;
	double workers; /* failed workers; NAN if none */
};

/*
 * Finds work that failed in a job that completed. Looks for, in this order:
 *  - failed steps of srun;
 *  - a tool that a shell started, and that failed in each run;
 *  - a tool that crashed in one run;
 *  - a tool that went on after its forks failed (workers.h).
 *
 * Names the tool that started first.
 * If this tool only passes on how others ended, names the program below it that failed.
 *
 * Not counted as failures:
 *  - an exit code that answers a question (grep, test);
 *  - work that succeeded when it was tried again;
 *  - the only run of a tool, if the run was short and wrote nothing: the script may have expected the failure.
 *
 * A step whose program does not exist counts even if another step succeeded, because that step ran another program.
 * Finds nothing without a script, or in an incomplete report.
 */
void work_failed_find(struct work_failed *work, const struct report *report);

/*
 * Returns true if @engine failed only because its commands answered "no", as in "find | xargs grep -l".
 * Programs such as make do not count, because make stops when a command ends with such a code.
 * @engine: an entry of the timeline.
 */
bool work_failed_has_only_answers(const struct report *report, const struct report_entry *engine);

#endif
