/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the makers and the reader of a store line share: its columns and its bounds. */
#ifndef STINT_STORE_LINE_INTERNAL_H
#define STINT_STORE_LINE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "reports/records/merge.h"
#include "reports/records/numbers.h"
#include "reports/records/waits.h"
#include "reports/store/store_line.h"

#define STORE_TEXT 128 /* bytes of most texts; a longer one is cut */
#define STORE_NODE_LIST 4096
#define STORE_SLURM_TOOLS 2
#define STORE_STEPS 32
#define STORE_GAPS 16
#define STORE_FILE_SYSTEMS 16
#define STORE_OOM 8
#define STORE_STALLS 24
#define STORE_STEP_ID 32
#define STORE_CULPRITS 17 /* as deep as the verdict looks */
#define STORE_ENDINGS 2   /* different ends of one tool: the verdict asks whether all are the same */
#define STORE_FAILED (STORE_CULPRITS + STORE_ENDINGS * (STORE_LINE_TOOLS + STORE_SLURM_TOOLS))
#define STORE_CORE_RANGES 64
#define STORE_POINTS 3
#define STORE_POINT_COLUMNS 3

/*
 * What stands in the lists "totals", "tools" and so on, by place: enum number and sum_id, which NUMBERS ends, or names
 * as in the record, which NULL ends. A line that was written years ago must be readable: a new one comes last, none goes
 * away, and none moves.
 */
extern const int store_total_columns[];
extern const int store_tool_columns[]; /* from STORE_TOOL_NUMBERS on */
extern const enum wait_kind store_waits[]; /* of each the measures, in the order of enum wait_measure; WAIT_KINDS ends them */
extern const char *const store_file_system_columns[]; /* behind the type */
extern const char *const store_step_columns[]; /* behind the id */
extern const char *const store_oom_columns[]; /* behind tool, comm and step */
extern const char *const store_stall_columns[]; /* behind tool and step */
extern const char *const store_failed_columns[]; /* behind tool and step */
extern const char *const store_point_columns[STORE_POINT_COLUMNS + 1];

/* The members that a line has as its record has them. */
extern const char *const store_numbers[];
extern const char *const store_texts[];

/*
 * The members of what Slurm said. "completing", "requeued", "ended_suspended" and "exclusive" are flags; a time limit may be
 * null: there is none.
 */
extern const char *const store_slurm_numbers[];
extern const char *const store_slurm_texts[];
extern const char *const store_slurm_flags[];
extern const char *const store_workflow_texts[];

enum { STORE_TOOL_NAME, STORE_TOOL_INTERPRETER, STORE_TOOL_KIND, STORE_TOOL_NUMBERS };
enum store_tool_kind { STORE_USERS, STORE_SLURMS };

/*
 * Adds to @array the numbers of @from by the names @columns: null for one that it lacks, and nothing for those that
 * lack at the end.
 */
void store_put_columns(struct json_object *array, struct json_object *from, const char *const *columns);

/* The same of the @columns of @numbers. */
void store_put_numbers(struct json_object *array, const struct numbers *numbers, const int *columns);

/*
 * Adds @value, which is given away, at the dotted @name, which is not copied. The outer object is made where it is
 * missing.
 */
void store_put_at(struct json_object *out, const char *name, struct json_object *value);

/* Returns @text as JSON, cut at @most bytes; null for NULL. */
struct json_object *store_new_text(const char *text, size_t most);

/* The same for a name: only what follows the last slash. */
struct json_object *store_new_name(const char *text);

/* What the parts of a line need to know of the whole. */
struct store_making {
	struct json_object *record;
	struct json_object *slurm; /* or NULL */
	struct merge_script script;
	bool scripts; /* scripts keep their names */
	size_t tool_count; /* of the record */
	int64_t *places; /* for each of the record's tools: its place in the line; -1: among the rest */
};

/* Returns the name that the line has for a tool of the record. */
struct json_object *store_tool_name(const struct store_making *making, struct json_object *tool);

/* Returns the place in the line of the tool that @entry refers to, as JSON; null: it has none. */
struct json_object *store_tool_place(const struct store_making *making, struct json_object *entry);

/*
 * Chooses the record's tools that the line has, and sets their places. Tools to which entries of the @count @lists
 * (some may be NULL) refer are chosen first.
 *
 * Returns the line's list of tools; NULL: memory is short.
 */
struct json_object *store_choose_tools(struct store_making *making, struct json_object *const *lists, size_t count);

/*
 * Returns those entries of the record's timeline by which the outcome says which process failed, and took the job with
 * it; NULL: none. To be put.
 */
struct json_object *store_find_failed(const struct store_making *making);

/*
 * Adds to @failed, once the tools are chosen, entries that show how their runs failed: for each tool, one for each of
 * the first STORE_ENDINGS different ends. Memory that is short adds none.
 */
void store_add_endings(const struct store_making *making, struct json_object *failed);

/*
 * Returns the record's series in three points, of which the verdict reads the same; NULL: the record has none. To be
 * put.
 */
struct json_object *store_make_points(const struct store_making *making);

#endif
