/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/database/database_sql.h"

#include <stdio.h>
#include <stdlib.h>

/* Names come from the descriptions in this program alone; values never become part of a statement. */

bool sql_strict = true;

static const char *const types[2][3] = {
	[SQL_SQLITE] = { "INTEGER", "TEXT", "BLOB" },
	[SQL_POSTGRES] = { "bigint", "text", "bytea" },
};

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

static void put_create(FILE *out, enum sql_engine engine, const struct database_table *table, int month)
{
	fputs("CREATE TABLE IF NOT EXISTS ", out);
	put_name(out, table, month);
	fputs(" (", out);
	for (size_t i = 0; i < table->column_count; i++)
		fprintf(out, "%s %s%s, ", table->columns[i].name, types[engine][table->columns[i].type],
			i < table->key ? " NOT NULL" : "");
	fputs("PRIMARY KEY (", out);
	put_columns(out, table, table->key, "");
	fputs("))", out);
	if (engine == SQL_SQLITE)
		fprintf(out, "%s%s%s", sql_strict ? " STRICT" : "", sql_strict && !table->wide ? "," : "",
			table->wide ? "" : " WITHOUT ROWID");
}

static void put_index(FILE *out, const struct database_table *table, int month, size_t which)
{
	const struct database_index *index = &table->indexes[which];

	fputs("CREATE INDEX IF NOT EXISTS ", out);
	put_name(out, table, month);
	fprintf(out, "_%s ON ", index->name);
	put_name(out, table, month);
	fputs(" (cluster", out);
	for (size_t i = 0; i < DATABASE_INDEX_COLUMNS && index->columns[i]; i++)
		fprintf(out, ", %s", index->columns[i]);
	fputs(")", out);
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

/* PostgreSQL gets all keys at once, an array for each column of them. */
static void put_arrays(FILE *out, const struct database_table *table, size_t columns)
{
	fputs("unnest(", out);
	for (size_t i = 0; i < columns; i++)
		fprintf(out, "%s$%zu::%s[]", i ? ", " : "", i + 1, types[SQL_POSTGRES][table->columns[i].type]);
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

static void put(FILE *out, enum sql_engine engine, enum sql_what what, const struct database_table *table, int month,
		size_t columns)
{
	switch (what) {
	case SQL_CREATE:
		put_create(out, engine, table, month);
		break;
	case SQL_INDEX:
		put_index(out, table, month, columns);
		break;
	case SQL_DROP:
		fputs("DROP TABLE IF EXISTS ", out);
		put_name(out, table, month);
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
	case SQL_CLEAR:
		fputs("DELETE FROM ", out);
		put_name(out, table, month);
		break;
	case SQL_WHATS:
		break;
	}
}

char *sql_make(enum sql_engine engine, enum sql_what what, const struct database_table *table, int month, size_t columns)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (what == SQL_INDEX)
		for (size_t i = 0; i <= columns; i++)
			if (!table->indexes || !table->indexes[i].name)
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
