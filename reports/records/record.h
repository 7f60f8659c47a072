/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes the node record (docs/record.md), and Slurm's answer about a job. record_fields.h lists the members.
 *
 * An unknown count is negative: use take_count(). For other unknown values see reports/model/report.h. A missing object
 * reads as unknown, so callers need not check for it.
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

/* The most items of each list in a record. A collector writes at most as many (docs/record.md). */
#define RECORD_GAPS_MAX 1024
#define RECORD_LOST_MAX 64 /* low, because each kind is searched for */
#define RECORD_STEPS_MAX 4096
#define RECORD_TASKS_MAX 32768 /* of all steps together */
#define RECORD_FILES_MAX 8192
#define RECORD_OOM_MAX 64
#define RECORD_GPUS_MAX 128
#define RECORD_GPU_ITEMS_MAX 8192 /* of all lists of all GPUs */
#define RECORD_GPU_FILES_MAX 256 /* also of all tools of all files */
#define RECORD_CONTAINERS_MAX 1024
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

/* For example, record_table_tool() returns the table of a tool. */
#define RECORD_TABLE(of, list) const struct report_object *record_table_##of(void);
RECORD_OBJECTS(RECORD_TABLE)
#undef RECORD_TABLE

const struct report_object *record_whole(void);

const struct report_object *record_table_word(void);

static inline bool take_count(int64_t count, int64_t *value)
{
	if (count < 0)
		return false;
	*value = count;
	return true;
}

/* Waits of a job, in the order of the report. */
enum wait_kind {
	WAIT_MEMORY_STALL,
	WAIT_FAULT_IO,
	WAIT_FILE_IO,
	WAIT_GPU,
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

const struct record_wait *record_wait_of(const struct record_waits *waits, enum wait_kind kind);

const char *record_wait_name(enum wait_kind kind);

/* Returns the tool with the number @index in the record; NULL if there is none. */
const struct record_tool *record_tool_at(const struct record *record, int64_t index);

struct record_identity {
	uint32_t job_id;
	uint32_t attempt;
	const char *node; /* borrowed from the record */
};

/* Limits for a text from a user; 0: no limit. */
struct record_bounds {
	size_t memory; /* most bytes of memory, without the text */
	size_t text;   /* most bytes of a string */
};

/*
 * Returns an empty record, for record_free(); NULL if out of memory.
 *
 * @text: from malloc(), for the record's strings; freed with the record, and on failure. May be NULL
 */
struct record *record_new(char *text);

/*
 * Reads a record, and checks its version, job and node.
 *
 * @text: @len bytes and a NUL, from malloc(); freed with the record, and on failure
 * @bounds: NULL: none, because root wrote the text
 * @name: the file, for @err
 * @identity: strings are valid as long as the record
 *
 * Returns the record, for record_free(); NULL with @err and errno set:
 * EPROTONOSUPPORT: another version wrote the record
 * ENOMEM: out of memory
 * EFBIG: the record exceeds @bounds
 * EBADMSG: the record is damaged
 */
struct record *record_read(char *text, size_t len, const struct record_bounds *bounds, const char *name,
			   struct record_identity *identity, struct error *err);

/* Works like record_read() without limits, on a copy of @text. */
struct record *record_parse(const char *text, size_t len, const char *name, struct record_identity *identity, struct error *err);

/* Returns 0; -1 with @err and errno set as by record_read(). */
int record_identify(const struct record *record, const char *name, struct record_identity *identity, struct error *err);

/* Returns the record as a line of JSON, which the caller frees; NULL if out of memory. @len: receives the length */
char *record_write(const struct record *record, size_t *len);

/*
 * Returns a copy without the text of @record, for record_free(); NULL if out of memory. A copy shares hidden objects
 * with @record, which must live longer.
 */
struct record *record_copy(const struct record *record);

/* Returns the report that owns the memory, for report_copy(), report_add_text() and similar functions. */
struct report *record_memory(const struct record *record);

/* Returns how much memory the record takes, without its text. */
size_t record_bytes(const struct record *record);

/* Like REPORT_ADD() and REPORT_MAKE(), for a record. */
#define RECORD_ADD(record, list, of) ((struct record_##of *)report_add(record_memory(record), list, record_table_##of()))
#define RECORD_MAKE(record, list, count, of) report_make(record_memory(record), list, count, record_table_##of())

/* Add a gap, even if the record has it. Copy the texts. record_add_gapf() formats like printf(). */
void record_add_gap(struct record *record, const char *name, const char *reason);
void record_add_gapf(struct record *record, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds an owner, who calls record_free(). Returns @record. */
struct record *record_share(struct record *record);

/* Drops an owner, and frees the record after the last one. @record may be NULL. */
void record_free(struct record *record);

static inline void record_freep(struct record **record)
{
	record_free(*record);
}

#define cleanup_record __attribute__((cleanup(record_freep), unused))

/* An answer of stint-slurm-job. */
struct slurm_answer {
	struct record_slurm_job_list jobs;
	struct report *memory; /* owns everything in the answer */
};

/*
 * Reads an answer, one job or a list of jobs.
 *
 * @text: @len bytes and a NUL, from malloc(); freed with the answer, and on failure
 *
 * Returns the answer, for slurm_answer_free(); NULL with @err and errno set as by record_read().
 */
struct slurm_answer *slurm_answer_read(char *text, size_t len, const char *name, struct error *err);

/* Returns NULL if there is no job. @answer may be NULL. */
struct record_slurm_job *slurm_answer_job(struct slurm_answer *answer);

/* @answer may be NULL. */
void slurm_answer_free(struct slurm_answer *answer);

static inline void slurm_answer_freep(struct slurm_answer **answer)
{
	slurm_answer_free(*answer);
}

#define cleanup_answer __attribute__((cleanup(slurm_answer_freep), unused))

/* Returns @job. If it is NULL, returns an unknown job. */
const struct record_slurm_job *slurm_job_or_unknown(const struct record_slurm_job *job);

void slurm_job_forget(struct record_slurm_job *job);

#endif
