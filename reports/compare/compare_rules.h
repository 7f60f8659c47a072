/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of everything that is compared, and how large each difference must be to count. docs/compare.md gives the
 * reasons.
 */
#ifndef STINT_COMPARE_RULES_H
#define STINT_COMPARE_RULES_H

#include <stdbool.h>
#include <stddef.h>

enum compare_unit { COMPARE_SECONDS, COMPARE_BYTES, COMPARE_COUNT, COMPARE_SHARE, COMPARE_CORE_HOURS };

/* Which values are better: smaller values, larger values, or neither. */
enum compare_good { COMPARE_LESS, COMPARE_MORE, COMPARE_NEITHER };

struct compare_rule {
	const char *name;  /* name of the value's field in the report */
	size_t offset;     /* offset of the member in struct report; the unit determines the member's type */
	const char *label; /* for people */
	enum compare_unit unit;
	enum compare_good good;
	double relative;       /* a difference must be at least this share of the smaller value to count */
	double floor;          /* a difference must also be at least this large, in the value's unit */
	double elapsed_share;  /* a difference must also be at least this share of the shorter elapsed time */
	bool by_elapsed;       /* true if the value is computed from the elapsed time, and so cannot be more exact
				* than that time */
	/*
	 * what B waited for if this value made B take longer; "" if B was at work; NULL if this value is no part of the
	 * elapsed time
	 */
	const char *wait;
};

extern const struct compare_rule compare_rules[];
extern const size_t compare_rule_count;

/* Index of the rule for the job's elapsed time. */
#define COMPARE_ELAPSED 0

/* For tools. */
#define COMPARE_TOOL_RELATIVE 0.1      /* the CPU time of a tool, or the time of its runs, must change by at least
					* this share to count */
#define COMPARE_TOOL_FLOOR_S 1         /* seconds. A difference counts only if it is at least this large over all
					* runs of the tool */
#define COMPARE_TOOL_RUNS_RELATIVE 0.05

/* For arrays. */
#define COMPARE_TASKS_MIN 6  /* minimum tasks on each side; with fewer tasks, no test can reach COMPARE_CHANCE */
#define COMPARE_PAIRS_MIN 9  /* minimum pairs of tasks with the same index */
#define COMPARE_CHANCE 0.01  /* a difference counts if the probability that chance causes it is below this */

#endif
