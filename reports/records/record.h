/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The node record (docs/record.md), which the collector writes for each node and job, and what stint-slurm-job says of a job. Their
 * members are the fields of the JSON by the same names; record_fields.h lists them. reports/model/report.h says how a value is
 * unknown. A count that is unknown is negative: take_count() reads it.
 *
 * Callers need no check for an object that is not there: nothing in it is known.
 */
#ifndef STINT_RECORD_H
#define STINT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/model/report_make.h"
#include "reports/records/record_fields.h"

#define RECORD_VERSION 1
#define RECORD_BYTES_MAX (512u << 20)

/*
 * The most entries that lists of one record can have: what one node's collector writes, or slightly more.
 * docs/record.md, collector/.
 */
#define RECORD_GAPS_MAX 1024
#define RECORD_LOST_MAX 64 /* kinds: collectors know fewer, and each is searched for */
#define RECORD_STEPS_MAX 4096
#define RECORD_TASKS_MAX 32768 /* of all steps */
#define RECORD_FILES_MAX 8192
#define RECORD_OOM_MAX 64
#define RECORD_POINTS_MAX 4096 /* of the series */
#define RECORD_STALLS_MAX 32
#define RECORD_TOOLS_MAX 2048

#define FIELD(type, name) REPORT_C_##type name;
#define HIDDEN(type, name) FIELD(type, name)
#define OBJECT(name, of) struct record_##of name;
#define HIDDEN_OBJECT(name, of) OBJECT(name, of)
#define LIST(name, of) struct record_##of##_list name;
#define GROUP(name, list) \
	union { \
		struct record_##name name; \
		struct { \
			list \
		}; \
	};
#define RECORD_GROUP(name, list) \
	struct record_##name { \
		list \
	};
#define RECORD_STRUCT(name, list) \
	struct record_##name { \
		bool known; \
		list \
	}; \
	struct record_##name##_list REPORT_LIST_OF(struct record_##name);
RECORD_GROUPS(RECORD_GROUP)
RECORD_OBJECTS(RECORD_STRUCT)

struct record {
	bool known;
	RECORD_WHOLE
};
#undef FIELD
#undef HIDDEN
#undef OBJECT
#undef HIDDEN_OBJECT
#undef LIST
#undef GROUP

/* The table of each object: record_table_tool(). */
#define RECORD_TABLE(of, list) const struct report_object *record_table_##of(void);
RECORD_OBJECTS(RECORD_TABLE)
#undef RECORD_TABLE

/* Returns the table of struct record itself. */
const struct report_object *record_whole(void);

/* ---- values ---- */

/* Sets *@value to @count. Returns false, with *@value unchanged, if it is not known. */
static inline bool take_count(int64_t count, int64_t *value)
{
	if (count < 0)
		return false;
	*value = count;
	return true;
}

/* What the job's threads on one node waited for, in the report's order. */
enum wait_kind {
	WAIT_MEMORY_STALL,
	WAIT_FAULT_IO,
	WAIT_FILE_IO,
	WAIT_NETWORK,
	WAIT_PIPE,
	WAIT_LOCK,
	WAIT_CONDITION,
	WAIT_CHILD,
	WAIT_EVENT,
	WAIT_SLEEP,
	WAIT_OTHER,
	WAIT_KINDS
};

/* Returns @waits of one kind. */
const struct record_wait *record_wait_of(const struct record_waits *waits, enum wait_kind kind);

/* Returns the name of @kind in records and reports. */
const char *record_wait_name(enum wait_kind kind);

/* Returns the tool at @index of @record's tools, as entries refer to it; NULL: there is none. */
const struct record_tool *record_tool_at(const struct record *record, int64_t index);

/* ---- the whole ---- */

struct record_identity {
	uint32_t job_id;
	uint32_t attempt;
	const char *node; /* borrowed from the record */
};

/* What a text may be made of that is not trusted; 0: no bound. */
struct record_bounds {
	size_t memory; /* bytes, besides the text */
	size_t text;   /* bytes of one text; a longer one is not known */
};

