/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine for PostgreSQL. It sends rows by COPY and keys as arrays, so a transaction has few round trips. */
#include <endian.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/database/engine_internal.h"
#include "reports/database/postgres_rights.h"
#include "reports/database/sql_read.h"

enum { BYTEA_OID = 17, INT8_OID = 20, INT2_OID = 21, INT4_OID = 23, NUMERIC_OID = 1700 };

#define LOCK_NUMBER "8390876144752" /* for pg_try_advisory_lock(); arbitrary */
#define KEYS_AT_ONCE 4096

struct engine {
	PGconn *connection;
	int depth; /* how many cursors are open */
	struct postgres_rights rights;
	char snapshot[64]; /* its name, if this connection exported one */
};

static void cleanup_resultp(PGresult **result)
{
	PQclear(*result);
}

#define cleanup_result __attribute__((cleanup(cleanup_resultp), unused))

static int fail(struct engine *engine, struct error *err)
{
	char text[400];

	snprintf(text, sizeof(text), "%s", PQerrorMessage(engine->connection));
	for (char *at = text; *at; at++)
		if ((unsigned char)*at < ' ')
			*at = ' ';
	for (size_t length = strlen(text); length && text[length - 1] == ' '; length--)
		text[length - 1] = '\0';
	return error_set(err, "PostgreSQL: %s", text);
}

static void say_nothing(void *context, const PGresult *result)
{
	(void)context;
	(void)result;
}

static int execute(struct engine *engine, const char *sql, struct error *err)
{
	cleanup_result PGresult *result = PQexec(engine->connection, sql);
	ExecStatusType status = PQresultStatus(result);

	return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ? 0 : fail(engine, err);
}

static void close_postgres(struct engine *engine)
{
	PQfinish(engine->connection);
	postgres_rights_free(&engine->rights);
	free(engine);
}

static int check_server(struct engine *engine, struct error *err)
{
	const char *encoding = PQparameterStatus(engine->connection, "server_encoding");

	if (PQserverVersion(engine->connection) < 120000)
		return error_set(err, "PostgreSQL: stint needs version 12 or later");
	if (!encoding || strcmp(encoding, "UTF8") != 0)
		return error_set(err, "PostgreSQL: the database's encoding is %s, but stint needs UTF8",
				 encoding ? encoding : "not known");
	return PQsetClientEncoding(engine->connection, "UTF8") == 0 ? 0 : fail(engine, err);
}

/*
 * From here on, names mean PostgreSQL's own or what is in the schema of the store. A schema in front of it in the role's
 * search_path may belong to somebody else, whose operators would fit better.
 */
#define ONE_SCHEMA                                                                                          \
	"SELECT pg_catalog.set_config('search_path', pg_catalog.quote_ident(n.nspname::text), false) "      \
	"FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace " \
	"WHERE c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass('setting')::oid"

/*
 * A group has some KiB of sums. By PostgreSQL's default, a few thousand groups would go to disk.
 *
 * A connection that has finished keeps its locks until all connections have finished. If a DROP TABLE waits for these
 * locks, and another connection waits behind the DROP TABLE, all would wait forever. So a wait for a lock has a limit.
 */
#define READ_ONLY                                                                                                          \
	"SET default_transaction_read_only = on; "                                                                         \
	"SET lock_timeout = '30s'; SET idle_in_transaction_session_timeout = 0; "                                          \
	"SELECT pg_catalog.set_config('work_mem', '64MB', false) "                                                         \
	"WHERE pg_catalog.pg_size_bytes(pg_catalog.current_setting('work_mem')) < 67108864"

static struct engine *open_postgres(const char *where, bool read_only, struct error *err)
{
	struct engine *engine = calloc(1, sizeof(*engine));

	if (!engine) {
		error_set(err, "out of memory");
		return NULL;
	}
	engine->connection = PQconnectdb(where);
	if (PQstatus(engine->connection) != CONNECTION_OK) {
		fail(engine, err);
		close_postgres(engine);
		return NULL;
	}
	PQsetNoticeReceiver(engine->connection, say_nothing, NULL);
	/* keys are sent as arrays, and the planner does not know how few keys an array has */
	if (check_server(engine, err) == 0 && execute(engine, ONE_SCHEMA, err) == 0 &&
	    execute(engine, "SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off", err) == 0 &&
	    (!read_only || execute(engine, READ_ONLY, err) == 0))
		return engine;
	close_postgres(engine);
	return NULL;
}

