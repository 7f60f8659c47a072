/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/checksum.h"

#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "reports/facts/fact.h"
#include "reports/lines/line_pack.h"
#include "reports/facts/site_tables.h"
#include "reports/facts/words.h"

struct summing {
	struct database *db;
	struct line_packer *packer;
	struct words words;
	const struct database_table *table;
	struct sum {
		uint64_t parts[2];
		int64_t rows;
	} sum, lines;
};

/* ---- rows ---- */

static void add_text(struct sha256_ctx *hash, const void *text, size_t size)
{
	uint64_t length = size;

	sha256_update(hash, sizeof(length), (const uint8_t *)&length);
	sha256_update(hash, size, text);
}

/* Adds the hash to the sum, which does not depend on the order of hashes. */
static void add_sum(struct sum *sum, struct sha256_ctx *hash)
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	uint64_t parts[2];

	sha256_digest(hash, sizeof(digest), digest);
	memcpy(parts, digest, sizeof(parts));
	sum->parts[0] += parts[0];
	sum->parts[1] += parts[1];
	sum->rows++;
}

static void add_word(struct summing *summing, struct sha256_ctx *hash, const struct fact *fact, int kind, int64_t id)
{
	const char *text = words_get(&summing->words, fact->cluster, kind, id);

	add_text(hash, text ? text : "", text ? strlen(text) : 0);
}

/* A row of the table "line". */
struct line_row {
	struct summing *summing;
	struct fact owner; /* only the cluster and the names */
};

/*
 * Adds two hashes. One is of the line's job and of the users who can see it. The other is of the line alone, because the
 * line can change while its job's row stays the same.
 */
static int add_line(void *context, const struct line_owner *owner, const char *text, size_t length, struct error *err)
{
	const struct line_row *row = context;
	struct sha256_ctx seen, alone;

	(void)err;
	sha256_init(&seen);
	sha256_init(&alone);
	add_text(&alone, text, length);
	add_word(row->summing, &seen, &row->owner, NAME_KINDS, row->owner.cluster);
	add_word(row->summing, &seen, &row->owner, NAME_USER, row->owner.names[NAME_USER]);
	add_word(row->summing, &seen, &row->owner, NAME_ACCOUNT, row->owner.names[NAME_ACCOUNT]);
	add_text(&seen, owner, sizeof(*owner));
	add_sum(&row->summing->sum, &seen);
	add_sum(&row->summing->lines, &alone);
	return 0;
}

/*
 * Sums lines, not rows: which lines share a row depends on when they came, and packed bytes depend on the version of
 * zstd.
 */
static int add_lines(struct summing *summing, const struct database_value *row, struct error *err)
{
	struct line_row of = { summing, { .cluster = row[LINE_AT_CLUSTER].number } };
	const struct lines_reading reading = { NULL, add_line, &of };

	of.owner.names[NAME_USER] = row[LINE_AT_USER].number;
	of.owner.names[NAME_ACCOUNT] = row[LINE_AT_ACCOUNT].number;
	return lines_unpack(summing->packer, row[LINE_AT_LINES].data, row[LINE_AT_LINES].size, &reading, err);
}

/* Adds tools or nodes with their words, because numbers of words may differ in another database. */
static int add_parts(struct summing *summing, struct sha256_ctx *hash, const struct database_value *row, size_t column,
		     struct error *err)
{
	struct fact fact;
	int result = fact_from_job(&fact, row, err);

