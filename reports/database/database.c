/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/database/database.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "reports/database/engine_internal.h"
#include "reports/database/sql_views.h"
#include "reports/database/sqlite_file.h"

#define POSTGRES "postgresql://"
#define POSTGRES_SHORT "postgres://"
#define VERSION_SETTING "schema"
#define VIEWS_SETTING "views" /* hash of the statements that created the views */

static const struct database_column setting_columns[] = { { "name", DATABASE_TEXT }, { "value", DATABASE_TEXT } };
static const struct database_table settings = { "setting", setting_columns, 2,	 1,
						false,	   false,	    NULL, ACCESS_EVERYBODY, NULL };
/* The months of each table. */
static const struct database_column month_columns[] = { { "name", DATABASE_TEXT }, { "month", DATABASE_INT } };
static const struct database_table months = { "month", month_columns, 2, 2, false, false, NULL, ACCESS_EVERYBODY, NULL };

struct database {
	const struct engine_kind *kind;
	struct engine *engine;
	char *where;
	const struct database_table *const *tables;
	struct month_list {
		int *list; /* sorted, ended by 0 */
		size_t count;
	} *months; /* one for each table */
};

static int run(struct database *db, enum sql_what what, const struct database_table *table, int month, size_t columns,
	       const struct database_value *values, size_t count, database_each *each, void *context, struct error *err)
{
	const struct engine_call call = { what, table, month, columns };

	return count ? db->kind->run(db->engine, &call, values, count, each, context, err) : 0;
}

/* ---- months ---- */

static size_t place_of(const struct database *db, const char *name, size_t length)
{
	size_t i = 0;

	while (db->tables[i] && (strlen(db->tables[i]->name) != length || memcmp(db->tables[i]->name, name, length) != 0))
		i++;
	return i;
}

static int know_month(struct month_list *of, int month, struct error *err)
{
	int *more = reallocarray(of->list, of->count + 2, sizeof(*more));
	size_t at = of->count;

	if (!more)
		return error_set(err, "out of memory");
	of->list = more;
	for (; at && more[at - 1] > month; at--)
		more[at] = more[at - 1];
	more[at] = month;
	more[++of->count] = 0;
	return 0;
}

static bool has_month(const struct month_list *of, int month)
{
	for (size_t i = of->count; i-- > 0;)
		if (of->list[i] == month)
			return true;
	return false;
}

static int read_month(void *context, const struct database_value *row, struct error *err)
{
	struct database *db = context;
	size_t place = place_of(db, row[0].data, row[0].size);

	return db->tables[place] ? know_month(&db->months[place], (int)row[1].number, err) : 0;
}

static void forget_months(struct database *db)
{
	for (size_t i = 0; db->months && db->tables[i]; i++) {
		free(db->months[i].list);
		db->months[i] = (struct month_list){ 0 };
	}
}

static int read_months(struct database *db, struct error *err)
{
	const struct database_value none[1] = { { .kind = VALUE_NULL } };

	forget_months(db);
	return run(db, SQL_RANGE, &months, 0, 0, none, 1, read_month, db, err);
}

const int *database_months(struct database *db, const struct database_table *table)
{
	static const int none[] = { 0 };
	const struct month_list *of = &db->months[place_of(db, table->name, strlen(table->name))];

	return of->count ? of->list : none;
}

static int execute(struct database *db, enum sql_what what, const struct database_table *table, int month, size_t which,
		   struct error *err)
{
	cleanup_free char *sql = sql_make(db->kind->sql, what, table, month, which);

	return sql ? db->kind->execute(db->engine, sql, err) : error_set(err, "out of memory");
}

static int make_table(struct database *db, const struct database_table *table, int month, struct error *err)
{
	if (execute(db, SQL_CREATE, table, month, 0, err) < 0)
		return -1;
	for (size_t i = 0; table->indexes && table->indexes[i].name; i++)
		if (execute(db, SQL_INDEX, table, month, i, err) < 0)
			return -1;
	return 0;
}

/* ---- views ---- */

/*
 * Returns the statements for all views, which the caller must free; NULL if out of memory.
 *
 * @let_read: returns only the statements that let readers read the views
 */
static char *views_text(struct database *db, bool let_read)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int result = 0;

	if (!out)
		return NULL;
	for (size_t i = 0; db->tables[i]; i++)
		if (db->tables[i]->view)
			result |= let_read ? sql_views_put_let_read(out, db->tables[i])
					   : sql_views_put(out, db->kind->sql, db->tables[i], database_months(db, db->tables[i]));
	if (ferror(out) | fclose(out) | result) {
		free(text);
		return NULL;
	}
	return text;
}

