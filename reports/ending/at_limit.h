/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds, from the timeline, the programs that ran when Slurm ended a job at its time limit. */
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
	double running_s; /* since the start of the tool's first process that still ran */
	/* Sum of the lifetimes of running processes without children, in seconds; NAN if unknown. */
	double wall_s;
	/* Times of the threads of these processes. The sum is below wall_s if a time is not known. */
	double state_s[AT_LIMIT_STATE_COUNT];
};

struct at_limit {
	size_t tools; /* 0 if unknown */
	struct at_limit_tool named[AT_LIMIT_NAMED]; /* tools whose threads worked longest */
};

/*
 * Finds the tools that ran when the job of @report ended.
 * Only processes without a child count, because a parent waits for its child.
 * Leaves out Slurm's tools and launchers. If a tool was at work, leaves out tools that only slept or waited.
 *
 * @timeline: all entries of @report.
 *
 * Sets found->tools to 0 if an entry is missing, or if an entry of that time stands for several runs.
 */
void at_limit_find(struct at_limit *found, const struct report *report, const struct report_entry_list *timeline);

#endif
