/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/database/database_sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Names come from the descriptions of tables. Values never become part of a statement, except numbers that this program
 * chooses.
 *
 * A statement names each function with its schema. Up to PostgreSQL 14, every role can create a function of the same
 * name in the schema of the tables, and the owner of the store would run that function.
 */

bool sql_strict = true;

static const char *const types[2][5] = {
	[SQL_SQLITE] = { "INTEGER", "INTEGER", "INTEGER", "TEXT", "BLOB" },
	[SQL_POSTGRES] = { "bigint", "integer", "smallint", "text", "bytea" },
};

const char *sql_type(enum sql_engine engine, enum database_type type)
{
	return types[engine][type];
}

static void put_name(FILE *out, const struct database_table *table, int month)
{
	fputs(table->name, out);
	if (table->monthly)
		fprintf(out, "_%06d", month);
}

static void put_columns(FILE *out, const struct database_table *table, size_t count, const char *prefix)
{
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s%s", i ? ", " : "", prefix, table->columns[i].name);
}

/*
 * Returns which of the first @count columns is at position @at in the engine's order.
 *
 * PostgreSQL aligns each number to its size. So its monthly tables have the widest columns first, without gaps. The
 * cluster need not come first in the key, because queries for jobs name the job.
 */
static size_t place_of(enum sql_engine engine, const struct database_table *table, size_t count, size_t at)
{
	if (engine != SQL_POSTGRES || !table->monthly)
		return at;
	for (enum database_type type = DATABASE_INT; type <= DATABASE_BYTES; type++)
		for (size_t i = 0; i < count; i++)
			if (table->columns[i].type == type && at-- == 0)
				return i;
	return 0;
}

static bool has_bytes(const struct database_table *table)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].type == DATABASE_BYTES)
			return true;
	return false;
}

/* Bytes that fit into a page stay in their row: in PostgreSQL's separate table, each takes 40 bytes more. */
static void put_create(FILE *out, enum sql_engine engine, const struct database_table *table, int month)
{
	fputs("CREATE TABLE IF NOT EXISTS ", out);
	put_name(out, table, month);
	fputs(" (", out);
	for (size_t i = 0; i < table->column_count; i++) {
		size_t at = place_of(engine, table, table->column_count, i);

		fprintf(out, "%s %s%s, ", table->columns[at].name, types[engine][table->columns[at].type],
			at < table->key ? " NOT NULL" : "");
	}
	fputs("PRIMARY KEY (", out);
	for (size_t i = 0; i < table->key; i++)
		fprintf(out, "%s%s", i ? ", " : "", table->columns[place_of(engine, table, table->key, i)].name);
	fputs("))", out);
	if (engine == SQL_SQLITE)
		fprintf(out, "%s%s%s", sql_strict ? " STRICT" : "", sql_strict && !table->wide ? "," : "",
			table->wide ? "" : " WITHOUT ROWID");
	else if (table->monthly && has_bytes(table))
		fputs(" WITH (toast_tuple_target = 8160)", out);
}

/*
 * Writes an index of the time itself (BRIN), with an entry for each MiB: rows lie nearly in the order of their times.
 * Under row-level security, PostgreSQL does not use an index of a division, because a division can fail.
 */
static void put_index_of_moment(FILE *out, const struct database_table *table, int month, const char *moment)
{
	fputs("; CREATE INDEX IF NOT EXISTS ", out);
	put_name(out, table, month);
	fputs("_moment ON ", out);
	put_name(out, table, month);
	fprintf(out, " USING brin (%s) WITH (autosummarize = on)", moment);
}

static void put_index(FILE *out, enum sql_engine engine, const struct database_table *table, int month, size_t which)
{
	const char *names[1 + DATABASE_INDEX_COLUMNS] = { table->columns[0].name };
	size_t count = 1;

	for (size_t i = 0; i < DATABASE_INDEX_COLUMNS && table->indexes[which].columns[i]; i++)
		names[count++] = table->indexes[which].columns[i];
	fputs("CREATE INDEX IF NOT EXISTS ", out);
	put_name(out, table, month);
	fprintf(out, "_%s ON ", table->indexes[which].name);
	put_name(out, table, month);
	for (size_t i = 0; i < count; i++)
		fprintf(out, i + 1 == count ? "%s(%s / " SQL_DAY ")" : "%s%s", i ? ", " : " (", names[i]);
	fputs(")", out);
	if (engine == SQL_POSTGRES && count == 2)
		put_index_of_moment(out, table, month, names[1]);
}

static void put_insert(FILE *out, enum sql_engine engine, const struct database_table *table, int month)
{
	fputs(engine == SQL_POSTGRES ? "COPY " : "INSERT INTO ", out);
	put_name(out, table, month);
	fputs(" (", out);
	put_columns(out, table, table->column_count, "");
	if (engine == SQL_POSTGRES) {
		fputs(") FROM STDIN (FORMAT binary)", out);
		return;
	}
	fputs(") VALUES (", out);
	for (size_t i = 0; i < table->column_count; i++)
		fputs(i ? ", ?" : "?", out);
	fputs(")", out);
}

