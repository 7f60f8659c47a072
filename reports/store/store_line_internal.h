/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the makers and the reader of a store line share: its columns and its bounds. */
#ifndef STINT_STORE_LINE_INTERNAL_H
#define STINT_STORE_LINE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "reports/records/merge.h"
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

/*
 * What stands in the lists "totals", "tools" and so on, by place: where the number lies in its struct. STORE_END ends each. A line
 * that was written years ago must be readable: a new one comes last, none goes away, and none moves.
 */
extern const uint16_t store_total_columns[]; /* of struct record_totals */
extern const uint16_t store_tool_columns[]; /* of struct record_tool; behind name, interpreter and kind */
extern const uint16_t store_waits[]; /* of struct record_waits: each is a struct record_wait */
extern const uint16_t store_wait_columns[]; /* of struct record_wait */
extern const uint16_t store_file_system_columns[]; /* of struct record_file_system; behind the type */
extern const uint16_t store_step_columns[]; /* of struct record_step; behind the id */
extern const uint16_t store_oom_columns[]; /* of struct record_oom_kill; behind tool, comm and step */
extern const uint16_t store_stall_columns[]; /* of struct record_stall; behind tool and step */
extern const uint16_t store_failed_columns[]; /* of struct record_entry; behind tool and step */
extern const uint16_t store_point_columns[]; /* of struct record_columns, whose members are lists; behind the length */

#define STORE_END 0 /* every struct begins with the member known */
#define STORE_EXTRA UINT16_MAX /* a number that the struct has in another form: a step's pid, whether an entry forked, a tool's kind */

/* A member that a line has by the same name as its struct, which may be inside another one: "user.uid". */
struct store_member {
	const char *name; /* NULL ends a table */
	uint16_t offset;
	uint16_t known; /* where the struct says that it is known */
};

extern const struct store_member store_numbers[], store_texts[], store_node_lists[], store_flags[]; /* of struct record */
extern const struct store_member store_slurm_numbers[], store_slurm_texts[], store_slurm_flags[]; /* of struct record_slurm_job */
extern const struct store_member store_slurm_names[]; /* the same; the line does not have these as they are */
extern const struct store_member store_workflow_texts[]; /* of struct record_workflow */

enum store_tool_kind { STORE_USERS, STORE_SLURMS };

/* Returns the member of @object that lies at @offset. */
static inline int64_t *store_count_at(void *object, uint16_t offset)
{
	return (int64_t *)((char *)object + offset);
}

/*
 * Adds to @array the numbers of @from in @columns: null for one that is not known, and nothing for those that are not known at the
 * end. @extra: the one that STORE_EXTRA stands for; negative: not known
 */
void store_put_columns(struct json_object *array, const void *from, const uint16_t *columns, int64_t extra);

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
	const struct record *record;
	const struct record_slurm_job *slurm; /* not known: there is none */
	struct merge_script script;
	bool scripts; /* scripts keep their names */
	int64_t *places; /* for each of the record's tools: its place in the line; -1: among the rest */
};

/* Entries of the record's timeline that the line has. */
struct store_failed {
	const struct record_entry *entries[STORE_FAILED];
	size_t count;
};

/* Returns the place in the line of the record's tool @index; -1: it has none. */
int64_t store_tool_place(const struct store_making *making, int64_t index);

/*
 * Chooses the record's tools that the line has, and sets their places. Tools to which @failed and the record's other lists refer are
 * chosen first.
 *
 * Returns the line's list of tools; NULL: memory is short.
 */
struct json_object *store_choose_tools(struct store_making *making, const struct store_failed *failed);

/*
 * Fills @failed with those entries of the record's timeline by which the outcome says which process failed, and took the job with it.
 */
void store_find_failed(const struct store_making *making, struct store_failed *failed);

/*
 * Adds to @failed, once the tools are chosen, entries that show how their runs failed: for each tool, one for each of
 * the first STORE_ENDINGS different ends.
 */
void store_add_endings(const struct store_making *making, struct store_failed *failed);

/*
 * Returns the record's series in three points, of which the verdict reads the same; NULL: the record has none. To be
 * put.
 */
struct json_object *store_make_points(const struct store_making *making);

#endif
