/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/amend.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/json_writer.h"
#include "common/time_text.h"
#include "reports/facts/line_rows.h"
#include "reports/ingest/batch.h"
#include "reports/json/field.h"
#include "reports/records/record.h"
#include "reports/store/store_line.h"

/* ---- the leading line ---- */

struct leading {
	struct amend *amend;
	struct json_object *line;
	bool led; /* whether the line has Slurm's answer */
};

static int read_line(void *context, const char *text, size_t length, struct error *err)
{
	struct leading *leading = context;
	struct json_object *line = field_parse(text, length, "a line of the database", json_type_object, err);
	bool led = field_typed(line, "slurm", json_type_object);

	if (!line)
		return -1;
	if (leading->line && (leading->led || !led)) {
		json_object_put(line);
		return 0;
	}
	json_object_put(leading->line);
	leading->line = line;
	leading->led = led;
	return 0;
}

/* ---- what slurmdbd says now ---- */

static bool same_text(const char *one, const char *other)
{
	return strcmp(one ? one : "", other ? other : "") == 0;
}

static bool says_this(struct json_object *line, const struct record_slurm_job *slurm)
{
	struct json_object *said = field_typed(line, "slurm", json_type_object);

	return said && same_text(field_text(said, "account"), slurm->account) &&
	       same_text(field_text(said, "state"), slurm->state) && same_text(field_text(said, "qos"), slurm->qos);
}

/* Replaces those members of Slurm's answer that may have changed since Slurm gave it. */
static void put_changes(struct json_object *said, const struct record_slurm_job *slurm)
{
	const struct {
		const char *name;
		int64_t value;
	} numbers[] = {
		{ "exit_status", slurm->exit_status },
		{ "derived_exit_status", slurm->derived_exit_status },
		{ "start_unix_s", slurm->start_unix_s },
		{ "end_unix_s", slurm->end_unix_s },
	};

	put_text(said, "account", slurm->account);
	put_text(said, "qos", slurm->qos);
	put_text(said, "state", slurm->state);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].value >= 0)
			put_count(said, numbers[i].name, numbers[i].value);
}

/* Adds what slurmdbd says. If the line already has Slurm's answer, replaces only members that may have changed. */
static void put_slurm(struct json_object *line, const struct record_slurm_job *slurm)
{
	struct json_object *said = field_typed(line, "slurm", json_type_object);

	if (said) {
		put_changes(said, slurm);
	} else {
		said = put_object(line, "slurm");
		store_line_put_slurm(said, slurm);
		put_text(said, "name", slurm->name);
		put_text(said, "node_list", slurm->node_list);
	}
	json_object_object_del(said, "completing");
}

/* ---- batches ---- */

static int take_batch(struct amend *amend, struct error *err)
{
	char name[BATCH_NAME_MAX], boot[24], sealed[TIME_TEXT];
	cleanup_json struct json_object *head = json_object_new_object();
	struct batch batch;
	char *text = NULL;
	int length;

	snprintf(boot, sizeof(boot), "%012" PRIx64 "-%" PRIx64, (uint64_t)0, (uint64_t)amend->began_ms);
	snprintf(name, sizeof(name), INGEST_OWN_NODE ".%s.%010d.ndjson", boot, ++amend->sequence);
	put_count(head, "store_batch", 1);
	put_text(head, "cluster", amend->cluster);
	put_text(head, "node", INGEST_OWN_NODE);
	put_text(head, "boot", boot);
	put_count(head, "sequence", amend->sequence);
	put_text(head, "sealed", time_text(amend->now_s * NS_PER_S, sealed));
	put_count(head, "lines", amend->count);
	put_count(head, "dropped", 0);
	length = asprintf(&text, "%s\n%.*s", json_object_to_json_string_ext(head, JSON_C_TO_STRING_PLAIN),
			  (int)amend->size, amend->text);
	if (length < 0)
		return error_set(err, "out of memory");
	amend->size = 0;
	amend->count = 0;
	return batch_take(name, text, (size_t)length, &batch, err) < 0 ? -1
								       : ingest_take_own(amend->ingest, &batch, err);
}

static int add_line(struct amend *amend, struct json_object *line, struct error *err)
{
	const char *text =
		json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	size_t length = text ? strlen(text) : 0;
	char *more;

	if (length >= STORE_LINE_MAX)
		return 0; /* leave the line unchanged, because the new line would be too long */
	more = text ? realloc(amend->text, amend->size + length + 2) : NULL;
	if (!more)
		return error_set(err, "out of memory");
	amend->text = more;
	memcpy(more + amend->size, text, length);
	amend->size += length;
	more[amend->size++] = '\n';
	amend->lines++;
	return ++amend->count == BATCH_LINES_MAX ? take_batch(amend, err) : 0;
}

int amend_add(struct amend *amend, const struct amend_job *job, struct error *err)
{
	const struct line_rows_key key = { job->month, job->cluster, { job->job_id, job->attempt, job->submit } };
	struct leading leading = { .amend = amend };
	int64_t revision;
	int result = line_rows_find(amend->ingest->db, amend->packer, &key, read_line, &leading, err);

	/* There is no leading line if the job was dropped from the tables in the meantime. */
	if (result == 0 && leading.line && !says_this(leading.line, job->slurm) &&
	    field_count(leading.line, "revision", &revision)) {
		put_slurm(leading.line, job->slurm);
		put_count(leading.line, "revision", STORE_REVISION_AMENDED(revision));
		put_count(leading.line, "amended", amend->now_s);
		result = add_line(amend, leading.line, err);
	}
	json_object_put(leading.line);
	return result;
}

int amend_finish(struct amend *amend, struct error *err)
{
	return amend->count ? take_batch(amend, err) : 0;
}

void amend_free(struct amend *amend)
{
	free(amend->text);
	amend->text = NULL;
}
