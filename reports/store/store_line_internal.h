/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns and limits of a store line, for making and reading. */
#ifndef STINT_STORE_LINE_INTERNAL_H
#define STINT_STORE_LINE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "reports/records/merge.h"
#include "reports/store/store_line.h"

#define STORE_TEXT 128 /* maximum bytes of most texts; a longer text is cut */
#define STORE_REASON 256 /* of a gap: room for names of tools */
#define STORE_NODE_LIST 4096
#define STORE_SLURM_TOOLS 2
#define STORE_STEPS 32
#define STORE_GAPS 16
#define STORE_FILE_SYSTEMS 16
#define STORE_OOM 8
#define STORE_STALLS 24
#define STORE_STEP_ID 32
#define STORE_CULPRITS 17 /* the most processes that the verdict follows */
#define STORE_ENDINGS 2   /* how many different ends of one tool are kept; two are enough, because the verdict only needs to
			   * know if all ends are the same */
#define STORE_FAILED (STORE_CULPRITS + STORE_ENDINGS * (STORE_LINE_TOOLS + STORE_SLURM_TOOLS)) /* in lines of earlier versions */
#define STORE_ENDS 96
#define STORE_CORE_RANGES 64
#define STORE_POINTS 3
#define STORE_GPUS 64
#define STORE_GPU_TYPES 8

/*
 * Which number is at which position of the lists "totals", "tools" and so on. A column is the offset of a number in its
 * struct. STORE_END ends a table.
 *
 * Only append columns, because lines of years ago must stay readable.
 */
extern const uint16_t store_total_columns[]; /* of struct record_totals */
extern const uint16_t store_tool_columns[]; /* of struct record_tool; in the line, they follow name, interpreter and kind */
extern const uint16_t store_waits[]; /* offsets in struct record_waits, each of a struct record_wait */
extern const uint16_t store_wait_columns[]; /* of struct record_wait */
extern const uint16_t store_file_system_columns[]; /* of struct record_file_system; in the line, they follow the type */
extern const uint16_t store_step_columns[]; /* of struct record_step; in the line, they follow the id */
extern const uint16_t store_oom_columns[]; /* of struct record_oom_kill; in the line, they follow tool, comm and step */
extern const uint16_t store_stall_columns[]; /* of struct record_stall; in the line, they follow tool and step */
extern const uint16_t store_gpu_columns[]; /* of struct record_gpu; in the line, they follow vendor and model */
extern const uint16_t store_gpu_type_columns[]; /* of struct record_gpu_given; in the line, they follow kind and type */
extern const uint16_t store_failed_columns[]; /* of struct record_entry; in the line, they follow tool and step */
extern const uint16_t store_point_columns[]; /* of struct record_columns, whose members are lists; in the line, they follow the
					      * point's length */

#define STORE_END 0 /* no number is at offset 0, because every struct begins with the member "known" */
#define STORE_EXTRA UINT16_MAX /* stands for a number that the struct has in another form, such as a step's pid, a tool's kind,
			        * or whether an entry forked */

/* A member that has the same name in its struct, such as "user.uid". */
struct store_member {
	const char *name; /* NULL ends a table */
	uint16_t offset;
	uint16_t known; /* offset of the flag that says if the struct is known */
};

extern const struct store_member store_numbers[], store_texts[], store_node_lists[], store_flags[]; /* of struct record */
extern const struct store_member store_slurm_numbers[], store_slurm_texts[], store_slurm_flags[]; /* of struct record_slurm_job */
extern const struct store_member store_slurm_names[]; /* of struct record_slurm_job; the line stores these names in another form */
extern const struct store_member store_workflow_texts[]; /* of struct record_workflow */

/* Bits of a killed process's STORE_EXTRA. */
enum store_kill_mark { STORE_NODE_RAN_OUT = 1, STORE_ALONG = 2 };

/* Bits of an entry's STORE_EXTRA. A task's rank is above them. Lines of earlier versions have only STORE_FORKED. */
enum store_entry_mark {
	STORE_FORKED = 1,
	STORE_DISMISSED = 2,
	STORE_BY_SHELL = 4,
	STORE_UNAWAITED = 8,
	STORE_UNREAD = 16,
	STORE_NO_PIPE = 32,
	STORE_TASK = 64,
};
#define STORE_RANK_SHIFT 8

/* Kinds of a tool. Old lines have these numbers. In lines of earlier versions, the script is one of STORE_USERS. */
enum store_tool_kind { STORE_USERS, STORE_SLURMS, STORE_SCRIPT };

static inline int64_t *store_count_at(void *object, uint16_t offset)
{
	return (int64_t *)((char *)object + offset);
}

/*
 * Adds the numbers of @from that @columns lists. Unknown numbers become null; at the end of the array, they are left
 * out.
 *
 * @extra: the number for STORE_EXTRA; negative if unknown
 */
void store_put_columns(struct json_object *array, const void *from, const uint16_t *columns, int64_t extra);

/*
 * Adds @value under the dotted @name, and takes ownership of @value. Creates the outer object if needed. @name is not
 * copied.
 */
void store_put_at(struct json_object *out, const char *name, struct json_object *value);

/* Returns @text as JSON, cut to @most bytes; null for NULL. */
struct json_object *store_new_text(const char *text, size_t most);

/* Like store_new_text(), but only what follows the last slash. */
struct json_object *store_new_name(const char *text);

/* What all parts of a line need. */
struct store_making {
	const struct record *record;
	const struct record_slurm_job *slurm; /* if there is no answer, its member "known" is false */
	struct merge_script script;
	bool scripts; /* true if scripts keep their names */
	int64_t *places; /* for each of the record's tools: its position in the line's list; -1 if the tool has no entry of its
			  * own there */
};

/* Those entries of a record's timeline that are copied into its store line. */
struct store_failed {
	const struct record_entry *entries[STORE_ENDS];
	size_t count;
};

/* Returns the position of the record's tool @index in the line's list of tools; -1 if the tool is not in the list. */
int64_t store_tool_place(const struct store_making *making, int64_t index);

/*
 * Chooses the tools that get an entry of their own. First chooses the tools that @failed and other lists refer to.
 * Stores the tools' positions in @making.
 *
 * Returns the line's list of tools; NULL if out of memory.
 */
struct json_object *store_choose_tools(struct store_making *making, const struct store_failed *failed);

/* Fills @failed with the entries that show which process made the job fail. */
void store_find_failed(const struct store_making *making, struct store_failed *failed);

/* Adds all other entries that the verdict looks at. Returns false if out of memory. */
bool store_add_judged(const struct store_making *making, struct store_failed *failed);

/* Sorts @failed in the order of the timeline, also entries with the same start. */
void store_sort_failed(struct store_failed *failed);

/*
 * Adds entries that show how the chosen tools failed: the first STORE_ENDINGS different ends of each tool. Call
 * store_choose_tools() before.
 */
void store_add_endings(const struct store_making *making, struct store_failed *failed);

/*
 * Reduces the series to three points, which give the verdict the same numbers. Returns the points, for
 * json_object_put(); NULL if there is no series.
 */
struct json_object *store_make_points(const struct store_making *making);

#endif
