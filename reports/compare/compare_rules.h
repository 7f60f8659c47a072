/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one table of what is compared, and how large a difference must be to count; docs/compare.md gives the reasons. */
#ifndef STINT_COMPARE_RULES_H
#define STINT_COMPARE_RULES_H

#include <stdbool.h>
#include <stddef.h>

enum compare_unit { COMPARE_SECONDS, COMPARE_BYTES, COMPARE_COUNT, COMPARE_SHARE, COMPARE_CORE_HOURS };

/* Which direction is better: less, more, or neither. */
enum compare_good { COMPARE_LESS, COMPARE_MORE, COMPARE_NEITHER };

struct compare_rule {
	const char *name;  /* the name of the value's field in the report */
	size_t offset;     /* offset of the member in struct report; the unit determines the member's type */
	const char *label; /* for people */
	enum compare_unit unit;
	enum compare_good good;
	double relative;       /* a difference counts if it is at least this share of the smaller value, */
	double floor;          /* at least this large, */
	double elapsed_share;  /* and at least this share of the shorter elapsed time */
	bool by_elapsed;       /* it is computed from the elapsed time, and is no more exact than that */
	/* what B waited for, if this value made it longer; "": it was at work; NULL: this value is no part of the elapsed time */
	const char *wait;
};

extern const struct compare_rule compare_rules[];
extern const size_t compare_rule_count;

/* Index of the rule for the job's elapsed time. */
#define COMPARE_ELAPSED 0

/* For tools. */
#define COMPARE_TOOL_RELATIVE 0.1      /* CPU time, time of a run */
#define COMPARE_TOOL_FLOOR_S 1         /* over all runs */
#define COMPARE_TOOL_RUNS_RELATIVE 0.05

/* For arrays. */
#define COMPARE_TASKS_MIN 6  /* on each side: with fewer, no test can reach COMPARE_CHANCE */
#define COMPARE_PAIRS_MIN 9  /* of tasks with the same index */
#define COMPARE_CHANCE 0.01  /* a difference counts if its probability by chance is below this */

#endif