#define SUM_TEXT 17

/* Writes the FNV-1a hash of @text (http://www.isthe.com/chongo/tech/comp/fnv/) to @sum. */
static void sum_of(const char *text, char sum[SUM_TEXT])
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	snprintf(sum, SUM_TEXT, "%016" PRIx64, hash);
}

/* Call it in the transaction that creates or drops a month. */
static int make_views(struct database *db, struct error *err)
{
	cleanup_free char *text = views_text(db, false);
	char sum[SUM_TEXT];

	if (!text)
		return error_set(err, "out of memory");
	sum_of(text, sum);
	return db->kind->execute(db->engine, text, err) < 0 ? -1 : database_set(db, VIEWS_SETTING, sum, err);
}

static int make_views_at_once(struct database *db, struct error *err)
{
	if (database_begin(db, err) < 0)
		return -1;
	if (make_views(db, err) == 0)
		return database_commit(db, err);
	database_rollback(db);
	return -1;
}

/* Creates the views again if another version of stint created them, or if the database has no views. */
static int renew_views(struct database *db, struct error *err)
{
	cleanup_free char *text = views_text(db, false), *had = NULL;
	char sum[SUM_TEXT];

	if (!text)
		return error_set(err, "out of memory");
	err->text[0] = '\0';
	had = database_setting(db, VIEWS_SETTING, err);
	if (!had && err->text[0])
		return -1;
	sum_of(text, sum);
	return had && strcmp(had, sum) == 0 ? 0 : make_views_at_once(db, err);
}

static int let_read_views(struct database *db, struct error *err)
{
	cleanup_free char *text = views_text(db, true);

	return text ? db->kind->execute(db->engine, text, err) : error_set(err, "out of memory");
}

/* ---- who sees what ---- */

static bool has_persons(const struct database *db)
{
	return db->kind->sql == SQL_POSTGRES;
}

static int guard_table(struct database *db, const struct database_table *table, int month, struct error *err)
{
	if (!has_persons(db))
		return 0;
	return execute(db, SQL_ACCESS, table, month, 0, err) < 0 ? -1 : execute(db, SQL_LET_READ, table, month, 0, err);
}

/* Call it when all tables exist: the condition of one table may query another table. */
static int guard_all(struct database *db, struct error *err)
{
	if (guard_table(db, &settings, 0, err) < 0 || guard_table(db, &months, 0, err) < 0)
		return -1;
	for (size_t i = 0; db->tables[i]; i++)
		if (!db->tables[i]->monthly && guard_table(db, db->tables[i], 0, err) < 0)
			return -1;
	return 0;
}

static int let_read_table(struct database *db, const struct database_table *table, struct error *err)
{
	const int *month = database_months(db, table);

	if (!table->monthly)
		return execute(db, SQL_LET_READ, table, 0, 0, err);
	for (; *month; month++)
		if (execute(db, SQL_LET_READ, table, *month, 0, err) < 0)
			return -1;
	return 0;
}

int database_let_read(struct database *db, struct error *err)
{
	if (!has_persons(db))
		return 0;
	if (let_read_table(db, &settings, err) < 0 || let_read_table(db, &months, err) < 0)
		return -1;
	for (size_t i = 0; db->tables[i]; i++)
		if (let_read_table(db, db->tables[i], err) < 0)
			return -1;
	return let_read_views(db, err);
}

int database_readers(struct database *db, struct database_readers *readers, struct error *err)
{
	*readers = (struct database_readers){ .persons = has_persons(db) };
	return db->kind->readers ? db->kind->readers(db->engine, readers, err) : 0;
}

/* ---- months that come and go ---- */

static int want_month(struct database *db, const struct database_table *table, int month, struct error *err)
{
	struct month_list *of = &db->months[place_of(db, table->name, strlen(table->name))];
	const struct database_value row[] = { database_text(table->name), database_int(month) };

	if (!table->monthly || has_month(of, month))
		return 0;
	if (make_table(db, table, month, err) < 0 || guard_table(db, table, month, err) < 0 ||
	    run(db, SQL_INSERT, &months, 0, 0, row, 1, NULL, NULL, err) < 0)
		return -1;
	if (know_month(of, month, err) < 0)
		return -1;
	return table->view ? make_views(db, err) : 0;
}

