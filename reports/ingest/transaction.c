/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ingest/transaction.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/memory/map.h"
#include "common/utf8.h"
#include "reports/facts/site_tables.h"

enum { AT_CLUSTER, AT_BATCH, AT_NODE, AT_SEALED, AT_SHA, AT_LINES, AT_DROPPED, AT_ARCHIVED, LEDGER_COLUMNS };
#define DAMAGED_COLUMNS 5

static struct database_value text_value(const char *text)
{
	return (struct database_value){ .kind = VALUE_TEXT, .data = text, .size = strlen(text) };
}

/* ---- the ledger ---- */

struct ledger {
	struct transaction_batch *batches;
	size_t count;
};

static int read_known(void *context, const struct database_value *row, struct error *err)
{
	const struct ledger *ledger = context;

	(void)err;
	for (size_t i = 0; i < ledger->count; i++) {
		struct transaction_batch *one = &ledger->batches[i];

		if (one->cluster != row[AT_CLUSTER].number || strlen(one->batch.name) != row[AT_BATCH].size ||
		    memcmp(one->batch.name, row[AT_BATCH].data, row[AT_BATCH].size) != 0)
			continue;
		one->state = row[AT_ARCHIVED].number ? BATCH_ARCHIVED : BATCH_KNOWN;
		if (row[AT_SHA].size != BATCH_SHA - 1 || memcmp(one->batch.sha256, row[AT_SHA].data, BATCH_SHA - 1) != 0)
			one->state = BATCH_REFUSED;
	}
	return 0;
}

/* If two batches have the same name, treats the second batch as if the ledger already had the first. */
static void find_twins(struct transaction_batch *batches, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i && batches[i].state == BATCH_TAKEN; k++)
			if (batches[k].cluster == batches[i].cluster && strcmp(batches[k].batch.name, batches[i].batch.name) == 0)
				batches[i].state = strcmp(batches[k].batch.sha256, batches[i].batch.sha256) == 0 ? BATCH_KNOWN :
														   BATCH_REFUSED;
}

static int look_up(struct jobs_update *update, struct transaction_batch *batches, size_t count, struct error *err)
{
	cleanup_free struct database_value *keys = calloc(count + 1, 2 * sizeof(*keys));
	struct ledger ledger = { batches, count };

	if (!keys)
		return error_set(err, "out of memory");
	for (size_t i = 0; i < count; i++) {
		batches[i].state = BATCH_TAKEN;
		batches[i].cluster = names_cluster(update->names, update->db, batches[i].batch.cluster,
						    &batches[i].of_new_cluster, err);
		if (batches[i].cluster < 0)
			return -1;
		keys[2 * i] = database_int(batches[i].cluster);
		keys[2 * i + 1] = text_value(batches[i].batch.name);
	}
	if (database_find(update->db, &table_batch, 0, 2, keys, count, read_known, &ledger, err) < 0)
		return -1;
	find_twins(batches, count);
	return 0;
}

static int enter(struct database *db, const struct transaction_batch *batches, size_t count, bool archived,
		 struct error *err)
{
	cleanup_free struct database_value *rows = calloc(count + 1, LEDGER_COLUMNS * sizeof(*rows));
	size_t used = 0;

	if (!rows)
		return error_set(err, "out of memory");
	for (size_t i = 0; i < count; i++) {
		const struct batch *batch = &batches[i].batch;
		struct database_value *row = rows + LEDGER_COLUMNS * used;

		if (batches[i].state != BATCH_TAKEN)
			continue;
		row[AT_CLUSTER] = database_int(batches[i].cluster);
		row[AT_BATCH] = text_value(batch->name);
		row[AT_NODE] = text_value(batch->node);
		row[AT_SEALED] = text_value(batch->sealed);
		row[AT_SHA] = text_value(batch->sha256);
		row[AT_LINES] = database_int(batch->line_count);
		row[AT_DROPPED] = database_int(batch->dropped);
		row[AT_ARCHIVED] = database_int(archived);
		used++;
	}
	return database_insert(db, &table_batch, 0, rows, used, err);
}

/* Rows of the ledger, changed to say that the archive has the batch. */
struct noting {
	struct database_value *rows;
	char **texts; /* copies of the texts that the rows point to */
	size_t count;
};

static int read_row(void *context, const struct database_value *row, struct error *err)
{
	struct noting *noting = context;
	struct database_value *to = noting->rows + LEDGER_COLUMNS * noting->count;

	for (size_t i = 0; i < LEDGER_COLUMNS; i++) {
		to[i] = row[i];
		if (row[i].kind != VALUE_TEXT)
			continue;
		to[i].data = noting->texts[LEDGER_COLUMNS * noting->count + i] = strndup(row[i].data, row[i].size);
		if (!to[i].data)
			return error_set(err, "out of memory");
	}
	to[AT_ARCHIVED] = database_int(1);
	noting->count++;
	return 0;
}

