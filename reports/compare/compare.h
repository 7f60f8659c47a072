/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares two jobs or two arrays. docs/compare.md has the rules. */
#ifndef STINT_COMPARE_H
#define STINT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/error.h"
#include "common/memory/map.h"
#include "reports/compare/compare_rules.h"
#include "reports/read/find.h"
#include "reports/terminal/terminal.h"

/* ---- one side: compare_side.c ---- */

struct compare_tool {
	char *name, *interpreter; /* interpreter: "" if none */
	bool script;              /* the batch script; it counts as the same tool under any name */
	double runs, failures, cpu_s, wall_s;
};

struct compare_wait { /* how long threads waited for one type of file system */
	char *type;
	double seconds;
};

struct compare_side {
	char letter;
	struct rows rows;
	size_t count;
	size_t incomplete; /* number of incomplete tasks, which are left out; 1 for an incomplete single job, which is kept */
	char *incomplete_why;
	double **values; /* [rule][task]; NAN if unknown */
	int64_t *tasks;  /* array indices; -1 if none */
	char **reasons;  /* [rule]: why a value is not known, or NULL */
	struct compare_tool *tools;
	size_t tool_count;
	struct map tool_places; /* tool's index + 1 */
	struct compare_wait *waits;
	size_t wait_count;
	bool several_nodes;   /* a task had several nodes, so some times are means over nodes */
	double cpus_asked;    /* of each task; NAN if unknown, or if tasks differ */
	double memory_asked;  /* of each task: bytes over all nodes; NAN if unknown, or if tasks differ */
	bool gpus;            /* a task has GPUs */
};

/*
 * Returns the tool with the name and interpreter of @like; NULL if there is none.
 * If @like is a batch script, returns the batch script of @side.
 */
struct compare_tool *compare_side_tool(const struct compare_side *side, const struct compare_tool *like);

/*
 * Fills @side from the reports that @what names. @side must be zero, except letter and rows.verbose.
 * @who, @config: see find_rows().
 * Returns 0; -1 with @err set, or with @err empty if the error was already printed.
 * Call compare_side_free() in any case.
 */
int compare_side_read(struct compare_side *side, const char *who, const char *what, const char *config,
		      struct error *err);

void compare_side_free(struct compare_side *side);

/* ---- both sides: compare.c ---- */

enum compare_mark { COMPARE_SAME, COMPARE_BETTER, COMPARE_WORSE, COMPARE_DIFFERS, COMPARE_PARTIAL, COMPARE_UNKNOWN,
		    COMPARE_NO_GPUS /* of GPUs, and no job had any: not shown */ };

struct compare_line { /* the result for one rule */
	double a, b;           /* medians for arrays; NAN if unknown */
	double a_low, a_high;
	double b_low, b_high;
	/*
	 * delta: b - a. For paired tasks, the median of their differences.
	 * relative: delta as a share of a.
	 */
	double delta, relative;
	double chance;          /* probability that chance causes such a difference; NAN if not tested */
	enum compare_mark mark;
	const char *reason; /* why the value is not known, or NULL */
};

enum compare_tool_change {
	TOOL_NEW = 1,
	TOOL_GONE = 2,
	TOOL_MORE_FAILURES = 4,
	TOOL_FEWER_FAILURES = 8,
	TOOL_MORE_RUNS = 16,
	TOOL_FEWER_RUNS = 32,
	TOOL_SLOWER = 64,
	TOOL_FASTER = 128,
	TOOL_MORE_CPU = 256,
	TOOL_LESS_CPU = 512,
};

struct compare_tool_line {
	const struct compare_tool *a, *b; /* NULL if the tool did not run on that side */
	unsigned int changes;
	double weight; /* the line with the largest weight comes first */
};

struct compare {
	struct compare_side a, b;
	struct compare_line *lines;
	struct compare_tool_line *tools;
	size_t tool_count;
	bool arrays; /* a side has several tasks */
	size_t pairs; /* how many pairs of tasks with the same index were compared; 0 if arrays were compared as a whole */
	size_t longer, shorter; /* pairs in which B took longer, and pairs in which B took less time */
};

/*
 * Compares the two sides, which the caller has read.
 * Returns 0; -1 with @err set. Call compare_free() in any case.
 */
int compare_make(struct compare *compare, struct error *err);

void compare_free(struct compare *compare);

static inline bool compare_changed(enum compare_mark mark)
{
	return mark == COMPARE_BETTER || mark == COMPARE_WORSE || mark == COMPARE_DIFFERS;
}

/* ---- for people and programs: compare_sentence.c, compare_print.c, compare_json.c ---- */

/* Returns the most important difference in one sentence, for free(). NULL if out of memory. */
char *compare_sentence(const struct compare *compare);

/* Writes what changed about a tool: "slower, more runs". Returns @text. */
const char *compare_tool_words(unsigned int changes, char *text, size_t size);

/*
 * Print the comparison as text, or as one JSON object.
 * @options->all: also print what does not differ.
 */
void compare_print(const struct compare *compare, const struct page_options *options, FILE *out);
void compare_print_json(const struct compare *compare, FILE *out);

#endif
