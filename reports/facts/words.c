/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/words.h"

#include <stdlib.h>
#include <string.h>

#define KIND_COLUMN 1

static int know(struct words *words, int64_t cluster, int64_t kind, int64_t id, const struct database_value *text,
		struct error *err)
{
	const int64_t key[] = { cluster, kind, id };
	struct map_entry *entry = map_get(&words->list, key, sizeof(key));

	if (entry && entry->data)
		return error_set(err, "the database gives two words the same number");
	if (!entry || !(entry->data = strndup(text->data, text->size)))
		return error_set(err, "out of memory");
	return 0;
}

static int read_cluster(void *context, const struct database_value *row, struct error *err)
{
	return know(context, 0, NAME_KINDS, row[1].number, &row[0], err);
}

static int read_name(void *context, const struct database_value *row, struct error *err)
{
	return know(context, row[0].number, row[1].number, row[3].number, &row[2], err);
}

int words_read(struct words *words, struct database *db, unsigned int kinds, struct error *err)
{
	if (database_scan(db, &table_cluster, 0, read_cluster, words, err) < 0)
		return -1;
	if (kinds == WORDS_ALL)
		return database_scan(db, &table_name, 0, read_name, words, err);
	for (int kind = 0; kind < NAME_KINDS; kind++)
		if ((kinds >> kind & 1) &&
		    database_range(db, &table_name, 0, KIND_COLUMN, kind, kind + 1, read_name, words, err) < 0)
			return -1;
	return 0;
}

const char *words_get(struct words *words, int64_t cluster, int kind, int64_t id)
{
	const int64_t key[] = { kind == NAME_KINDS ? 0 : cluster, kind, id };
	struct map_entry *entry = id ? map_get(&words->list, key, sizeof(key)) : NULL;

	return entry ? entry->data : NULL;
}

void words_free(struct words *words)
{
	for (size_t i = 0; i < words->list.count; i++)
		free(words->list.list[i].data);
	map_free(&words->list);
}