static int ask_flag(struct engine *engine, const char *sql, const char *value, const char *yes, struct error *err)
{
	cleanup_result PGresult *result = PQexecParams(engine->connection, sql, value ? 1 : 0, NULL, &value, NULL, NULL, 0);

	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		return fail(engine, err);
	return PQntuples(result) > 0 && strcmp(PQgetvalue(result, 0, 0), yes) == 0;
}

static int lock(struct engine *engine, struct error *err)
{
	return ask_flag(engine, "SELECT pg_catalog.pg_try_advisory_lock(" LOCK_NUMBER ")", NULL, "t", err);
}

static int exists(struct engine *engine, const char *table, struct error *err)
{
	return ask_flag(engine, "SELECT pg_catalog.to_regclass($1::text) IS NOT NULL", table, "t", err);
}

/*
 * The store's tables are in the schema of the table "setting" and have the same owner as that table. Partitions are
 * protected by the policy of their table.
 */
#define READERS \
	"SELECT r.there, pg_catalog.count(*), " \
	"pg_catalog.count(*) FILTER (WHERE CASE WHEN r.there THEN " \
	"NOT pg_catalog.has_table_privilege('stint_reader', c.oid, 'SELECT') ELSE false END), " \
	"pg_catalog.count(*) FILTER (WHERE NOT c.relrowsecurity), " \
	"pg_catalog.count(*) FILTER (WHERE c.relrowsecurity AND NOT EXISTS " \
	"(SELECT FROM pg_catalog.pg_policy AS p WHERE p.polrelid = c.oid)), " \
	"pg_catalog.min(c.relname::text) FILTER (WHERE NOT c.relrowsecurity) " \
	"FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_class AS s ON s.oid = pg_catalog.to_regclass('setting')::oid AND c.relnamespace = s.relnamespace AND " \
	"c.relowner = s.relowner, " \
	"(SELECT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'stint_reader') AS there) AS r " \
	"WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition GROUP BY r.there"

static int readers(struct engine *engine, struct database_readers *readers, struct error *err)
{
	cleanup_result PGresult *result = PQexec(engine->connection, READERS);

	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		return fail(engine, err);
	if (PQntuples(result) == 0)
		return 0;
	readers->role = strcmp(PQgetvalue(result, 0, 0), "t") == 0;
	readers->tables = strtoll(PQgetvalue(result, 0, 1), NULL, 10);
	readers->closed = strtoll(PQgetvalue(result, 0, 2), NULL, 10);
	readers->open = strtoll(PQgetvalue(result, 0, 3), NULL, 10);
	readers->unguarded = strtoll(PQgetvalue(result, 0, 4), NULL, 10);
	snprintf(readers->first_open, sizeof(readers->first_open), "%s", PQgetvalue(result, 0, 5));
	return 0;
}

/* ---- rows ---- */

static char *put_number(char *to, uint64_t number, size_t bytes)
{
	uint64_t big = htobe64(number << (64 - 8 * bytes));

	memcpy(to, &big, bytes);
	return to + bytes;
}

static size_t size_of(enum database_type type, const struct database_value *value)
{
	if (value->kind == VALUE_NULL)
		return 0;
	if (value->kind != VALUE_INT)
		return value->size;
	return type == DATABASE_INT16 ? 2 : type == DATABASE_INT32 ? 4 : 8;
}

static char *put_value(char *to, enum database_type type, const struct database_value *value)
{
	size_t size = size_of(type, value);

	if (value->kind == VALUE_NULL)
		return put_number(to, UINT32_MAX, 4);
	to = put_number(to, size, 4);
	if (value->kind == VALUE_INT)
		return put_number(to, (uint64_t)value->number, size);
	if (size)
		memcpy(to, value->data, size);
	return to + size;
}