static bool is_there(struct database *db, const struct database_table *table, int month)
{
	return !table->monthly || has_month(&db->months[place_of(db, table->name, strlen(table->name))], month);
}

/* First makes the views again without the month, because PostgreSQL would drop a view together with its table. */
int database_drop_month(struct database *db, const struct database_table *table, int month, struct error *err)
{
	const struct database_value key[] = { database_text(table->name), database_int(month) };

	if (run(db, SQL_ERASE, &months, 0, 2, key, 1, NULL, NULL, err) < 0 || read_months(db, err) < 0 ||
	    (table->view && make_views(db, err) < 0))
		return -1;
	return execute(db, SQL_DROP, table, month, 0, err);
}

int database_empty(struct database *db, struct error *err)
{
	for (size_t i = 0; db->tables[i]; i++) {
		if (!db->tables[i]->monthly && execute(db, SQL_CLEAR, db->tables[i], 0, 0, err) < 0)
			return -1;
		while (db->months[i].count)
			if (database_drop_month(db, db->tables[i], db->months[i].list[0], err) < 0)
				return -1;
	}
	return 0;
}

/* ---- opening ---- */

static int make_all(struct database *db, struct error *err)
{
	char version[16];

	if (make_table(db, &settings, 0, err) < 0 || make_table(db, &months, 0, err) < 0)
		return -1;
	for (size_t i = 0; db->tables[i]; i++)
		if (!db->tables[i]->monthly && make_table(db, db->tables[i], 0, err) < 0)
			return -1;
	if (guard_all(db, err) < 0 || make_views(db, err) < 0)
		return -1;
	snprintf(version, sizeof(version), "%d", DATABASE_SCHEMA);
	return database_set(db, VERSION_SETTING, version, err);
}

static int check_version(struct database *db, struct error *err)
{
	cleanup_free char *version = NULL;

	err->text[0] = '\0';
	version = database_setting(db, VERSION_SETTING, err);
	if (!version)
		return err->text[0] ? -1 : error_set(err, DATABASE_NOT_THE_STORES);
	if (strtol(version, NULL, 10) > DATABASE_SCHEMA)
		return error_set(err, "the database has version %.20s, but this stint knows %d: it needs a newer stint-site",
				 version, DATABASE_SCHEMA);
	if (strtol(version, NULL, 10) < DATABASE_SCHEMA)
		return error_set(err, "the database has version %.20s, but this stint needs %d: make a new database with 'stint ingest --rebuild'",
				 version, DATABASE_SCHEMA);
	return 0;
}

/* If the database does not have the store's tables, it must be empty: other tables belong to other programs. */
static int check_unused(struct database *db, struct error *err)
{
	int used = db->kind->used ? db->kind->used(db->engine, err) : 0;

	return used > 0 ? error_set(err, DATABASE_NOT_THE_STORES) : used;
}

/* Creates all tables, unless another process has just done so. */
static int make_missing(struct database *db, struct error *err)
{
	int there = db->kind->exists(db->engine, settings.name, err);

	if (there)
		return there < 0 ? -1 : 0;
	return check_unused(db, err) < 0 ? -1 : make_all(db, err);
}

static int prepare(struct database *db, bool read_only, struct error *err)
{
	int there = db->kind->exists(db->engine, settings.name, err);

	if (there < 0)
		return -1;
	if (there)
		return check_version(db, err) < 0 ? -1 : read_months(db, err);
	if (read_only)
		return check_unused(db, err) < 0
			       ? -1
			       : error_set(err, "the database is still empty: 'stint ingest' fills it");
	if (database_begin(db, err) < 0)
		return -1;
	if (make_missing(db, err) < 0) {
		database_rollback(db);
		return -1;
	}
	return database_commit(db, err) < 0 ? -1 : check_version(db, err) < 0 ? -1 : read_months(db, err);
}

static const struct engine_kind *kind_of(const char *where)
{
	return strncmp(where, POSTGRES, strlen(POSTGRES)) == 0 || strncmp(where, POSTGRES_SHORT, strlen(POSTGRES_SHORT)) == 0
		       ? &engine_postgres : &engine_sqlite;
}

struct database *database_open(const char *where, const struct database_table *const *tables, bool read_only,
			       struct error *err)
{
	struct database *db = calloc(1, sizeof(*db));
	size_t count = 0;

