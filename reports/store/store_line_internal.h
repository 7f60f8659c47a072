/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the makers and the reader of a store line: its columns and its bounds. */
#ifndef STINT_STORE_LINE_INTERNAL_H
#define STINT_STORE_LINE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "reports/records/merge.h"
#include "reports/store/store_line.h"

#define STORE_TEXT 128 /* bytes of most texts; a longer text is cut */
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
 * The numbers in the lists "totals", "tools" and so on, by position: each column is the offset of a number in its
 * struct. STORE_END ends each table. Lines that were written years ago must stay readable. So append new columns at the
 * end; never remove or move one.
 */
extern const uint16_t store_total_columns[]; /* of struct record_totals */
extern const uint16_t store_tool_columns[]; /* of struct record_tool; they follow name, interpreter and kind */
extern const uint16_t store_waits[]; /* offsets in struct record_waits, of a struct record_wait each */
extern const uint16_t store_wait_columns[]; /* of struct record_wait */
extern const uint16_t store_file_system_columns[]; /* of struct record_file_system; they follow the type */
extern const uint16_t store_step_columns[]; /* of struct record_step; they follow the id */
extern const uint16_t store_oom_columns[]; /* of struct record_oom_kill; they follow tool, comm and step */
extern const uint16_t store_stall_columns[]; /* of struct record_stall; they follow tool and step */
extern const uint16_t store_failed_columns[]; /* of struct record_entry; they follow tool and step */
extern const uint16_t store_point_columns[]; /* of struct record_columns, whose members are lists; they follow the length */

#define STORE_END 0 /* no number is at offset 0: every struct begins with the member known */
#define STORE_EXTRA UINT16_MAX /* a number that the struct has in another form: a step's pid, whether an entry forked, a tool's kind */

/* A member of a line that has the same name as in its struct. It may be in an object inside the line: "user.uid". */
struct store_member {
	const char *name; /* NULL ends a table */
	uint16_t offset;
	uint16_t known; /* offset of the flag that says whether the struct is known */
};

extern const struct store_member store_numbers[], store_texts[], store_node_lists[], store_flags[]; /* of struct record */
extern const struct store_member store_slurm_numbers[], store_slurm_texts[], store_slurm_flags[]; /* of struct record_slurm_job */
extern const struct store_member store_slurm_names[]; /* of struct record_slurm_job; the line has them in another form */
extern const struct store_member store_workflow_texts[]; /* of struct record_workflow */

enum store_tool_kind { STORE_USERS, STORE_SLURMS };

/* Returns a pointer to the number of @object at @offset. */
static inline int64_t *store_count_at(void *object, uint16_t offset)
{
	return (int64_t *)((char *)object + offset);
}

/*
 * Adds to @array the numbers of @from in @columns. An unknown number becomes null; unknown numbers at the end are left
 * out. @extra: the number for STORE_EXTRA; negative: not known
 */
void store_put_columns(struct json_object *array, const void *from, const uint16_t *columns, int64_t extra);

/*
 * Adds @value, which it takes over, at the dotted @name, which is not copied. Creates the outer object if it is
 * missing.
 */
void store_put_at(struct json_object *out, const char *name, struct json_object *value);

/* Returns @text as JSON, cut to at most @most bytes; null for NULL. */
struct json_object *store_new_text(const char *text, size_t most);

/* As store_new_text(), for a name: only what follows the last slash. */
struct json_object *store_new_name(const char *text);

/* What the functions that make parts of a line need to know about the whole. */
struct store_making {
	const struct record *record;
	const struct record_slurm_job *slurm; /* its known is false if there is no answer */
	struct merge_script script;
	bool scripts; /* scripts keep their names */
	int64_t *places; /* for each of the record's tools: its index in the line's list; -1: it is added up with others */
};

/* Entries of the record's timeline that the line keeps. */
struct store_failed {
	const struct record_entry *entries[STORE_FAILED];
	size_t count;
};

/* Returns the index of the record's tool @index in the line's list; -1: it has none. */
int64_t store_tool_place(const struct store_making *making, int64_t index);

/*
 * Chooses the record's tools that get an entry of their own in the line, and sets their indexes. Tools that @failed and
 * the record's other lists refer to are chosen first.
 *
 * Returns the line's list of tools; NULL: out of memory.
 */
struct json_object *store_choose_tools(struct store_making *making, const struct store_failed *failed);

/*
 * Fills @failed with the entries of the record's timeline from which the outcome tells which process failed and made
 * the job fail.
 */
void store_find_failed(const struct store_making *making, struct store_failed *failed);

/*
 * Adds to @failed, after the tools were chosen, entries that show how runs of these tools failed: for each tool, one
 * for each of its first STORE_ENDINGS different ends.
 */
void store_add_endings(const struct store_making *making, struct store_failed *failed);

/*
 * Returns the record's series reduced to three points, from which the verdict reads the same as from the series; NULL:
 * the record has none. To be put.
 */
struct json_object *store_make_points(const struct store_making *making);

#endif
