/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two jobs, or two arrays, beside each other: what differs by more than noise. docs/compare.md tells the rules. */
#ifndef STINT_COMPARE_H
#define STINT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <json-c/json.h>

#include "collector/common/error.h"
#include "reports/compare_rules.h"
#include "reports/find.h"
#include "reports/terminal.h"

/* ---- one side: compare_side.c ---- */

struct compare_tool {
	char *name, *interpreter; /* interpreter "" when it has none */
	bool script;              /* the batch script, one tool whatever it is called */
	double runs, failures, cpu_s, wall_s; /* sums over the side's tasks; of times what is known */
};

struct compare_wait { /* of a type of file system */
	char *type;
	double seconds;
};

struct compare_side {
	char letter; /* 'A' or 'B' */
	struct rows rows;
	size_t count;      /* of the tasks compared */
	size_t incomplete; /* of others, or of the only one */
	char *incomplete_why;
	double **values; /* by rule, then task; NAN: not known */
	int64_t *tasks;  /* their indices, -1 for none */
	char **reasons;  /* by rule: why a value is not known; NULL: the report does not tell */
	struct compare_tool *tools;
	size_t tool_count;
	struct compare_wait *waits;
	size_t wait_count;
	double cpus_asked;    /* of each task; NAN when they differ, or are not known */
	double memory_asked;  /* bytes, over all nodes, likewise */
};

/*
 * Returns the tool of @side that is as @like by name and interpreter, or, as that is, the batch script; NULL: none.
 */
struct compare_tool *compare_side_tool(const struct compare_side *side, const struct compare_tool *like);

/*
 * Fills @side, all zero but for its letter, from the reports that @what stands for.
 *
 * @who, @config: as of find_rows()
 *
 * Returns 0; -1 with @err set. Either way compare_side_free() it.
 */
int compare_side_read(struct compare_side *side, const char *who, const char *what, const char *config,
		      struct error *err);

void compare_side_free(struct compare_side *side);

/* ---- both: compare.c ---- */

enum compare_mark { COMPARE_SAME, COMPARE_BETTER, COMPARE_WORSE, COMPARE_DIFFERS, COMPARE_PARTIAL, COMPARE_UNKNOWN };

struct compare_line { /* of one rule */
	double a, b;           /* of arrays the medians; NAN: not known */
	double a_low, a_high;  /* their quartiles */
	double b_low, b_high;
	double delta, relative; /* b - a, of tasks of the same index the median of theirs; and as a share of a */
	double chance;          /* of such a difference; NAN: no test was made */
	enum compare_mark mark;
	const char *reason; /* why it is not known, or NULL */
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
	const struct compare_tool *a, *b; /* NULL: it did not run there */
	unsigned int changes;
	double weight; /* by which the most telling come first */
};

struct compare {
	struct compare_side a, b;
	struct compare_line *lines; /* one a rule */
	struct compare_tool_line *tools; /* those that changed */
	size_t tool_count;
	bool arrays; /* more than one task on either side */
	size_t pairs; /* tasks of the same index, where these were compared one by one; else 0 */
	size_t longer, shorter; /* of these */
};

/*
 * Compares @compare's a and b, which have been read. Returns 0; -1 with @err set. Either way compare_free() it.
 */
int compare_make(struct compare *compare, struct error *err);

void compare_free(struct compare *compare);

/*
 * Returns whether a mark says that there is a difference.
 */
static inline bool compare_changed(enum compare_mark mark)
{
	return mark == COMPARE_BETTER || mark == COMPARE_WORSE || mark == COMPARE_DIFFERS;
}

/* ---- for people and programs: compare_sentence.c, compare_print.c, compare_json.c ---- */

/*
 * What a reader wants to know first, in one sentence; to be freed. NULL when memory is short.
 */
char *compare_sentence(const struct compare *compare);

/*
 * Fills @text with words for what changed of a tool: "slower, more runs". Returns it.
 */
const char *compare_tool_words(unsigned int changes, char *text, size_t size);

/*
 * Prints all for people, or as one JSON object. @options->all: what is the same, too.
 */
void compare_print(const struct compare *compare, const struct page_options *options, FILE *out);
void compare_print_json(const struct compare *compare, FILE *out);

#endif
