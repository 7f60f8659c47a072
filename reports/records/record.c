/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/record.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/memory/arena.h"
#include "common/utf8.h"
#include "reports/model/report_clone.h"
#include "reports/model/report_read.h"
#include "reports/model/report_write.h"

#define REASON_MAX 1024

struct owned_record {
	struct record record; /* must be first */
	struct report *memory;
};

struct report *record_memory(const struct record *record)
{
	return ((const struct owned_record *)record)->memory;
}

size_t record_bytes(const struct record *record)
{
	return report_arena(record_memory(record))->bytes;
}

struct record *record_new(char *text)
{
	struct report *memory = report_new(text);
	struct owned_record *owned = memory ? arena_get(report_arena(memory), sizeof(*owned)) : NULL;

	if (!memory)
		free(text);
	if (!owned) {
		report_free(memory);
		return NULL;
	}
	record_whole()->forget(&owned->record);
	owned->record.known = true;
	owned->memory = memory;
	return &owned->record;
}

struct record *record_share(struct record *record)
{
	report_share(record_memory(record));
	return record;
}

void record_free(struct record *record)
{
	if (record)
		report_free(record_memory(record));
}

struct record *record_copy(const struct record *record)
{
	struct record *copy = record_new(NULL);

	if (!copy)
		return NULL;
	*copy = *record;
	if (report_clone(record_memory(copy), record_whole(), copy) == 0)
		return copy;
	record_free(copy);
	return NULL;
}

int record_identify(const struct record *record, const char *name, struct record_identity *identity, struct error *err)
{
	const struct record_identity none = { 0 };
	int64_t job_id = record->identity.job_id, attempt = record->identity.attempt;

	*identity = none;
	errno = EBADMSG;
	if (record->stint_record < 0)
		return error_set(err, "%s: not a node record", name);
	errno = EPROTONOSUPPORT;
	if (record->stint_record != RECORD_VERSION)
		return error_set(err, "%s: a node record of version %lld; this stint reads version %d", name,
				 (long long)record->stint_record, RECORD_VERSION);
	errno = EBADMSG;
	identity->node = record->identity.node;
	if (job_id < 1 || job_id > UINT32_MAX)
		return error_set(err, "%s: a node record without identity.job_id", name);
	if (attempt < 1 || attempt > UINT32_MAX)
		return error_set(err, "%s: a node record without identity.attempt", name);
	if (!identity->node || !*identity->node || strchr(identity->node, '/'))
		return error_set(err, "%s: a node record without identity.node", name);
	identity->job_id = job_id;
	identity->attempt = attempt;
	return 0;
}

static void *lack_memory(const char *name, struct error *err)
{
	error_set(err, "%s: out of memory", name);
	errno = ENOMEM;
	return NULL;
}

static int read_into(struct record *record, char *text, size_t len, const struct record_bounds *bounds, const char *name,
		     struct error *err)
{
	const struct report_source source = {
		.text = text,
		.len = len,
		.text_most = bounds ? bounds->text : 0,
		.name = name,
		.of = record_whole,
	};
	struct arena *arena = report_arena(record_memory(record));
	int result;

	arena->most = bounds ? bounds->memory : 0;
	result = report_read_object(record_memory(record), &source, record, err);
	arena->most = 0; /* later additions have no limit */
	return result;
}

struct record *record_read(char *text, size_t len, const struct record_bounds *bounds, const char *name,
			   struct record_identity *identity, struct error *err)
{
	struct record *record = record_new(text);
	int saved;

	if (!record)
		return lack_memory(name, err);
	if (read_into(record, text, len, bounds, name, err) == 0 && record_identify(record, name, identity, err) == 0)
		return record;
	saved = errno;
	record_free(record);
	errno = saved;
	return NULL;
}

struct record *record_parse(const char *text, size_t len, const char *name, struct record_identity *identity, struct error *err)
{
	char *copy = strndup(text, len);

	/* the copy ends at a NUL in the text */
	return copy ? record_read(copy, len, NULL, name, identity, err) : lack_memory(name, err);
}

char *record_write(const struct record *record, size_t *len)
{
	return report_write_object(record_whole(), record, len);
}

void record_add_gap(struct record *record, const char *name, const char *reason)
{
	struct record_gap *gap = RECORD_ADD(record, &record->gaps, gap);

	gap->name = report_copy(record_memory(record), name);
	gap->reason = report_copy(record_memory(record), reason);
}

void record_add_gapf(struct record *record, const char *name, const char *format, ...)
{
	char reason[REASON_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	record_add_gap(record, name, utf8_finish(reason));
}

#define KIND_NAME(kind) #kind,
static const char *const wait_names[] = { REPORT_WAIT_KINDS(KIND_NAME) };

_Static_assert(sizeof(wait_names) / sizeof(wait_names[0]) == WAIT_KINDS, "enum wait_kind has the report's kinds");
_Static_assert(offsetof(struct record_waits, other) ==
		       offsetof(struct record_waits, memory_stall) + WAIT_OTHER * sizeof(struct record_wait),
	       "the kinds lie in a row");

const char *record_wait_name(enum wait_kind kind)
{
	return wait_names[kind];
}

const struct record_wait *record_wait_of(const struct record_waits *waits, enum wait_kind kind)
{
	return &waits->memory_stall + kind;
}

const struct record_tool *record_tool_at(const struct record *record, int64_t index)
{
	return index >= 0 && (uint64_t)index < record->tools.count ? &record->tools.items[index] : NULL;
}

static int read_answer(struct slurm_answer *answer, char *text, size_t len, const char *name, struct error *err)
{
	const struct report_source source = { .text = text, .len = len, .name = name, .of = record_table_slurm_job };
	struct record_slurm_job job;

	if (text[strspn(text, " \t\r\n")] == '[')
		return report_read_list(answer->memory, &source, &answer->jobs, err);
	if (report_read_object(answer->memory, &source, &job, err) < 0)
		return -1;
	*(struct record_slurm_job *)report_add(answer->memory, &answer->jobs, record_table_slurm_job()) = job;
	return report_lacks_memory(answer->memory) ? (lack_memory(name, err), -1) : 0;
}

struct slurm_answer *slurm_answer_read(char *text, size_t len, const char *name, struct error *err)
{
	struct report *memory = report_new(text);
	struct slurm_answer *answer = memory ? arena_get(report_arena(memory), sizeof(*answer)) : NULL;
	int saved;

	if (!memory)
		free(text);
	if (!answer) {
		report_free(memory);
		return lack_memory(name, err);
	}
	*answer = (struct slurm_answer){ .memory = memory };
	if (read_answer(answer, text, len, name, err) == 0)
		return answer;
	saved = errno;
	report_free(memory);
	errno = saved;
	return NULL;
}

struct record_slurm_job *slurm_answer_job(struct slurm_answer *answer)
{
	return answer && answer->jobs.count ? &answer->jobs.items[0] : NULL;
}

void slurm_answer_free(struct slurm_answer *answer)
{
	if (answer)
		report_free(answer->memory);
}

void slurm_job_forget(struct record_slurm_job *job)
{
	record_table_slurm_job()->forget(job);
}

static struct record_slurm_job unknown_job;

/* Runs before main(): the threads of stint ingest read the unknown job. */
static __attribute__((constructor)) void make_unknown_job(void)
{
	slurm_job_forget(&unknown_job);
}

const struct record_slurm_job *slurm_job_or_unknown(const struct record_slurm_job *job)
{
	return job ? job : &unknown_job;
}
