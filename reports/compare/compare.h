/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares two jobs or two arrays side by side, and decides which differences are larger than noise. docs/compare.md
 * has the rules.
 */
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
	char *name, *interpreter; /* interpreter is "" if there is none */
	bool script;              /* true for the batch script, which counts as one tool whatever its name */
	double runs, failures, cpu_s, wall_s; /* totals over the side's tasks, of all known values */
};

struct compare_wait { /* how long threads waited for a type of file system */
	char *type;
	double seconds;
};

struct compare_side {
	char letter; /* 'A' or 'B' */
	struct rows rows;
	size_t count;      /* how many tasks are compared */
	size_t incomplete; /* how many tasks are left out because they are not complete. A single job is not left
			    * out; 1 if it is not complete */
	char *incomplete_why;
	double **values; /* indexed by rule, then by task; NAN if not known */
	int64_t *tasks;  /* their array indices; -1 if none */
	char **reasons;  /* indexed by rule: why a value is not known; NULL if the report gives no reason */
	struct compare_tool *tools;
	size_t tool_count;
	struct map tool_places; /* each tool's index in the list, plus 1 */
	struct compare_wait *waits;
	size_t wait_count;
	bool several_nodes;   /* true if a task had several nodes. Times that pass on all nodes at once are means
			       * over the nodes then */
	double cpus_asked;    /* for each task; NAN if the tasks differ, or if not known */
	double memory_asked;  /* bytes over all nodes, for each task; NAN as for cpus_asked */
};

/*
 * Returns the tool of @side that has the name and interpreter of @like. If @like is the batch script, returns the
 * batch script of @side. NULL if there is none.
 */
struct compare_tool *compare_side_tool(const struct compare_side *side, const struct compare_tool *like);

/*
 * Fills @side from the reports that @what names. @side must be all zero except for its letter and rows.verbose.
 *
 * @who, @config: as in find_rows()
 *
 * Returns 0; -1 with @err set, or with @err empty if messages about the files have already said what is wrong. Call
 * compare_side_free() in all cases.
 */
int compare_side_read(struct compare_side *side, const char *who, const char *what, const char *config,
		      struct error *err);

void compare_side_free(struct compare_side *side);

/* ---- both sides: compare.c ---- */

enum compare_mark { COMPARE_SAME, COMPARE_BETTER, COMPARE_WORSE, COMPARE_DIFFERS, COMPARE_PARTIAL, COMPARE_UNKNOWN };

struct compare_line { /* for one rule */
	double a, b;           /* the medians if arrays are compared; NAN if not known */
	double a_low, a_high;  /* their quartiles */
	double b_low, b_high;
	double delta, relative; /* delta: b - a, or if tasks were compared in pairs, the median of their differences.
				 * relative: delta as a share of a */
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
	double weight; /* tools with a larger weight come first */
};

struct compare {
	struct compare_side a, b;
	struct compare_line *lines; /* one line for each rule */
	struct compare_tool_line *tools; /* those that changed */
	size_t tool_count;
	bool arrays; /* true if either side has more than one task */
	size_t pairs; /* how many pairs of tasks with the same index were compared; 0 if the arrays were compared as a whole */
	size_t longer, shorter; /* the number of these pairs in which B took longer, and in which B took less time */
};

/*
 * Compares sides a and b of @compare, which the caller must have read. Returns 0; -1 with @err set. Call
 * compare_free() in both cases.
 */
int compare_make(struct compare *compare, struct error *err);

void compare_free(struct compare *compare);

/*
 * Returns whether @mark means a difference.
 */
static inline bool compare_changed(enum compare_mark mark)
{
	return mark == COMPARE_BETTER || mark == COMPARE_WORSE || mark == COMPARE_DIFFERS;
}

/* ---- for people and programs: compare_sentence.c, compare_print.c, compare_json.c ---- */

/* Returns one sentence with the most important difference, which the caller must free; NULL if out of memory. */
char *compare_sentence(const struct compare *compare);

/* Describes what changed about a tool: "slower, more runs". Fills @text and returns it. */
const char *compare_tool_words(unsigned int changes, char *text, size_t size);

/*
 * Print the comparison for people, or as one JSON object.
 *
 * @options->all: whether to print also what does not differ
 */
void compare_print(const struct compare *compare, const struct page_options *options, FILE *out);
void compare_print_json(const struct compare *compare, FILE *out);

#endif