/* PostgreSQL gets all keys in one statement, as an array for each column of the key. */
static void put_arrays(FILE *out, const struct database_table *table, size_t columns)
{
	fputs("ROWS FROM (", out);
	for (size_t i = 0; i < columns; i++)
		fprintf(out, "%spg_catalog.unnest($%zu::%s[])", i ? ", " : "", i + 1, types[SQL_POSTGRES][table->columns[i].type]);
	fputs(") AS k (", out);
	put_columns(out, table, columns, "");
	fputs(")", out);
}

static void put_where(FILE *out, enum sql_engine engine, const struct database_table *table, size_t columns)
{
	for (size_t i = 0; i < columns; i++) {
		const char *name = table->columns[i].name, *and = i ? " AND " : "";

		if (engine == SQL_POSTGRES)
			fprintf(out, "%st.%s = k.%s", and, name, name);
		else
			fprintf(out, "%s%s = ?", and, name);
	}
}

static void put_find(FILE *out, enum sql_engine engine, const struct database_table *table, int month, size_t columns)
{
	fputs("SELECT ", out);
	put_columns(out, table, table->column_count, "t.");
	fputs(" FROM ", out);
	if (engine == SQL_POSTGRES) {
		put_arrays(out, table, columns);
		fputs(" JOIN ", out);
	}
	put_name(out, table, month);
	fputs(engine == SQL_POSTGRES ? " AS t ON " : " AS t WHERE ", out);
	put_where(out, engine, table, columns);
}

static void put_erase(FILE *out, enum sql_engine engine, const struct database_table *table, int month, size_t columns)
{
	fputs("DELETE FROM ", out);
	put_name(out, table, month);
	if (engine == SQL_POSTGRES) {
		fputs(" AS t USING ", out);
		put_arrays(out, table, columns);
	}
	fputs(" WHERE ", out);
	put_where(out, engine, table, columns);
}

static void put_range(FILE *out, enum sql_engine engine, const struct database_table *table, int month, size_t columns)
{
	const char *name = columns ? table->columns[columns - 1].name : NULL;

	fputs("SELECT ", out);
	put_columns(out, table, table->column_count, "");
	fputs(" FROM ", out);
	put_name(out, table, month);
	if (name)
		fprintf(out, engine == SQL_POSTGRES ? " WHERE %s >= $1::bigint AND %s < $2::bigint" : " WHERE %s >= ? AND %s < ?",
			name, name);
}

/* Selects the rows of a cluster whose second column is between two values. */
static void put_span(FILE *out, enum sql_engine engine, const struct database_table *table, int month)
{
	const char *cluster = table->columns[0].name, *second = table->columns[1].name;

	fputs("SELECT ", out);
	put_columns(out, table, table->column_count, "");
	fputs(" FROM ", out);
	put_name(out, table, month);
	fprintf(out, engine == SQL_POSTGRES ? " WHERE %s = $1::bigint AND %s >= $2::bigint AND %s < $3::bigint"
					    : " WHERE %s = ? AND %s >= ? AND %s < ?", cluster, second, second);
}

bool sql_has_owners(const struct database_table *table)
{
	bool user = false, account = false;

	for (size_t i = 0; table->indexes && table->indexes[i].name; i++) {
		user = user || strcmp(table->indexes[i].columns[0], "user_id") == 0;
		account = account || strcmp(table->indexes[i].columns[0], "account_id") == 0;
	}
	return user && account;
}

/*
 * Selects those rows of put_span() that belong to some users or accounts. Uses two index scans, because the policy's
 * condition would read the whole table.
 */
static void put_span_own(FILE *out, enum sql_engine engine, const struct database_table *table, int month)
{
	put_span(out, engine, table, month);
	fprintf(out, " AND (user_id = ANY ($%d::integer[]) OR account_id = ANY ($%d::integer[]))", SQL_SPAN_VALUES + 1,
		SQL_SPAN_VALUES + 2);
}

/* ---- who sees which rows ---- */

#define PERSON "current_user::text"
#define ALL "cluster IN (SELECT a.cluster FROM access AS a WHERE a.scope = 0)"
#define OWN "(cluster, user_id) IN (SELECT a.cluster, a.id FROM access AS a WHERE a.scope = 2)"
#define COORDINATED "(cluster, account_id) IN (SELECT a.cluster, a.id FROM access AS a WHERE a.scope = 1)"

/*
 * The condition on rows that a reader can see. Most conditions read the table "access", in which readers see only their
 * own rows. No subquery depends on the row, so PostgreSQL evaluates each subquery only once.
 */