	while (tables[count])
		count++;
	if (db) {
		db->tables = tables;
		db->kind = kind_of(where);
		db->where = strdup(where);
		db->months = calloc(count + 1, sizeof(*db->months));
	}
	if (!db || !db->where || !db->months)
		error_set(err, "out of memory");
	else
		db->engine = db->kind->open(where, read_only, err);
	if (db && db->engine && prepare(db, read_only, err) == 0)
		return db;
	database_close(db);
	return NULL;
}

struct database *database_again(const struct database *db, struct error *err)
{
	return database_open(db->where, db->tables, true, err);
}

void database_close(struct database *db)
{
	if (!db)
		return;
	forget_months(db);
	if (db->engine)
		db->kind->close(db->engine);
	free(db->months);
	free(db->where);
	free(db);
}

const char *database_engine(const struct database *db)
{
	return db->kind->name;
}

int database_lock(struct database *db, struct error *err)
{
	int got = db->kind->lock(db->engine, err);

	/* another process, which held the lock before, may have created and dropped months */
	return got == 1 && (read_months(db, err) < 0 || renew_views(db, err) < 0) ? -1 : got;
}

/* ---- a new file ---- */

bool database_damaged(const struct database *db)
{
	return db->kind->damaged && db->kind->damaged(db->engine);
}

/* Opens the database with a lock that the caller holds. Owns @lock_fd, even if it fails. */
static struct database *open_locked(const char *where, const struct database_table *const *tables, int lock_fd,
				    struct error *err)
{
	struct database *db = database_open(where, tables, false, err);

	if (db)
		db->kind->take_lock(db->engine, lock_fd);
	else
		close(lock_fd);
	return db;
}

/* @value: value of the setting renewal->keep; empty if not known */
static int begin_anew(struct database *db, const struct database_renewal *renewal, const char *value, struct error *err)
{
	if (database_begin(db, err) < 0)
		return -1;
	if (database_set(db, renewal->mark, "1", err) == 0 &&
	    (!*value || database_set(db, renewal->keep, value, err) == 0) && database_commit(db, err) == 0)
		return 0;
	database_rollback(db);
	return -1;
}

static int move_away(const char *where, int lock_fd, struct database_renewal *renewal, struct error *err)
{
	return sqlite_file_mark(lock_fd, true, err) < 0 ? -1 : sqlite_file_move(where, renewal->moved, err);
}

/* Returns 1 if the file must be moved away, 0 if it can be used; -1 with @err set. */
static int is_useless(const char *where, struct database_renewal *renewal, char *value, struct error *err)
{
	switch (sqlite_file_judge(where, renewal->keep, value, &renewal->why)) {
	case SQLITE_FILE_DAMAGED:
	case SQLITE_FILE_OLDER:
		return 1;
	case SQLITE_FILE_FOREIGN:
		*err = renewal->why;
		return -1;
	default:
		return renewal->damaged;
	}
}

static struct database *renew_file(const char *where, const struct database_table *const *tables,
				   struct database_renewal *renewal, struct error *err)
{
	char value[SQLITE_FILE_SETTING];
	struct database *db;
	int lock_fd, got = sqlite_file_lock(where, &lock_fd, err), useless;

	renewal->busy = got == 0;
	if (got != 1)
		return NULL;
	useless = is_useless(where, renewal, value, err);
	if (useless < 0 || (useless && move_away(where, lock_fd, renewal, err) < 0)) {
		close(lock_fd);
		return NULL;
	}
	db = open_locked(where, tables, lock_fd, err);
	if (db && (!sqlite_file_is_marked(lock_fd) ||
		   (begin_anew(db, renewal, value, err) == 0 && sqlite_file_mark(lock_fd, false, err) == 0)))
		return db;
	database_close(db);
	return NULL;
}

struct database *database_renew(const char *where, const struct database_table *const *tables,
				struct database_renewal *renewal, struct error *err)
{
	struct database *db;
	int got;

	renewal->busy = false;
	renewal->moved[0] = '\0';
	if (kind_of(where) == &engine_sqlite)
		return renew_file(where, tables, renewal, err);
	db = database_open(where, tables, false, err);
	got = db ? database_lock(db, err) : -1;
	renewal->busy = got == 0;
	if (got == 1)
		return db;
	database_close(db);
	return NULL;
}

/* ---- transactions ---- */

int database_begin(struct database *db, struct error *err)
{
	return db->kind->execute(db->engine, db->kind->sql == SQL_SQLITE ? "BEGIN IMMEDIATE" : "BEGIN", err);
}

int database_commit(struct database *db, struct error *err)
{
	return db->kind->execute(db->engine, "COMMIT", err);
}

