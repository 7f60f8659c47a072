/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is compared, and how large a difference must be to count. docs/compare.md has the reasons. */
#ifndef STINT_COMPARE_RULES_H
#define STINT_COMPARE_RULES_H

#include <stdbool.h>
#include <stddef.h>

enum compare_unit { COMPARE_SECONDS, COMPARE_BYTES, COMPARE_COUNT, COMPARE_SHARE, COMPARE_CORE_HOURS, COMPARE_GPU_SHARE };

enum compare_good { COMPARE_LESS, COMPARE_MORE, COMPARE_NEITHER };

struct compare_rule {
	const char *name;
	size_t offset;     /* in struct report; unit determines the type */
	const char *label;
	enum compare_unit unit;
	enum compare_good good;
	double relative;       /* least difference that counts, as a share of the smaller value */
	double floor;          /* least difference that counts, in the value's unit */
	double elapsed_share;  /* least difference that counts, as a share of the shorter elapsed time */
	bool by_elapsed;       /* computed from the elapsed time, so not more exact than the elapsed time */
	/*
	 * What threads waited for in this part of the elapsed time; "" if they were at work.
	 * NULL: not a part of the elapsed time.
	 */
	const char *wait;
};

extern const struct compare_rule compare_rules[];
extern const size_t compare_rule_count;

#define COMPARE_ELAPSED 0

#define COMPARE_TOOL_RELATIVE 0.1      /* a smaller change of a tool's CPU time, or of the time of its runs, does not count */
#define COMPARE_TOOL_FLOOR_S 1         /* seconds over all runs; a smaller change does not count */
#define COMPARE_TOOL_RUNS_RELATIVE 0.05

#define COMPARE_TASKS_MIN 6  /* tasks on each side; with fewer, no test reaches COMPARE_CHANCE */
#define COMPARE_PAIRS_MIN 9  /* pairs of tasks with the same index */
#define COMPARE_CHANCE 0.01  /* a difference counts if its probability by chance is below this */

#endif