static void put_condition(FILE *out, const struct database_table *table)
{
	switch (table->access) {
	case ACCESS_EVERYBODY:
		fputs("true", out);
		break;
	case ACCESS_PERSON:
		fputs("person = " PERSON, out);
		break;
	case ACCESS_OPERATORS:
		fputs(ALL, out);
		break;
	case ACCESS_USER:
		fputs(ALL " OR " OWN, out);
		break;
	case ACCESS_JOB:
		fputs(ALL " OR " OWN " OR " COORDINATED, out);
		break;
	case ACCESS_WORDS:
		/* enum name_kind: 0 is users, 1 is accounts */
		fputs("kind > 1 OR " ALL " OR (kind = 0 AND text = " PERSON ")"
		      " OR (kind = 0 AND (cluster, id) IN (SELECT m.cluster, m.user_id FROM job_month AS m))"
		      " OR (kind = 1 AND (cluster, id) IN (SELECT m.cluster, m.account_id FROM job_month AS m))", out);
		break;
	}
}

static void put_access(FILE *out, const struct database_table *table, int month)
{
	fputs("ALTER TABLE ", out);
	put_name(out, table, month);
	fputs(" ENABLE ROW LEVEL SECURITY; DROP POLICY IF EXISTS stint_readers ON ", out);
	put_name(out, table, month);
	fputs("; CREATE POLICY stint_readers ON ", out);
	put_name(out, table, month);
	fputs(" FOR SELECT USING (", out);
	put_condition(out, table);
	fputs(")", out);
}

/* Grants nothing twice: each grant changes PostgreSQL's catalogue. */
static void put_let_read(FILE *out, const struct database_table *table, int month)
{
	fputs("DO $$ BEGIN IF EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = $r$stint_reader$r$) THEN "
	      "IF NOT pg_catalog.has_table_privilege($r$stint_reader$r$, $r$", out);
	put_name(out, table, month);
	fputs("$r$, $r$SELECT$r$) THEN GRANT SELECT ON ", out);
	put_name(out, table, month);
	fputs(" TO stint_reader; END IF; END IF; END $$", out);
}

/*
 * Selects the rows of those clusters in which the reader sees only some of the jobs. Selects nothing for the owner,
 * because row-level security does not limit the owner.
 */
static void put_hidden(FILE *out, const struct database_table *table, int month)
{
	bool of_cluster = strcmp(table->columns[0].name, "cluster") == 0;

	fputs("SELECT ", out);
	put_columns(out, table, table->column_count, "");
	fputs(" FROM ", out);
	put_name(out, table, month);
	fprintf(out, " WHERE pg_catalog.row_security_active($r$access$r$) AND %s NOT IN (SELECT a.cluster FROM access AS a WHERE a.scope = 0)",
		of_cluster ? "cluster" : "id");
}

static void put(FILE *out, enum sql_engine engine, enum sql_what what, const struct database_table *table, int month,
		size_t columns)
{
	switch (what) {
	case SQL_CREATE:
		put_create(out, engine, table, month);
		break;
	case SQL_INDEX:
		put_index(out, engine, table, month, columns);
		break;
	case SQL_DROP:
		fputs("DROP TABLE IF EXISTS ", out);
		put_name(out, table, month);
		/* CASCADE: the policy of another table may query this table. A table without a policy shows no rows */
		fputs(engine == SQL_POSTGRES ? " CASCADE" : "", out);
		break;
	case SQL_INSERT:
		put_insert(out, engine, table, month);
		break;
	case SQL_FIND:
		put_find(out, engine, table, month, columns);
		break;
	case SQL_ERASE:
		put_erase(out, engine, table, month, columns);
		break;
	case SQL_RANGE:
		put_range(out, engine, table, month, columns);
		break;
	case SQL_SPAN:
		put_span(out, engine, table, month);
		break;
	case SQL_SPAN_OWN:
		put_span_own(out, engine, table, month);
		break;
	case SQL_CLEAR:
		fputs("DELETE FROM ", out);
		put_name(out, table, month);
		break;
	case SQL_ACCESS:
		put_access(out, table, month);
		break;
	case SQL_LET_READ:
		put_let_read(out, table, month);
		break;
	case SQL_HIDDEN:
		put_hidden(out, table, month);
		break;
	case SQL_WHATS:
		break;
	}
}

static bool has_index(const struct database_table *table, size_t which)
{
	for (size_t i = 0; i <= which; i++)
		if (!table->indexes || !table->indexes[i].name)
			return false;
	return true;
}

static bool can_make(enum sql_engine engine, enum sql_what what, const struct database_table *table, size_t columns)
{
	if (engine == SQL_SQLITE &&
	    (what == SQL_ACCESS || what == SQL_LET_READ || what == SQL_HIDDEN || what == SQL_SPAN_OWN))
		return false;
	if (what == SQL_INDEX)
		return has_index(table, columns);
	if (what == SQL_SPAN_OWN && !sql_has_owners(table))
		return false;
	if (what == SQL_SPAN || what == SQL_SPAN_OWN)
		return table->key >= 2;
	return true;
}

char *sql_make(enum sql_engine engine, enum sql_what what, const struct database_table *table, int month,
	       size_t columns)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (!can_make(engine, what, table, columns))
		return NULL;
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	put(out, engine, what, table, month, columns);
	if (ferror(out) | fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