void database_rollback(struct database *db)
{
	struct error err;

	db->kind->execute(db->engine, "ROLLBACK", &err);
	read_months(db, &err);
}

/* ---- rows ---- */

int database_insert(struct database *db, const struct database_table *table, int month,
		    const struct database_value *rows, size_t count, struct error *err)
{
	if (count && want_month(db, table, month, err) < 0)
		return -1;
	return run(db, SQL_INSERT, table, month, 0, rows, count, NULL, NULL, err);
}

int database_find(struct database *db, const struct database_table *table, int month, size_t columns,
		  const struct database_value *keys, size_t count, database_each *each, void *context,
		  struct error *err)
{
	return is_there(db, table, month) ? run(db, SQL_FIND, table, month, columns, keys, count, each, context, err) : 0;
}

int database_erase(struct database *db, const struct database_table *table, int month, size_t columns,
		   const struct database_value *keys, size_t count, struct error *err)
{
	return is_there(db, table, month) ? run(db, SQL_ERASE, table, month, columns, keys, count, NULL, NULL, err) : 0;
}

int database_range(struct database *db, const struct database_table *table, int month, size_t column, int64_t from,
		   int64_t until, database_each *each, void *context, struct error *err)
{
	const struct database_value bounds[] = { database_int(from), database_int(until) };

	return is_there(db, table, month) ? run(db, SQL_RANGE, table, month, column + 1, bounds, 1, each, context, err) : 0;
}

int database_span(struct database *db, const struct database_table *table, int month, int64_t cluster, int64_t from,
		  int64_t until, database_each *each, void *context, struct error *err)
{
	const struct database_value values[] = { database_int(cluster), database_int(from), database_int(until) };

	return is_there(db, table, month) ? run(db, SQL_SPAN, table, month, 0, values, 1, each, context, err) : 0;
}

int database_read(struct database *db, const struct database_reading *reading, database_each *each, void *context,
		  struct error *err)
{
	if (!is_there(db, reading->table, reading->month))
		return 0;
	return db->kind->read(db->engine, reading, each, context, err);
}

bool database_can_group(const struct database *db)
{
	return db->kind->can_group && db->kind->can_group(db->engine);
}

int database_blocks(struct database *db, const struct database_table *table, int month, int64_t *blocks, struct error *err)
{
	*blocks = 0;
	if (!db->kind->blocks || !is_there(db, table, month))
		return 0;
	return db->kind->blocks(db->engine, table, month, blocks, err);
}

int database_hold(struct database *db, struct error *err)
{
	return db->kind->hold ? db->kind->hold(db->engine, NULL, err) : 0;
}

int database_join(struct database *db, struct database *with, struct error *err)
{
	return db->kind->hold ? db->kind->hold(db->engine, with->engine, err) : 0;
}

void database_release(struct database *db)
{
	struct error ignored;

	if (db->kind->hold)
		db->kind->execute(db->engine, "ROLLBACK", &ignored);
}

int database_scan(struct database *db, const struct database_table *table, int month, database_each *each,
		  void *context, struct error *err)
{
	const struct database_value none[1] = { { .kind = VALUE_NULL } };

	return is_there(db, table, month) ? run(db, SQL_RANGE, table, month, 0, none, 1, each, context, err) : 0;
}

int database_hidden(struct database *db, const struct database_table *table, database_each *each, void *context,
		    struct error *err)
{
	const struct database_value none[1] = { { .kind = VALUE_NULL } };

	return has_persons(db) ? run(db, SQL_HIDDEN, table, 0, 0, none, 1, each, context, err) : 0;
}

/* ---- settings ---- */

static int take_text(void *context, const struct database_value *row, struct error *err)
{
	char **text = context;

	*text = strndup(row[1].data ? row[1].data : "", row[1].size);
	return *text ? 0 : error_set(err, "out of memory");
}

char *database_setting(struct database *db, const char *name, struct error *err)
{
	const struct database_value key = database_text(name);
	char *text = NULL;

	err->text[0] = '\0';
	return run(db, SQL_FIND, &settings, 0, 1, &key, 1, take_text, &text, err) < 0 ? NULL : text;
}

int database_set(struct database *db, const char *name, const char *value, struct error *err)
{
	const struct database_value row[] = { database_text(name), database_text(value) };

	if (run(db, SQL_ERASE, &settings, 0, 1, row, 1, NULL, NULL, err) < 0)
		return -1;
	return run(db, SQL_INSERT, &settings, 0, 0, row, 1, NULL, NULL, err);
}
