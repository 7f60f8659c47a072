/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one table of what two jobs are compared by, and from where on a difference is one; docs/compare.md says why. */
#ifndef STINT_COMPARE_RULES_H
#define STINT_COMPARE_RULES_H

#include <stdbool.h>
#include <stddef.h>

enum compare_unit { COMPARE_SECONDS, COMPARE_BYTES, COMPARE_COUNT, COMPARE_SHARE, COMPARE_CORE_HOURS };

/* Which way is better. */
enum compare_good { COMPARE_LESS, COMPARE_MORE, COMPARE_NEITHER };

struct compare_rule {
	const char *name;  /* of the value in the report */
	const char *label; /* for a person */
	enum compare_unit unit;
	enum compare_good good;
	double relative;       /* a difference is one from this share of the smaller value on, and */
	double floor;          /* from this on, and */
	double elapsed_share;  /* from this share of the shorter elapsed time on */
	bool by_elapsed;       /* made of the elapsed time: no surer than that is */
	const char *wait;      /* what a job that took longer for it waited for; "": worked; NULL: no part of its time */
};

extern const struct compare_rule compare_rules[];
extern const size_t compare_rule_count;

/* The index of the job's own time. */
#define COMPARE_ELAPSED 0

/* Of tools. */
#define COMPARE_TOOL_RELATIVE 0.1      /* CPU time, time of a run */
#define COMPARE_TOOL_FLOOR_S 1         /* over all runs */
#define COMPARE_TOOL_RUNS_RELATIVE 0.05

/* Of arrays. */
#define COMPARE_TASKS_MIN 6  /* of each: with fewer no test can be as sure as COMPARE_CHANCE */
#define COMPARE_PAIRS_MIN 9  /* tasks of the same index */
#define COMPARE_CHANCE 0.01  /* a difference by chance is less probable than this */

#endif
