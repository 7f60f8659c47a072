/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine for SQLite: a single file, which only one host reads and writes. */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "reports/database/engine_internal.h"
#include "reports/database/sql_read.h"
#include "reports/database/sqlite_file.h"

#define STATEMENTS_MAX 256 /* if more are prepared, all are freed */
#define NESTED_MAX 16 /* kept free for statements of callbacks, because a callback must not free the statement that calls it */
#define BUSY_MS 60000
#define BUSY_STEP_MS 10

struct engine {
	sqlite3 *db;
	char *path;
	int lock_fd;
	bool damaged; /* a statement found damage in the file */
	struct prepared {
		struct engine_call call;
		sqlite3_stmt *statement;
	} list[STATEMENTS_MAX];
	size_t count;
	int depth; /* how many statements run */
};

static int fail(struct engine *engine, struct error *err)
{
	const char *message = sqlite3_errmsg(engine->db);

	if (!sqlite_file_is_damage(sqlite3_extended_errcode(engine->db)))
		return error_set(err, "%.300s: %s", engine->path, message);
	engine->damaged = true;
	return error_set(err, "%.300s: %.80s: 'stint ingest --rebuild' moves the file away, and makes the database again from the "
			      "archive",
			 engine->path, message);
}

/* stint makes all statements. So if a statement names a table that does not exist, the file has lost this table. */
static int fail_to_prepare(struct engine *engine, struct error *err)
{
	if (sqlite3_errcode(engine->db) == SQLITE_ERROR)
		engine->damaged = true;
	return fail(engine, err);
}

static void forget_statements(struct engine *engine)
{
	for (size_t i = 0; i < engine->count; i++)
		sqlite3_finalize(engine->list[i].statement);
	engine->count = 0;
}

/*
 * Moves the write-ahead log into the file and empties the log, which would otherwise keep the size of the largest
 * transaction. If another process reads the log, the log stays until the next call.
 */
