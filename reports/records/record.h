/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The node record (docs/record.md), which the collector writes for each job on a node, and Slurm's answer about a job,
 * which stint-slurm-job prints. The members of the structs have the names of the JSON fields; record_fields.h lists
 * them. reports/model/report.h describes how a member says that its value is unknown. An unknown count is negative, so
 * read counts with take_count().
 *
 * Callers need not check whether an object is missing, because everything in a missing object is unknown.
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
 * The most items that each list of one record may have. These are as many as a node's collector writes, or slightly
 * more (docs/record.md, collector/).
 */
#define RECORD_GAPS_MAX 1024
#define RECORD_LOST_MAX 64 /* collectors know fewer kinds of lost items; the bound is low because each kind is searched for */
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

/* Return the table of each object, for example record_table_tool(). */
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

/* Returns the member of @waits for @kind. */
const struct record_wait *record_wait_of(const struct record_waits *waits, enum wait_kind kind);

/* Returns the name of @kind in records and reports. */
const char *record_wait_name(enum wait_kind kind);

/* Returns the tool at @index of @record's tools, as entries refer to it; NULL if there is none. */
const struct record_tool *record_tool_at(const struct record *record, int64_t index);

/* ---- the whole ---- */

struct record_identity {
	uint32_t job_id;
	uint32_t attempt;
	const char *node; /* borrowed from the record */
};

/* Bounds for a text that is not trusted. A bound of 0 means no bound. */
struct record_bounds {
	size_t memory; /* the most bytes of memory that the record may need, besides the text */
	size_t text;   /* the most bytes of a string; a longer string becomes unknown */
};

/*
 * Returns a record in which nothing is known, for record_free(); NULL if out of memory.
 *
 * @text: memory from malloc() that will hold strings of the record; record_new() becomes its owner, even on failure.
 * May be NULL
 */
struct record *record_new(char *text);

/*
 * Reads a record. Checks that the record has this version, and that it identifies its job and node.
 *
 * @text: @len bytes and a NUL, from malloc(); record_read() becomes its owner, even on failure
 * @bounds: NULL for no bounds, because root wrote the text
 * @name: the file's name, for @err
 * @identity: filled; its strings live as long as the record
 *
 * Returns the record, for record_free(). On failure returns NULL with @err and errno set. errno is EPROTONOSUPPORT for
 * a record of another version, which another version of stint may read. It is ENOMEM if out of memory, EFBIG if the
 * record exceeds @bounds, and EBADMSG if the record is useless.
 */
struct record *record_read(char *text, size_t len, const struct record_bounds *bounds, const char *name,
			   struct record_identity *identity, struct error *err);

/* Like record_read(), without bounds, but copies @text and leaves it unchanged. */
struct record *record_parse(const char *text, size_t len, const char *name, struct record_identity *identity, struct error *err);

/* Fills @identity from @record. Returns 0; -1 with @err and errno set as by record_read(). */
int record_identify(const struct record *record, const char *name, struct record_identity *identity, struct error *err);

/*
 * Returns the record as JSON on one line, which the caller must free; NULL with errno ENOMEM if out of memory. @len:
 * set to its length
 */
char *record_write(const struct record *record, size_t *len);

/*
 * Returns a copy of @record, for record_free(); NULL if out of memory. The copy needs only as much memory as its
 * content, and does not keep the text that @record was read from. Hidden objects, which only a store line fills, are
 * not copied. If @record has hidden objects, it must outlive the copy.
 */
struct record *record_copy(const struct record *record);

/*
 * Returns the report that owns the memory of @record. To add things to the record, pass this report to report_copy(),
 * report_add_text() and report_keep(), and to report_lacks_memory() at the end. The report itself has no known values.
 */
struct report *record_memory(const struct record *record);

/* Returns how many bytes of memory @record takes, besides its text. */
size_t record_bytes(const struct record *record);

/* Like REPORT_ADD() and REPORT_MAKE(), for a record's lists. */
#define RECORD_ADD(record, list, of) ((struct record_##of *)report_add(record_memory(record), list, record_table_##of()))
#define RECORD_MAKE(record, list, count, of) report_make(record_memory(record), list, count, record_table_##of())

/*
 * Both add a gap, even if the same gap is already there, and copy both texts. record_add_gapf() formats the reason as
 * by printf().
 */
void record_add_gap(struct record *record, const char *name, const char *reason);
void record_add_gapf(struct record *record, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds an owner to @record, and returns @record. Each owner calls record_free(). */
struct record *record_share(struct record *record);

/* Drops one owner, and frees the record if no other is left. @record may be NULL. */
void record_free(struct record *record);

static inline void record_freep(struct record **record)
{
	record_free(*record);
}

#define cleanup_record __attribute__((cleanup(record_freep), unused))

/* ---- Slurm's answer ---- */

/* The jobs in an answer of stint-slurm-job, which asks Slurm about them. */
struct slurm_answer {
	struct record_slurm_job_list jobs;
	struct report *memory; /* owns everything in the answer */
};

/*
 * Reads an answer of stint-slurm-job: the object of one job, or a list of such objects.
 *
 * @text: @len bytes and a NUL, from malloc(); slurm_answer_read() becomes its owner, even on failure
 *
 * Returns the answer, for slurm_answer_free(); NULL with @err and errno set as by record_read().
 */
struct slurm_answer *slurm_answer_read(char *text, size_t len, const char *name, struct error *err);

/* Returns the first job of @answer; NULL if there is no job, or if @answer is NULL. */
struct record_slurm_job *slurm_answer_job(struct slurm_answer *answer);

/* @answer may be NULL. */
void slurm_answer_free(struct slurm_answer *answer);

static inline void slurm_answer_freep(struct slurm_answer **answer)
{
	slurm_answer_free(*answer);
}

#define cleanup_answer __attribute__((cleanup(slurm_answer_freep), unused))

/* Returns @job. If @job is NULL, returns a job in which nothing is known. */
const struct record_slurm_job *slurm_job_or_unknown(const struct record_slurm_job *job);

/* Makes all of @job unknown. */
void slurm_job_forget(struct record_slurm_job *job);

#endif
