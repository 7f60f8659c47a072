/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what ran when Slurm ended a job at its time limit, by the job's timeline. */
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
	double running_s; /* seconds since the first of the tool's processes that still ran had started */
	/*
	 * the lifetimes of the tool's processes that still ran and had no child, added up, in seconds; NAN if not known
	 */
	double wall_s;
	double state_s[AT_LIMIT_STATE_COUNT]; /* the times of the threads of these processes. The sum is less than wall_s if
					       * some of them are not known */
};

struct at_limit {
	size_t tools; /* the number of tools; 0 if not known */
	struct at_limit_tool named[AT_LIMIT_NAMED]; /* the tools whose threads were at work for longest */
};

/*
 * Finds the tools that ran when the job of @report ended. Counts only processes that had no child then, because the
 * others wait for their children. Leaves out Slurm's own tools and launchers. If other tools were at work, also leaves
 * out tools that only slept or waited.
 *
 * @timeline: all entries of the timeline of @report
 *
 * Sets found->tools to 0 if the result is not certain. This is so if an entry is missing, or if an entry stands for
 * several runs at that time.
 */
void at_limit_find(struct at_limit *found, const struct report *report, const struct report_entry_list *timeline);

#endif
