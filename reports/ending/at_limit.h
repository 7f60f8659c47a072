/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the programs that ran when Slurm ended a job at its time limit. Reads the job's timeline. */
#ifndef STINT_AT_LIMIT_H
#define STINT_AT_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/ending/work_states.h"
#include "reports/model/report.h"

#define AT_LIMIT_NAMED 2

enum at_limit_state {
#define AT_LIMIT_ENUM(state, member, time) AT_LIMIT_##state,
	THREAD_STATES(AT_LIMIT_ENUM)
#undef AT_LIMIT_ENUM
	AT_LIMIT_STATE_COUNT
};

struct at_limit_tool {
	const char *name; /* borrowed from the report */
	double running_s; /* how long the tool had run: the time since the first of its processes that still ran had started */
	/*
	 * Sum of the lifetimes of the tool's processes that still ran and had no child, in seconds; NAN if not known.
	 */
	double wall_s;
	double state_s[AT_LIMIT_STATE_COUNT]; /* the times of the threads of these processes; if some times are not known, the sum
					       * is less than wall_s */
};

struct at_limit {
	size_t tools; /* how many tools were found; 0 if not known */
	struct at_limit_tool named[AT_LIMIT_NAMED]; /* the tools whose threads worked for the longest time */
};

/*
 * Finds the tools that ran when the job of @report ended. Counts only processes that had no child at that time,
 * because all others were waiting for their children. Leaves out Slurm's own tools and launchers. If some tools were
 * at work, also leaves out the tools that only slept or waited.
 *
 * @timeline: all entries of the timeline of @report
 *
 * Sets found->tools to 0 if the result is not certain, because an entry is missing, or because an entry stands for
 * several runs at that time.
 */
void at_limit_find(struct at_limit *found, const struct report *report, const struct report_entry_list *timeline);

#endif
