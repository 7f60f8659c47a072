/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what ran when Slurm ended a job at its time limit, by the job's timeline. */
#ifndef STINT_AT_LIMIT_H
#define STINT_AT_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"

#define AT_LIMIT_NAMED 2

/* What a thread does, or waits for: X(enum, its member of struct report_states, whether it is at work meanwhile) */
#define AT_LIMIT_STATES(X)                      \
	X(ON_CPU, on_cpu_s, true)               \
	X(RUNNABLE, runnable_s, true)           \
	X(MEMORY_STALL, memory_stall_s, true)   \
	X(FAULT_IO, fault_io_s, true)           \
	X(FILE_IO, file_io_s, true)             \
	X(NETWORK, network_s, true)             \
	X(LOCK, lock_s, true)                   \
	X(OTHER, other_s, true)                 \
	X(PIPE, pipe_s, false)                  \
	X(CONDITION, condition_s, false)        \
	X(CHILD, child_s, false)                \
	X(EVENT, event_s, false)                \
	X(SLEEP, sleep_s, false)

enum at_limit_state {
#define AT_LIMIT_ENUM(state, member, at_work) AT_LIMIT_##state,
	AT_LIMIT_STATES(AT_LIMIT_ENUM)
#undef AT_LIMIT_ENUM
	AT_LIMIT_STATE_COUNT
};

struct at_limit_tool {
	const char *name; /* borrowed from the report */
	double running_s; /* since the first of its processes that still ran had started */
	/* of those of its processes that had no child then, over their lives and added up; NAN: not known */
	double wall_s;
	double state_s[AT_LIMIT_STATE_COUNT]; /* of their threads; less than wall_s in all: some are not known */
};

struct at_limit {
	size_t tools; /* how many; 0: not known */
	struct at_limit_tool named[AT_LIMIT_NAMED]; /* those that were at work longest, by the time of their threads */
};

/*
 * Finds the tools of @timeline, of @report, that ran when its job ended: only processes that had no child then, because others
 * wait for theirs. Leaves out Slurm's own, launchers, and, if others were at work, what only slept or waited.
 *
 * @timeline: with all entries of the report's
 *
 * Sets found->tools to 0 if that is not certain: an entry is missing, or stands for several runs at that time.
 */
void at_limit_find(struct at_limit *found, const struct report *report, const struct report_entry_list *timeline);

#endif
