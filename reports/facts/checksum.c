/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/checksum.h"

#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "reports/facts/line_pack.h"
#include "reports/facts/site_tables.h"
#include "reports/facts/words.h"

struct summing {
	struct database *db;
	struct line_packer *packer;
	struct words words;
	const struct database_table *table;
	uint64_t sum[2];
	int64_t rows;
};

/* ---- rows ---- */

static void add_text(struct sha256_ctx *hash, const void *text, size_t size)
{
	uint64_t length = size;

	sha256_update(hash, sizeof(length), (const uint8_t *)&length);
	sha256_update(hash, size, text);
}

static int add_value(struct summing *summing, struct sha256_ctx *hash, const struct database_value *row, size_t i,
		     struct error *err)
{
	const struct database_column *column = &summing->table->columns[i];
	int kind = site_name_kind(column);
	int64_t none = INT64_MIN;

	if (row[i].kind == VALUE_NULL) {
		add_text(hash, &none, sizeof(none));
	} else if (summing->table == &table_job_node && column->type == DATABASE_BYTES) {
		size_t length;
		char *text = line_unpack(summing->packer, row[i].data, row[i].size, &length, err);

		if (!text)
			return -1;
		add_text(hash, text, length);
		free(text);
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
	uint8_t digest[SHA256_DIGEST_SIZE];
	struct sha256_ctx hash;
	uint64_t parts[2];

	sha256_init(&hash);
	for (size_t i = 0; i < summing->table->column_count; i++)
		/* Whether a batch has reached the archive is not what the batch says. */
		if (strcmp(summing->table->columns[i].name, "archived") != 0 && add_value(summing, &hash, row, i, err) < 0)
			return -1;
	sha256_digest(&hash, sizeof(digest), digest);
	memcpy(parts, digest, sizeof(parts));
	summing->sum[0] += parts[0];
	summing->sum[1] += parts[1];
	summing->rows++;
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

static int print_all(struct summing *summing, FILE *out, struct error *err)
{
	for (const struct database_table *const *table = site_tables; *table; table++) {
		/* Words have other numbers in another database, and what Slurm says is not of the batches. */
		if (*table == &table_cluster || *table == &table_name || *table == &table_access ||
		    *table == &table_missing)
			continue;
		summing->table = *table;
		summing->sum[0] = summing->sum[1] = 0;
		summing->rows = 0;
		if (add_table(summing, err) < 0)
			return -1;
		fprintf(out, "%s %lld %016llx%016llx\n", (*table)->name, (long long)summing->rows,
			(unsigned long long)summing->sum[0], (unsigned long long)summing->sum[1]);
	}
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