/* Returns the rows in the binary form of COPY, which the caller must free; NULL if out of memory. */
static char *make_rows(const struct database_table *table, const struct database_value *rows, size_t count, size_t *size)
{
	static const char head[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0"; /* the NUL that ends the string belongs to the head */
	const size_t width = table->column_count;
	char *text, *to;

	*size = sizeof(head) + 2 * count + 2;
	for (size_t i = 0; i < count * width; i++)
		*size += 4 + size_of(table->columns[i % width].type, &rows[i]);
	text = malloc(*size);
	if (!text)
		return NULL;
	memcpy(text, head, sizeof(head));
	to = text + sizeof(head);
	for (size_t k = 0; k < count; k++) {
		to = put_number(to, width, 2);
		for (size_t i = 0; i < width; i++)
			to = put_value(to, table->columns[i].type, &rows[k * width + i]);
	}
	put_number(to, UINT16_MAX, 2);
	return text;
}

static int copy(struct engine *engine, const char *sql, const char *data, size_t size, struct error *err)
{
	cleanup_result PGresult *begun = PQexec(engine->connection, sql), *done = NULL;
	PGresult *last;

	if (PQresultStatus(begun) != PGRES_COPY_IN)
		return fail(engine, err);
	for (size_t at = 0; at < size;) {
		int some = size - at > 1 << 20 ? 1 << 20 : (int)(size - at);

		if (PQputCopyData(engine->connection, data + at, some) != 1)
			return fail(engine, err);
		at += (size_t)some;
	}
	if (PQputCopyEnd(engine->connection, NULL) != 1)
		return fail(engine, err);
	done = PQgetResult(engine->connection);
	while ((last = PQgetResult(engine->connection)))
		PQclear(last);
	return PQresultStatus(done) == PGRES_COMMAND_OK ? 0 : fail(engine, err);
}

/* ---- keys ---- */

static void put_quoted(FILE *out, const char *text, size_t size)
{
	putc('"', out);
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '"' || text[i] == '\\')
			putc('\\', out);
		putc(text[i], out);
	}
	putc('"', out);
}