/*
 * Returns a record of which nothing is known, to be freed by record_free(); NULL if out of memory.
 *
 * @text: memory of malloc() in which texts of the record will lie; the record frees it, also if it is not made. May be NULL
 */
struct record *record_new(char *text);

/*
 * Reads a record, and checks that it has this version and identifies its job and node.
 *
 * @text: @len bytes and a NUL, of malloc(); record_read() takes ownership of it, even on failure
 * @bounds: NULL: the text is root's
 * @name: the file's name, for @err
 * @identity: filled; its texts live as long as the record
 *
 * Returns the record, for record_free(); NULL with @err set. errno is EPROTONOSUPPORT for a record of another version,
 * which another stint may read, ENOMEM, or EFBIG if it is beyond @bounds; otherwise the record is useless (EBADMSG).
 */
struct record *record_read(char *text, size_t len, const struct record_bounds *bounds, const char *name,
			   struct record_identity *identity, struct error *err);

/* The same for a text that stays as it is. */
struct record *record_parse(const char *text, size_t len, const char *name, struct record_identity *identity, struct error *err);

/* Fills @identity from @record. Returns 0; -1 with @err and errno set as by record_read(). */
int record_identify(const struct record *record, const char *name, struct record_identity *identity, struct error *err);

/* Returns the record as JSON on one line, to be freed; NULL, with errno ENOMEM, if no memory is left. @len: set to its length */
char *record_write(const struct record *record, size_t *len);

/*
 * Returns a copy of @record that has no more memory than its content needs, without its text, for record_free(); NULL if
 * out of memory. Hidden objects, which only a store line fills, are not copied: such a record must live as long.
 */
struct record *record_copy(const struct record *record);

/*
 * Returns the report that has the memory of everything in @record: for report_copy(), report_add_text() and report_keep() of
 * things that are added to the record, and report_lacks_memory() at the end. Nothing of that report itself is known.
 */
struct report *record_memory(const struct record *record);

/* Returns how many bytes of memory @record takes, besides its text. */
size_t record_bytes(const struct record *record);

/* As REPORT_ADD() and REPORT_MAKE(), for a record's lists. */
#define RECORD_ADD(record, list, of) ((struct record_##of *)report_add(record_memory(record), list, record_table_##of()))
#define RECORD_MAKE(record, list, count, of) report_make(record_memory(record), list, count, record_table_##of())

/* Adds a gap; copies both texts. The second makes the reason as by printf(). Neither looks whether there is one already. */
void record_add_gap(struct record *record, const char *name, const char *reason);
void record_add_gapf(struct record *record, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds an owner to @record, and returns it. Each owner calls record_free(). */
struct record *record_share(struct record *record);

/* Drops one owner, and frees the record if no other is left. @record may be NULL. */
void record_free(struct record *record);

static inline void record_freep(struct record **record)
{
	record_free(*record);
}

#define cleanup_record __attribute__((cleanup(record_freep), unused))

/* ---- what Slurm says ---- */

/* Jobs of which Slurm tells. */
struct slurm_answer {
	struct record_slurm_job_list jobs;
	struct report *memory; /* of everything in it */
};

/*
 * Reads an answer of stint-slurm-job: an object of one job, or a list of them.
 *
 * @text: @len bytes and a NUL, of malloc(); it is taken over, even on failure
 *
 * Returns the answer, for slurm_answer_free(); NULL with @err and errno set as by record_read().
 */
struct slurm_answer *slurm_answer_read(char *text, size_t len, const char *name, struct error *err);

/* Returns the first job of @answer; NULL: there is none, or @answer is NULL. */
struct record_slurm_job *slurm_answer_job(struct slurm_answer *answer);

/* @answer may be NULL. */
void slurm_answer_free(struct slurm_answer *answer);

static inline void slurm_answer_freep(struct slurm_answer **answer)
{
	slurm_answer_free(*answer);
}

#define cleanup_answer __attribute__((cleanup(slurm_answer_freep), unused))

/* Returns @job; a job of which nothing is known if it is NULL. */
const struct record_slurm_job *slurm_job_or_unknown(const struct record_slurm_job *job);

/* Makes all of @job unknown. */
void slurm_job_forget(struct record_slurm_job *job);

#endif
