/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/names.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

#define NAME_BYTES_MAX 255 /* longer names are cut */
#define ACCESS_COLUMNS 5
#define KEY_HEAD (2 * sizeof(int64_t))

struct key {
	char bytes[KEY_HEAD + NAME_BYTES_MAX + 1];
	size_t size;
};

static void make_key(struct key *key, int64_t cluster, int64_t kind, const char *text)
{
	size_t length = strnlen(text, NAME_BYTES_MAX);

	/* do not cut inside a UTF-8 character */
	while (text[length] && length && ((unsigned char)text[length] & 0xc0) == 0x80)
		length--;
	memcpy(key->bytes, &cluster, sizeof(cluster));
	memcpy(key->bytes + sizeof(cluster), &kind, sizeof(kind));
	memcpy(key->bytes + KEY_HEAD, text, length);
	key->size = KEY_HEAD + length;
}

static struct database_value part_of(const struct map_entry *entry, size_t part)
{
	int64_t number;

	if (part == 2)
		return (struct database_value){ .kind = VALUE_TEXT,
						.data = (char *)entry->key + KEY_HEAD,
						.size = entry->size - KEY_HEAD };
	memcpy(&number, (char *)entry->key + part * sizeof(number), sizeof(number));
	return database_int(number);
}

int names_want(struct names *names, int64_t cluster, enum name_kind kind, const char *text, struct error *err)
{
	struct key key;

	if (!text || !*text)
		return 0;
	make_key(&key, cluster, kind, text);
	return map_get(&names->words, key.bytes, key.size) ? 0 : error_set(err, "out of memory");
}

int64_t names_id(struct names *names, int64_t cluster, enum name_kind kind, const char *text)
{
	struct map_entry *entry;
	struct key key;

	if (!text || !*text)
		return 0;
	make_key(&key, cluster, kind, text);
	entry = map_get(&names->words, key.bytes, key.size);
	return entry ? entry->number : 0;
}

/* ---- the highest numbers ---- */

static int64_t *highest(struct names *names, int64_t cluster, int64_t kind)
{
	const int64_t key[] = { cluster, kind };
	struct map_entry *entry = map_get(&names->next, key, sizeof(key));

	return entry ? &entry->number : NULL;
}

static int read_highest(void *context, const struct database_value *row, struct error *err)
{
	int64_t *most = highest(context, row[0].number, row[1].number);

	if (!most)
		return error_set(err, "out of memory");
	if (row[3].number > *most)
		*most = row[3].number;
	return 0;
}

/* ---- resolving ---- */

static int read_id(void *context, const struct database_value *row, struct error *err)
{
	struct names *names = context;
	struct map_entry *entry;
	struct key key;
	char text[NAME_BYTES_MAX + 1];

	if (row[2].size > NAME_BYTES_MAX)
		return 0;
	memcpy(text, row[2].data, row[2].size);
	text[row[2].size] = '\0';
	make_key(&key, row[0].number, row[1].number, text);
	entry = map_get(&names->words, key.bytes, key.size);
	if (!entry)
		return error_set(err, "out of memory");
	entry->number = row[3].number;
	return 0;
}

/* Fills @rows with the words that have no number. Returns how many there are. @width: values in a row */
static size_t unknown(struct names *names, struct database_value *rows, size_t width)
{
	size_t count = 0;

	for (size_t i = 0; i < names->words.count; i++)
		if (!names->words.list[i].number) {
			for (size_t part = 0; part < 3; part++)
				rows[count * width + part] = part_of(&names->words.list[i], part);
			count++;
		}
	return count;
}

static int make_ids(struct names *names, struct database_value *rows, size_t count, struct error *err)
{
	for (size_t i = 0, made = 0; made < count; i++) {
		struct map_entry *entry = &names->words.list[i];
		int64_t *most = highest(names, rows[4 * made].number, rows[4 * made + 1].number);

		if (entry->number)
			continue;
		if (!most)
			return error_set(err, "out of memory");
		entry->number = ++*most;
		rows[4 * made++ + 3] = database_int(entry->number);
	}
	return 0;
}

/* Lets new users see their own jobs. */
static int let_users_see(struct database *db, const struct database_value *names, size_t count, struct error *err)
{
	cleanup_free struct database_value *rows = calloc(count + 1, ACCESS_COLUMNS * sizeof(*rows));
	size_t users = 0;

	if (!rows)
		return error_set(err, "out of memory");
	for (size_t i = 0; i < count; i++) {
		struct database_value *row = rows + ACCESS_COLUMNS * users;

		if (names[4 * i + 1].number != NAME_USER)
			continue;
		row[0] = names[4 * i];
		row[1] = names[4 * i + 2];
		row[2] = database_int(ACCESS_SCOPE_USER);
		row[3] = names[4 * i + 3];
		row[4] = database_int(0);
		users++;
	}
	return database_insert(db, &table_access, 0, rows, users, err);
}

int names_resolve(struct names *names, struct database *db, struct error *err)
{
	size_t new = 0, count;
	cleanup_free struct database_value *rows = NULL;

	for (size_t i = 0; i < names->words.count; i++)
		new += !names->words.list[i].number;
	if (!new)
		return 0;
	if (!names->next.count && database_scan(db, &table_name, 0, read_highest, names, err) < 0)
		return -1;
	rows = calloc(new, 4 * sizeof(*rows));
	if (!rows)
		return error_set(err, "out of memory");
	count = unknown(names, rows, 3);
	if (database_find(db, &table_name, 0, 3, rows, count, read_id, names, err) < 0)
		return -1;
	count = unknown(names, rows, 4);
	if (make_ids(names, rows, count, err) < 0)
		return -1;
	return database_insert(db, &table_name, 0, rows, count, err) < 0 ? -1 : let_users_see(db, rows, count, err);
}

/* ---- clusters ---- */

static int read_cluster(void *context, const struct database_value *row, struct error *err)
{
	struct map_entry *entry = map_get(context, row[0].data, row[0].size);

	if (!entry)
		return error_set(err, "out of memory");
	entry->number = row[1].number;
	return 0;
}

int64_t names_cluster(struct names *names, struct database *db, const char *text, bool *another, struct error *err)
{
	struct database_value row[] = { { .kind = VALUE_TEXT, .data = text, .size = strlen(text) }, { 0 } };
	struct map_entry *entry;
	int64_t most = 0;

	*another = false;
	if (!names->clusters.count && database_scan(db, &table_cluster, 0, read_cluster, &names->clusters, err) < 0)
		return -1;
	entry = map_get(&names->clusters, text, strlen(text));
	if (!entry)
		return error_set(err, "out of memory");
	if (entry->number)
		return entry->number;
	for (size_t i = 0; i < names->clusters.count; i++)
		if (names->clusters.list[i].number > most)
			most = names->clusters.list[i].number;
	if (!database_fits(table_place.columns[PLACE_AT_CLUSTER].type, most + 1))
		return error_set(err, "the database cannot hold more clusters");
	*another = most > 0;
	row[1] = database_int(most + 1);
	if (database_insert(db, &table_cluster, 0, row, 1, err) < 0)
		return -1;
	return entry->number = most + 1;
}

void names_forget(struct names *names)
{
	map_free(&names->words);
	map_free(&names->next);
	map_free(&names->clusters);
}