/* Returns the values of a column in all keys as a PostgreSQL array, which the caller must free; NULL if out of memory. */
static char *make_array(const struct database_value *keys, size_t count, size_t width, size_t column)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t k = 0; k < count; k++) {
		const struct database_value *value = &keys[k * width + column];

		putc(k ? ',' : '{', out);
		if (value->kind == VALUE_INT)
			fprintf(out, "%lld", (long long)value->number);
		else
			put_quoted(out, value->data, value->size);
	}
	putc('}', out);
	if (ferror(out) | fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* PostgreSQL sends the highest byte first. */
static int64_t number_of(const char *data, int size)
{
	uint64_t number = 0;

	memcpy(&number, data, (size_t)size);
	return (int64_t)be64toh(number) >> (64 - 8 * size);
}

static unsigned int short_of(const char *data)
{
	return (unsigned int)(unsigned char)data[0] << 8 | (unsigned char)data[1];
}

#define NUMERIC_HEAD 8 /* bytes */
#define NUMERIC_NEGATIVE 0x4000

/*
 * Reads a whole number of the type numeric, modulo 2^64. The data are the number of digits, the weight of the first
 * digit, the sign, the scale, and the digits to the base of 10,000 (numeric_send() in PostgreSQL's
 * src/backend/utils/adt/numeric.c).
 */
static int64_t numeric_of(const char *data, int size)
{
	int digits = size < NUMERIC_HEAD ? 0 : (int)short_of(data), weight = size < NUMERIC_HEAD ? -1 : (int16_t)short_of(data + 2);
	uint64_t number = 0;

	for (int i = 0; i <= weight; i++)
		number = number * 10000 + (i < digits ? short_of(data + NUMERIC_HEAD + 2 * i) : 0);
	return (int64_t)(size >= NUMERIC_HEAD && short_of(data + 4) == NUMERIC_NEGATIVE ? 0 - number : number);
}

static void read_row(PGresult *result, int at, struct database_value *row, size_t width)
{
	for (int i = 0; i < (int)width; i++) {
		const char *data = PQgetvalue(result, at, i);
		int size = PQgetlength(result, at, i);
		Oid type = PQftype(result, i);

		row[i] = (struct database_value){ .kind = VALUE_NULL };
		if (PQgetisnull(result, at, i))
			continue;
		if (type == INT8_OID || type == INT4_OID || type == INT2_OID) {
			row[i] = database_int(number_of(data, size));
			continue;
		}
		if (type == NUMERIC_OID) {
			row[i] = database_int(numeric_of(data, size));
			continue;
		}
		row[i].kind = type == BYTEA_OID ? VALUE_BYTES : VALUE_TEXT;
		row[i].data = data;
		row[i].size = (size_t)size;
	}
}

/* Reads the rows one at a time, because a large table may not fit into memory. */
static int read_results(struct engine *engine, size_t width, database_each *each, void *context, struct error *err)
{
	cleanup_free struct database_value *row = calloc(width, sizeof(*row));
	int status = row ? 0 : error_set(err, "out of memory");
	PGresult *result;

	PQsetSingleRowMode(engine->connection);
	while ((result = PQgetResult(engine->connection))) {
		ExecStatusType got = PQresultStatus(result);

		if (got != PGRES_SINGLE_TUPLE && got != PGRES_TUPLES_OK && got != PGRES_COMMAND_OK && status == 0)
			status = fail(engine, err);
		for (int i = 0; status == 0 && each && got == PGRES_SINGLE_TUPLE && i < PQntuples(result); i++) {
			read_row(result, i, row, width);
			status = each(context, row, err);
		}
		PQclear(result);
	}
	return status;
}

#define ARRAYS_MAX 8

static int run_keys(struct engine *engine, const struct engine_call *call, const char *sql,
		    const struct database_value *keys, size_t count, database_each *each, void *context,
		    struct error *err)
{
	char *arrays[ARRAYS_MAX] = { NULL };
	int status = 0;

	if (call->columns > ARRAYS_MAX)
		return error_set(err, "too many columns");
	for (size_t i = 0; i < call->columns; i++) {
		arrays[i] = make_array(keys, count, call->columns, i);
		if (!arrays[i])
			status = error_set(err, "out of memory");
	}
	if (status == 0 && PQsendQueryParams(engine->connection, sql, (int)call->columns, NULL,
					     (const char *const *)arrays, NULL, NULL, 1) != 1)
		status = fail(engine, err);
	for (size_t i = 0; i < call->columns; i++)
		free(arrays[i]);
	return status < 0 ? -1 : read_results(engine, call->table->column_count, each, context, err);
}

#define VALUES_MAX (SQL_SPAN_VALUES + 2)
#define ROWS_AT_ONCE "1024"

/* Reads the next rows from a cursor. Returns their number; -1 with @err set. */
static int fetch(struct engine *engine, const char *sql, size_t width, database_each *each, void *context,
		 struct error *err)
{
	cleanup_result PGresult *result = PQexecParams(engine->connection, sql, 0, NULL, NULL, NULL, NULL, 1);
	cleanup_free struct database_value *row = calloc(width, sizeof(*row));
	int count = PQntuples(result);

	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		return fail(engine, err);
	if (!row)
		return error_set(err, "out of memory");
	for (int i = 0; i < count; i++) {
		read_row(result, i, row, width);
		if (each(context, row, err) < 0)
			return -1;
	}
	return count;
}

static int read_cursor(struct engine *engine, size_t width, database_each *each, void *context, struct error *err)
{
	char sql[64];
	int count;

	snprintf(sql, sizeof(sql), "FETCH " ROWS_AT_ONCE " FROM cursor_%d", engine->depth);
	engine->depth++;
	do
		count = fetch(engine, sql, width, each, context, err);
	while (count > 0);
	engine->depth--;
	snprintf(sql, sizeof(sql), "CLOSE cursor_%d", engine->depth);
	return count < 0 ? -1 : execute(engine, sql, err);
}

static size_t numbers_of(const struct engine_call *call)
{
	if (call->what == SQL_SPAN || call->what == SQL_SPAN_OWN)
		return SQL_SPAN_VALUES;
	return call->columns ? 2 : 0;
}

/* Reads through a cursor, because a large table may not fit into memory, and the callback can read other tables. */
static int run_cursor(struct engine *engine, const struct engine_call *call, const char *sql,
		      const struct database_value *values, database_each *each, void *context, struct error *err)
{
	const char *texts[VALUES_MAX];
	char numbers[VALUES_MAX][24];
	size_t count = numbers_of(call);
	cleanup_free char *declare = NULL;
	cleanup_result PGresult *declared = NULL;

	for (size_t i = 0; i < count; i++) {
		snprintf(numbers[i], sizeof(numbers[i]), "%lld", (long long)values[i].number);
		texts[i] = numbers[i];
	}
	if (call->what == SQL_SPAN_OWN) {
		texts[count++] = engine->rights.users;
		texts[count++] = engine->rights.accounts;
	}
	if (asprintf(&declare, "DECLARE cursor_%d NO SCROLL CURSOR FOR %s", engine->depth, sql) < 0) {
		declare = NULL;
		return error_set(err, "out of memory");
	}
	declared = PQexecParams(engine->connection, declare, (int)count, NULL, texts, NULL, NULL, 0);
	if (PQresultStatus(declared) != PGRES_COMMAND_OK)
		return fail(engine, err);
	return read_cursor(engine, call->table->column_count, each, context, err);
}

/* A cursor needs a transaction. */
static int run_range(struct engine *engine, const struct engine_call *call, const char *sql,
		     const struct database_value *values, database_each *each, void *context, struct error *err)
{
	struct error late;
	int result;

	if (PQtransactionStatus(engine->connection) != PQTRANS_IDLE)
		return run_cursor(engine, call, sql, values, each, context, err);
	if (execute(engine, "BEGIN", err) < 0)
		return -1;
	result = run_cursor(engine, call, sql, values, each, context, err);
	return execute(engine, result == 0 ? "COMMIT" : "ROLLBACK", result == 0 ? err : &late) < 0 ? -1 : result;
}

/* If the reader can see only the jobs of some users and accounts, names these in the statement. */
static int run_span(struct engine *engine, const struct engine_call *call, const struct database_value *values,
		    database_each *each, void *context, struct error *err)
{
	cleanup_free char *sql = NULL;
	struct engine_call actual = *call;

	if (sql_has_owners(call->table)) {
		if (postgres_rights_read(engine->connection, values[0].number, &engine->rights) < 0)
			return fail(engine, err);
		if (engine->rights.limited)
			actual.what = SQL_SPAN_OWN;
	}
	sql = sql_make(SQL_POSTGRES, actual.what, actual.table, actual.month, actual.columns);
	return sql ? run_range(engine, &actual, sql, values, each, context, err) : error_set(err, "out of memory");
}

static int run(struct engine *engine, const struct engine_call *call, const struct database_value *values, size_t count,
	       database_each *each, void *context, struct error *err)
{
	cleanup_free char *sql = sql_make(SQL_POSTGRES, call->what, call->table, call->month, call->columns), *data = NULL;
	size_t size, some;

	if (!sql)
		return error_set(err, "out of memory");
	if (call->what == SQL_SPAN)
		return run_span(engine, call, values, each, context, err);
	if (call->what == SQL_RANGE || call->what == SQL_HIDDEN)
		return run_range(engine, call, sql, values, each, context, err);
	if (call->what == SQL_INSERT) {
		data = make_rows(call->table, values, count, &size);
		return data ? copy(engine, sql, data, size, err) : error_set(err, "out of memory");
	}
	for (size_t k = 0; k < count; k += some) {
		some = count - k > KEYS_AT_ONCE ? KEYS_AT_ONCE : count - k;
		if (run_keys(engine, call, sql, values + k * call->columns, some, each, context, err) < 0)
			return -1;
	}
	return 0;
}

#define CONDITIONS_MAX 64

/* Writes the values as texts, which the caller must free. Returns their number; -1 if out of memory. */
static int make_texts(const struct database_reading *reading, char *texts[CONDITIONS_MAX])
{
	int count = 0;

	for (size_t i = 0; i < reading->condition_count; i++) {
		const struct database_value *value = &reading->conditions[i].value;
		char **to = &texts[count];

		if (!sql_read_has_value(&reading->conditions[i]))
			continue;
		if (value->kind == VALUE_TEXT)
			*to = strndup(value->data, value->size);
		else if (asprintf(to, "%lld", (long long)value->number) < 0)
			*to = NULL;
		if (!*to)
			return -1;
		count++;
	}
	return count;
}

/* Returns the cluster that the conditions name; -1 if they name none. */
static int64_t cluster_of(const struct database_reading *reading)
{
	for (size_t i = 0; i < reading->condition_count; i++)
		if (reading->conditions[i].column == 0 && reading->conditions[i].match == MATCH_IS)
			return reading->conditions[i].value.number;
	return -1;
}

static int read_some(struct engine *engine, const struct database_reading *reading, database_each *each, void *context,
		     struct error *err)
{
	int64_t cluster = sql_has_owners(reading->table) ? cluster_of(reading) : -1;
	cleanup_free char *sql = NULL;
	char *texts[CONDITIONS_MAX] = { NULL };
	const char *values[CONDITIONS_MAX + 2];
	bool own = false;
	int count, sent = 0;

	if (reading->condition_count > CONDITIONS_MAX)
		return error_set(err, "too many conditions");
	if (cluster >= 0) {
		if (postgres_rights_read(engine->connection, cluster, &engine->rights) < 0)
			return fail(engine, err);
		own = engine->rights.limited;
	}
	sql = sql_read_make(SQL_POSTGRES, reading, own);
	count = make_texts(reading, texts);
	if (sql && count >= 0) {
		memcpy(values, texts, sizeof(texts));
		values[count] = engine->rights.users;
		values[count + 1] = engine->rights.accounts;
		sent = PQsendQueryParams(engine->connection, sql, own ? count + 2 : count, NULL, values, NULL, NULL, 1);
	}
	for (size_t i = 0; i < CONDITIONS_MAX; i++)
		free(texts[i]);
	if (!sql || count < 0)
		return error_set(err, "out of memory");
	return sent == 1 ? read_results(engine, reading->column_count + reading->total_count, each, context, err) : fail(engine, err);
}

/* ---- groups ---- */

/* Before version 14, PostgreSQL would read the whole table for each range of blocks. */
static bool can_group(const struct engine *engine)
{
	return PQserverVersion(engine->connection) >= 140000;
}

static int blocks_of(struct engine *engine, const struct database_table *table, int month, int64_t *blocks, struct error *err)
{
	static const char ask[] = "SELECT pg_catalog.pg_relation_size(pg_catalog.to_regclass($1::text)) / "
				  "pg_catalog.current_setting('block_size')::bigint";
	char name[64];
	const char *value = name;
	cleanup_result PGresult *result = NULL;

	snprintf(name, sizeof(name), "%s_%06d", table->name, month);
	result = PQexecParams(engine->connection, ask, 1, NULL, &value, NULL, NULL, 0);
	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		return fail(engine, err);
	*blocks = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
	return 0;
}

static int hold(struct engine *engine, const struct engine *with, struct error *err)
{
	cleanup_result PGresult *result = NULL;
	char sql[128];

	if (execute(engine, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", err) < 0)
		return -1;
	if (with) {
		snprintf(sql, sizeof(sql), "SET TRANSACTION SNAPSHOT '%s'", with->snapshot);
		return execute(engine, sql, err);
	}
	result = PQexec(engine->connection, "SELECT pg_catalog.pg_export_snapshot()");
	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		return fail(engine, err);
	snprintf(engine->snapshot, sizeof(engine->snapshot), "%s", PQgetvalue(result, 0, 0));
	return 0;
}

const struct engine_kind engine_postgres = {
	.name = "postgresql",
	.sql = SQL_POSTGRES,
	.open = open_postgres,
	.close = close_postgres,
	.lock = lock,
	.execute = execute,
	.exists = exists,
	.readers = readers,
	.run = run,
	.can_group = can_group,
	.blocks = blocks_of,
	.hold = hold,
	.read = read_some,
};