int transaction_note_archived(struct database *db, const struct transaction_note *notes, size_t count,
			      struct error *err)
{
	cleanup_free struct database_value *keys = calloc(count + 1, 2 * sizeof(*keys));
	struct noting noting = { .rows = calloc(count + 1, LEDGER_COLUMNS * sizeof(*noting.rows)),
				 .texts = calloc(count + 1, LEDGER_COLUMNS * sizeof(*noting.texts)) };
	int result = keys && noting.rows && noting.texts ? 0 : error_set(err, "out of memory");

	for (size_t i = 0; result == 0 && i < count; i++) {
		keys[2 * i] = database_int(notes[i].cluster);
		keys[2 * i + 1] = text_value(notes[i].name);
	}
	if (result == 0 && (database_find(db, &table_batch, 0, 2, keys, count, read_row, &noting, err) < 0 ||
			    database_erase(db, &table_batch, 0, 2, keys, count, err) < 0 ||
			    database_insert(db, &table_batch, 0, noting.rows, noting.count, err) < 0))
		result = -1;
	for (size_t i = 0; noting.texts && i < LEDGER_COLUMNS * (noting.count + 1); i++)
		free(noting.texts[i]);
	free(noting.texts);
	free(noting.rows);
	return result;
}

/* ---- lines ---- */

static bool is_of_cluster(const struct batch *batch, struct batch_line *line)
{
	if (!line->damaged && strcmp(line->line.cluster, batch->cluster) != 0) {
		line->damaged = true;
		error_set(&line->reason, "the line is of another cluster than its batch");
	}
	return !line->damaged;
}

static void put_damaged(struct database_value *row, const struct transaction_batch *one, struct batch_line *line)
{
	utf8_finish(line->reason.text);
	row[0] = database_int(one->cluster);
	row[1] = text_value(one->batch.name);
	row[2] = database_int((int64_t)line->number);
	row[3] = text_value(line->reason.text);
	row[4] = (struct database_value){ .kind = VALUE_BYTES, .data = line->line.text, .size = line->line.length };
}

struct sorted {
	struct job_line **lines;
	int64_t *clusters;
	size_t count;
	struct database_value *damaged;
	size_t damaged_count;
};

/*
 * Returns whether the month of the line's job was dropped, or will be dropped. The job must not be made again from only
 * a part of its lines.
 */
static bool is_late(struct jobs_update *update, const struct job_line *line)
{
	bool late = job_lines_month(line->submit == SUBMIT_UNKNOWN ? line->opened : line->submit) < update->oldest;

	update->late += late;
	return late;
}

static void sort_lines(struct jobs_update *update, struct transaction_batch *batches, size_t count,
		       struct sorted *sorted)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; batches[i].state == BATCH_TAKEN && k < batches[i].batch.count; k++) {
			struct batch_line *line = &batches[i].batch.list[k];

			if (is_of_cluster(&batches[i].batch, line) && is_late(update, &line->line))
				continue;
			if (!line->damaged) {
				sorted->lines[sorted->count] = &line->line;
				sorted->clusters[sorted->count++] = batches[i].cluster;
			} else {
				put_damaged(sorted->damaged + DAMAGED_COLUMNS * sorted->damaged_count++, &batches[i], line);
			}
		}
}

static int take_lines(struct jobs_update *update, struct transaction_batch *batches, size_t count, struct error *err)
{
	struct sorted sorted = { 0 };
	size_t total = 1;
	int result;

	for (size_t i = 0; i < count; i++)
		total += batches[i].batch.count;
	sorted.lines = calloc(total, sizeof(struct job_line *));
	sorted.clusters = calloc(total, sizeof(*sorted.clusters));
	sorted.damaged = calloc(total, DAMAGED_COLUMNS * sizeof(*sorted.damaged));
	if (!sorted.lines || !sorted.clusters || !sorted.damaged) {
		result = error_set(err, "out of memory");
	} else {
		sort_lines(update, batches, count, &sorted);
		result = database_insert(update->db, &table_damaged, 0, sorted.damaged, sorted.damaged_count, err);
		if (result == 0)
			result = jobs_update(update, sorted.lines, sorted.clusters, sorted.count, err);
	}
	free(sorted.lines);
	free(sorted.clusters);
	free(sorted.damaged);
	return result;
}

int transaction_take(struct jobs_update *update, struct transaction_batch *batches, size_t count, bool archived,
		     struct error *err)
{
	if (look_up(update, batches, count, err) < 0 || take_lines(update, batches, count, err) < 0)
		return -1;
	return enter(update->db, batches, count, archived, err);
}