	for (size_t i = 0; result == 0 && column == JOB_AT_TOOLS && i < fact.row.tool_count; i++) {
		const struct job_row_tool *tool = &fact.row.tools[i];
		const int64_t numbers[] = { tool->runs, tool->failures, tool->cpu_ms, tool->wall_ms };

		add_word(summing, hash, &fact, NAME_TOOL, fact.tools[i]);
		add_text(hash, numbers, sizeof(numbers));
	}
	for (size_t i = 0; result == 0 && column == JOB_AT_NODES && i < fact.row.node_count; i++) {
		const struct job_row_node *node = &fact.row.nodes[i];
		const int64_t numbers[] = { node->cpu_given_core_ms, node->cpu_used_core_ms, node->mem_given_mib_s,
					    node->mem_used_mib_s };

		add_word(summing, hash, &fact, NAME_NODE, fact.nodes[i]);
		add_text(hash, numbers, sizeof(numbers));
	}
	fact_free(&fact);
	return result;
}

static int add_value(struct summing *summing, struct sha256_ctx *hash, const struct database_value *row, size_t i,
		     struct error *err)
{
	const struct database_column *column = &summing->table->columns[i];
	int kind = site_name_kind(column);
	int64_t none = INT64_MIN;

	if (row[i].kind == VALUE_NULL) {
		add_text(hash, &none, sizeof(none));
	} else if (summing->table == &table_job && (i == JOB_AT_TOOLS || i == JOB_AT_NODES)) {
		return add_parts(summing, hash, row, i, err);
	} else if (kind >= 0) {
		const char *text = words_get(&summing->words, row[0].number, kind, row[i].number);

		add_text(hash, text ? text : "", text ? strlen(text) : 0);
	} else if (row[i].kind == VALUE_INT) {
		add_text(hash, &row[i].number, sizeof(row[i].number));
	} else {
		add_text(hash, row[i].data, row[i].size);
	}
	return 0;
}

static int add_row(void *context, const struct database_value *row, struct error *err)
{
	struct summing *summing = context;
	struct sha256_ctx hash;

	if (summing->table == &table_line)
		return add_lines(summing, row, err);
	sha256_init(&hash);
	for (size_t i = 0; i < summing->table->column_count; i++)
		/* "archived" is not part of the batch */
		if (strcmp(summing->table->columns[i].name, "archived") != 0 && add_value(summing, &hash, row, i, err) < 0)
			return -1;
	add_sum(&summing->sum, &hash);
	return 0;
}

static int add_table(struct summing *summing, struct error *err)
{
	const int *months = database_months(summing->db, summing->table);

	if (!summing->table->monthly)
		return database_scan(summing->db, summing->table, 0, add_row, summing, err);
	for (; *months; months++)
		if (database_scan(summing->db, summing->table, *months, add_row, summing, err) < 0)
			return -1;
	return 0;
}

static void print_sum(FILE *out, const char *name, const struct sum *sum)
{
	fprintf(out, "%s %lld %016llx%016llx\n", name, (long long)sum->rows, (unsigned long long)sum->parts[0],
		(unsigned long long)sum->parts[1]);
}

static int print_all(struct summing *summing, FILE *out, struct error *err)
{
	for (const struct database_table *const *table = site_tables; *table; table++) {
		/*
		 * Leave out these tables, because they can differ between databases with the same batches. Words may
		 * have other numbers. What Slurm says does not come from batches. The table "place" may have an old row
		 * of a job whose submit time was unknown at first.
		 */
		if (*table == &table_cluster || *table == &table_name || *table == &table_access ||
		    *table == &table_missing || *table == &table_place)
			continue;
		summing->table = *table;
		summing->sum = (struct sum){ 0 };
		if (add_table(summing, err) < 0)
			return -1;
		print_sum(out, (*table)->name, &summing->sum);
	}
	print_sum(out, "job_line", &summing->lines);
	return 0;
}

int checksum_print(struct database *db, FILE *out, struct error *err)
{
	struct summing summing = { .db = db, .packer = line_packer_new() };
	int result = summing.packer ? 0 : error_set(err, "out of memory");

	if (result == 0 && (words_read(&summing.words, db, WORDS_ALL, err) < 0 || print_all(&summing, out, err) < 0))
		result = -1;
	words_free(&summing.words);
	line_packer_free(summing.packer);
	return result;
}