static void empty_log(struct engine *engine)
{
	sqlite3_busy_timeout(engine->db, 0);
	sqlite3_wal_checkpoint_v2(engine->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
}

static void close_sqlite(struct engine *engine)
{
	forget_statements(engine);
	if (engine->lock_fd >= 0)
		empty_log(engine);
	sqlite3_close(engine->db);
	if (engine->lock_fd >= 0)
		close(engine->lock_fd);
	free(engine->path);
	free(engine);
}

static int execute(struct engine *engine, const char *sql, struct error *err)
{
	forget_statements(engine); /* @sql may change tables of prepared statements */
	return sqlite3_exec(engine->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(engine, err);
}

static int set(struct engine *engine, const char *pragmas)
{
	return sqlite3_exec(engine->db, pragmas, NULL, NULL, NULL);
}

/*
 * Switches to the write-ahead log. If two processes create the log at the same time, SQLite refuses one of the
 * processes at once, in spite of the timeout (sqlite.org/wal.html).
 */
static int write_by_log(struct engine *engine, struct error *err)
{
	int result = SQLITE_BUSY;

	for (int waited_ms = 0; result == SQLITE_BUSY && waited_ms < BUSY_MS; waited_ms += sqlite3_sleep(BUSY_STEP_MS))
		result = set(engine, "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
				     "PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4000;"
				     "PRAGMA journal_size_limit = 8388608");
	return result == SQLITE_OK ? 0 : fail(engine, err);
}

static int prepare_file(struct engine *engine, bool read_only, struct error *err)
{
	int limits[] = { SQLITE_LIMIT_ATTACHED, SQLITE_LIMIT_TRIGGER_DEPTH }, persistent = 1;

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		sqlite3_limit(engine->db, limits[i], 0);
	/* another user may have created the file */
	sqlite3_db_config(engine->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
	sqlite3_db_config(engine->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
#endif
	sqlite3_busy_timeout(engine->db, BUSY_MS);
	if (read_only)
		return set(engine, "PRAGMA query_only = 1") == SQLITE_OK ? 0 : fail(engine, err);
	/*
	 * Keep the log and its index when the file is closed: users who can only read the directory cannot create them.
	 */
	sqlite3_file_control(engine->db, NULL, SQLITE_FCNTL_PERSIST_WAL, &persistent);
	return write_by_log(engine, err);
}

/* SQLite says only "unable to open database file". Adds the error of the system and the owner of the file. */
static void say_why(const char *where, sqlite3 *db, struct error *err)
{
	int why = db ? sqlite3_system_errno(db) : 0;
	struct stat st;

	if (!why)
		error_set(err, "%.300s: %s", where, db ? sqlite3_errmsg(db) : "out of memory");
	else if (why == EACCES && stat(where, &st) == 0 && st.st_uid != geteuid())
		error_set(err,
			  "%.300s: Permission denied: the file belongs to user %u, but user %u runs stint",
			  where, (unsigned int)st.st_uid, (unsigned int)geteuid());
	else
		error_set(err, "%.300s: %s", where, strerror(why));
}

static struct engine *open_sqlite(const char *where, bool read_only, struct error *err)
{
	struct engine *engine = calloc(1, sizeof(*engine));
	int flags = read_only ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
	mode_t mask;
	int result;

	if (!engine || !(engine->path = strdup(where))) {
		free(engine);
		error_set(err, "out of memory");
		return NULL;
	}
	engine->lock_fd = -1;
	sql_strict = sqlite3_libversion_number() >= 3037000;
	mask = umask(0027);
	result = sqlite3_open_v2(where, &engine->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (result == SQLITE_CANTOPEN && read_only) {
		sqlite3_close(engine->db);
		result = sqlite3_open_v2(where, &engine->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
	}
	umask(mask);
	if (result == SQLITE_OK && prepare_file(engine, read_only, err) == 0)
		return engine;
	if (result != SQLITE_OK)
		say_why(where, engine->db, err);
	close_sqlite(engine);
	return NULL;
}

static int lock(struct engine *engine, struct error *err)
{
	int got = engine->lock_fd >= 0 ? 1 : sqlite_file_lock(engine->path, &engine->lock_fd, err);

	if (got != 1 || !sqlite_file_is_marked(engine->lock_fd))
		return got;
	close(engine->lock_fd);
	engine->lock_fd = -1;
	return error_set(err, DATABASE_UNFINISHED);
}

static void take_lock(struct engine *engine, int lock_fd)
{
	engine->lock_fd = lock_fd;
}

static bool damaged(const struct engine *engine)
{
	return engine->damaged;
}

static bool same(const struct engine_call *one, const struct engine_call *other)
{
	return one->what == other->what && one->table == other->table && one->month == other->month &&
	       one->columns == other->columns;
}

static sqlite3_stmt *prepare(struct engine *engine, const struct engine_call *call, struct error *err)
{
	cleanup_free char *sql = NULL;
	sqlite3_stmt *statement;

	for (size_t i = 0; i < engine->count; i++)
		if (same(&engine->list[i].call, call))
			return engine->list[i].statement;
	if (engine->depth == 0 && engine->count >= STATEMENTS_MAX - NESTED_MAX)
		forget_statements(engine);
	if (engine->count == STATEMENTS_MAX) {
		error_set(err, "too many statements at once");
		return NULL;
	}
	sql = sql_make(SQL_SQLITE, call->what, call->table, call->month, call->columns);
	if (!sql) {
		error_set(err, "out of memory");
		return NULL;
	}
	if (sqlite3_prepare_v3(engine->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) {
		fail_to_prepare(engine, err);
		return NULL;
	}
	engine->list[engine->count++] = (struct prepared){ .call = *call, .statement = statement };
	return statement;
}

/* @table: NULL for any table */
static int exists(struct engine *engine, const char *table, struct error *err)
{
	sqlite3_stmt *statement;
	int result;

	if (sqlite3_prepare_v2(engine->db,
			       "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = coalesce(?, name)", -1,
			       &statement, NULL) != SQLITE_OK)
		return fail(engine, err);
	if (table)
		sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
	result = sqlite3_step(statement);
	sqlite3_finalize(statement);
	return result == SQLITE_ROW ? 1 : result == SQLITE_DONE ? 0 : fail(engine, err);
}

static int used(struct engine *engine, struct error *err)
{
	return exists(engine, NULL, err);
}

static void bind(sqlite3_stmt *statement, int at, const struct database_value *value)
{
	const char *data = value->data ? value->data : "";

	if (value->kind == VALUE_INT)
		sqlite3_bind_int64(statement, at, value->number);
	else if (value->kind == VALUE_TEXT)
		sqlite3_bind_text64(statement, at, data, value->size, SQLITE_STATIC, SQLITE_UTF8);
	else if (value->kind == VALUE_BYTES)
		sqlite3_bind_blob64(statement, at, data, value->size, SQLITE_STATIC);
	else
		sqlite3_bind_null(statement, at);
}

/* The text or bytes are valid as long as @value. */
static struct database_value value_of(sqlite3_value *value)
{
	int type = sqlite3_value_type(value);

	if (type == SQLITE_NULL)
		return (struct database_value){ .kind = VALUE_NULL };
	if (type == SQLITE_INTEGER)
		return database_int(sqlite3_value_int64(value));
	return (struct database_value){
		.kind = type == SQLITE_TEXT ? VALUE_TEXT : VALUE_BYTES,
		.data = type == SQLITE_TEXT ? (const void *)sqlite3_value_text(value) : sqlite3_value_blob(value),
		.size = (size_t)sqlite3_value_bytes(value),
	};
}

static void read_row(sqlite3_stmt *statement, struct database_value *row, size_t count)
{
	for (int i = 0; i < (int)count; i++)
		row[i] = value_of(sqlite3_column_value(statement, i));
}

static int step_all(struct engine *engine, sqlite3_stmt *statement, size_t width, struct database_value *row,
		    database_each *each, void *context, struct error *err)
{
	int result;

	while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
		if (!each)
			continue;
		read_row(statement, row, width);
		if (each(context, row, err) < 0)
			break;
	}
	if (result != SQLITE_DONE && result != SQLITE_ROW)
		fail(engine, err);
	sqlite3_reset(statement);
	return result == SQLITE_DONE ? 0 : -1;
}

/* Returns how many values the statement needs each time. */
static size_t values_of(const struct engine_call *call)
{
	switch (call->what) {
	case SQL_INSERT:
		return call->table->column_count;
	case SQL_RANGE:
		return call->columns ? 2 : 0;
	case SQL_SPAN:
		return SQL_SPAN_VALUES;
	default:
		return call->columns;
	}
}

static int run(struct engine *engine, const struct engine_call *call, const struct database_value *values, size_t count,
	       database_each *each, void *context, struct error *err)
{
	size_t width = call->table->column_count, given = values_of(call);
	sqlite3_stmt *statement = prepare(engine, call, err);
	cleanup_free struct database_value *row = calloc(width, sizeof(*row));
	int result;

	if (!statement || !row)
		return statement ? error_set(err, "out of memory") : -1;
	for (size_t k = 0; k < count; k++) {
		for (size_t i = 0; i < given; i++)
			bind(statement, (int)i + 1, &values[k * given + i]);
		engine->depth++;
		result = step_all(engine, statement, width, row, each, context, err);
		engine->depth--;
		if (result < 0)
			return -1;
	}
	sqlite3_clear_bindings(statement);
	return 0;
}

/* ---- many rows ---- */

/* For hand_over(). */
struct reading {
	struct database_value *row;
	database_each *each;
	void *context;
	struct error *err;
	bool failed;
};

/*
 * SQLite calls this function for each row, with all columns. To ask for one column after the other would take twice the
 * time.
 */
static void hand_over(sqlite3_context *function, int count, sqlite3_value **values)
{
	struct reading *reading = sqlite3_user_data(function);

	for (int i = 0; i < count; i++)
		reading->row[i] = value_of(values[i]);
	if (reading->each(reading->context, reading->row, reading->err) == 0)
		return;
	reading->failed = true;
	sqlite3_result_error(function, "", 0);
}

static int step_to_end(struct engine *engine, sqlite3_stmt *statement, const struct reading *reading)
{
	int result;

	engine->depth++;
	do
		result = sqlite3_step(statement);
	while (result == SQLITE_ROW);
	engine->depth--;
	if (result != SQLITE_DONE && !reading->failed)
		fail(engine, reading->err);
	return result == SQLITE_DONE ? 0 : -1;
}

/* Does not keep the prepared statement, because there are too many different ones. */
static int read_some(struct engine *engine, const struct database_reading *reading, database_each *each, void *context,
		     struct error *err)
{
	cleanup_free char *sql = sql_read_make(SQL_SQLITE, reading, false);
	cleanup_free struct database_value *row = calloc(reading->column_count, sizeof(*row));
	struct reading function = { .row = row, .each = each, .context = context, .err = err };
	sqlite3_stmt *statement = NULL;
	int result, at = 0;

	if (!sql || !row)
		return error_set(err, "out of memory");
	if (sqlite3_create_function(engine->db, SQL_EACH, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, &function, hand_over, NULL, NULL) !=
		    SQLITE_OK ||
	    sqlite3_prepare_v2(engine->db, sql, -1, &statement, NULL) != SQLITE_OK)
		return fail_to_prepare(engine, err);
	for (size_t i = 0; i < reading->condition_count; i++)
		if (sql_read_has_value(&reading->conditions[i]))
			bind(statement, ++at, &reading->conditions[i].value);
	result = step_to_end(engine, statement, &function);
	sqlite3_finalize(statement);
	return result;
}

const struct engine_kind engine_sqlite = {
	.name = "sqlite",
	.sql = SQL_SQLITE,
	.open = open_sqlite,
	.close = close_sqlite,
	.lock = lock,
	.take_lock = take_lock,
	.damaged = damaged,
	.execute = execute,
	.exists = exists,
	.used = used,
	.run = run,
	.read = read_some,
};
