/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes the node record (docs/record.md), which the collector writes for each job on a node. Also reads
 * Slurm's answer about a job, which stint-slurm-job prints. The members of the structs have the names of the JSON
 * fields, and record_fields.h lists them.
 *
 * reports/model/report.h describes how a member shows that its value is unknown. An unknown count is negative, so use
 * take_count() to read a count. Callers need not check whether an object is missing, because everything in a missing
 * object is unknown.
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
 * The most items that each list of one record may have. These are as many as a collector writes, or slightly more
 * (docs/record.md, collector/).
 */
#define RECORD_GAPS_MAX 1024
#define RECORD_LOST_MAX 64 /* collectors know fewer kinds of lost items; the limit is low because the list is searched for each kind */
#define RECORD_STEPS_MAX 4096
#define RECORD_TASKS_MAX 32768 /* tasks of all steps together */
#define RECORD_FILES_MAX 8192
#define RECORD_OOM_MAX 64
#define RECORD_POINTS_MAX 4096 /* points of the series */
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
#undef OBJECT
#define OBJECT(name, of) struct of name;
struct record_word {
	bool known;
	RECORD_WORD
};
#undef FIELD
#undef HIDDEN
#undef OBJECT
#undef HIDDEN_OBJECT
#undef LIST
#undef GROUP

/* Each function returns the table of one object. For example, record_table_tool() returns the table of a tool. */
#define RECORD_TABLE(of, list) const struct report_object *record_table_##of(void);
RECORD_OBJECTS(RECORD_TABLE)
#undef RECORD_TABLE

/* Returns the table of struct record itself. */
const struct report_object *record_whole(void);

/* Returns the table of struct record_word. */
const struct report_object *record_table_word(void);

/* ---- values ---- */

/* Sets *@value to @count. Returns false, with *@value unchanged, if @count is not known. */
static inline bool take_count(int64_t count, int64_t *value)
{
	if (count < 0)
		return false;
	*value = count;
	return true;
}

/* The kinds of waits of a job's threads on one node, in the order of the report. */
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

/* Returns the member of @waits that belongs to @kind. */
const struct record_wait *record_wait_of(const struct record_waits *waits, enum wait_kind kind);

/* Returns the name of @kind in records and reports. */
const char *record_wait_name(enum wait_kind kind);

/*
 * Returns the tool at @index of @record's tools; NULL if there is none. The entries of the timeline name their tools
 * by this index.
 */
const struct record_tool *record_tool_at(const struct record *record, int64_t index);

/* ---- the whole ---- */

struct record_identity {
	uint32_t job_id;
	uint32_t attempt;
	const char *node; /* borrowed from the record */
};

/* Limits for reading a text that is not trusted. 0 means no limit. */
struct record_bounds {
	size_t memory; /* the most bytes of memory that the record may need, not counting the text */
	size_t text;   /* the most bytes of one string; a longer string becomes unknown */
};

/*
 * Returns a record in which nothing is known; NULL if out of memory. Release it by record_free().
 *
 * @text: memory from malloc() that will hold strings of the record; record_new() becomes its owner, even on failure.
 * May be NULL
 */
struct record *record_new(char *text);

/*
 * Reads a record. Checks that the record has this version, and that it identifies its job and node.
 *
 * @text: @len bytes and a NUL, from malloc(); record_read() becomes its owner, even on failure
 * @bounds: limits for the record; NULL if there are none, because root wrote the text
 * @name: the file's name, for @err
 * @identity: filled; its strings live as long as the record
 *
 * Returns the record, which the caller releases by record_free(). On failure, returns NULL with @err and errno set.
 * errno is EPROTONOSUPPORT if the record has another version, which another version of stint may be able to read.
 * errno is ENOMEM if out of memory, EFBIG if the record exceeds @bounds, and EBADMSG if the record cannot be used.
 */
struct record *record_read(char *text, size_t len, const struct record_bounds *bounds, const char *name,
			   struct record_identity *identity, struct error *err);

/* Like record_read(), but has no limits, copies @text, and leaves @text unchanged. */
struct record *record_parse(const char *text, size_t len, const char *name, struct record_identity *identity, struct error *err);

/* Fills @identity from @record. Returns 0; -1 with @err and errno set as record_read() sets them. */
int record_identify(const struct record *record, const char *name, struct record_identity *identity, struct error *err);

/*
 * Returns the record as JSON on one line, which the caller frees; NULL with errno ENOMEM if out of memory. @len: set
 * to the length of that line
 */
char *record_write(const struct record *record, size_t *len);

/*
 * Returns a copy of @record, which the caller releases by record_free(); NULL if out of memory. The copy needs only
 * as much memory as its content, because it does not keep the text that @record was read from. Does not copy hidden
 * objects, which only a store line fills. If @record has hidden objects, it must live longer than the copy.
 */
struct record *record_copy(const struct record *record);

/*
 * Returns the report that owns the memory of @record. Pass this report to report_copy(), report_add_text() and
 * report_keep() to add things to the record, and to report_lacks_memory() at the end. Nothing in that report itself
 * is known.
 */
struct report *record_memory(const struct record *record);

/* Returns how many bytes of memory @record takes, not counting its text. */
size_t record_bytes(const struct record *record);

/* Like REPORT_ADD() and REPORT_MAKE(), but for lists of a record. */
#define RECORD_ADD(record, list, of) ((struct record_##of *)report_add(record_memory(record), list, record_table_##of()))
#define RECORD_MAKE(record, list, count, of) report_make(record_memory(record), list, count, record_table_##of())

/*
 * Both functions add a gap, even if @record already has the same gap, and copy both texts. record_add_gapf() formats
 * the reason like printf().
 */
void record_add_gap(struct record *record, const char *name, const char *reason);
void record_add_gapf(struct record *record, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds an owner to @record, and returns @record. Each owner calls record_free(). */
struct record *record_share(struct record *record);

/* Drops one owner, and frees the record if it has no other owner. @record may be NULL. */
void record_free(struct record *record);

static inline void record_freep(struct record **record)
{
	record_free(*record);
}

#define cleanup_record __attribute__((cleanup(record_freep), unused))

/* ---- Slurm's answer ---- */

/* The jobs in one answer of stint-slurm-job, which asks Slurm about jobs. */
struct slurm_answer {
	struct record_slurm_job_list jobs;
	struct report *memory; /* owns everything in the answer */
};

/*
 * Reads an answer of stint-slurm-job. It is the object of one job, or a list of such objects.
 *
 * @text: @len bytes and a NUL, from malloc(); slurm_answer_read() becomes its owner, even on failure
 *
 * Returns the answer, which the caller releases by slurm_answer_free(); NULL with @err and errno set as record_read()
 * sets them.
 */
struct slurm_answer *slurm_answer_read(char *text, size_t len, const char *name, struct error *err);

/* Returns the first job of @answer; NULL if there is no job, or if @answer is NULL. */
struct record_slurm_job *slurm_answer_job(struct slurm_answer *answer);

/* Frees @answer and everything in it. @answer may be NULL. */
void slurm_answer_free(struct slurm_answer *answer);

static inline void slurm_answer_freep(struct slurm_answer **answer)
{
	slurm_answer_free(*answer);
}

#define cleanup_answer __attribute__((cleanup(slurm_answer_freep), unused))

/* Returns @job, or a job in which nothing is known if @job is NULL. */
const struct record_slurm_job *slurm_job_or_unknown(const struct record_slurm_job *job);

/* Makes every member of @job unknown. */
void slurm_job_forget(struct record_slurm_job *job);

#endif
