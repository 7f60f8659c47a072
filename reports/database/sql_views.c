/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/database/sql_views.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

struct writing {
	FILE *out;
	enum sql_engine engine;
	const struct database_table *table;
	const struct database_view *view;
};

/* ---- the rows of all months ---- */

static bool is(const char *one, const char *other)
{
	return one && strcmp(one, other) == 0;
}

static bool has(const char *const *list, const char *column)
{
	for (; *list; list++)
		if (is(*list, column))
			return true;
	return false;
}

/* Returns whether the view needs this column of the table. Each view needs the cluster, to find words. */
static bool needs(const struct writing *writing, const char *column)
{
	const struct database_view *view = writing->view;

	if (is(view->items, column) || is(writing->table->columns[0].name, column))
		return true;
	for (size_t i = 0; i < view->column_count; i++) {
		const struct database_view_column *shown = &view->columns[i];

		if (is(shown->column, column) || is(shown->other, column) || is(shown->after, column) || has(shown->plus, column) ||
		    has(shown->minus, column) || has(shown->known, column))
			return true;
	}
	return false;
}

/*
 * Selects the month and the columns that the view needs.
 *
 * @month: 0 selects NULL of each column's type
 */
static void put_needed(const struct writing *writing, int month)
{
	if (month)
		fprintf(writing->out, "%06d AS table_month", month);
	else
		fputs("CAST(NULL AS integer) AS table_month", writing->out);
	for (size_t i = 0; i < writing->table->column_count; i++) {
		const struct database_column *column = &writing->table->columns[i];

		if (!needs(writing, column->name))
			continue;
		if (month)
			fprintf(writing->out, ", %s", column->name);
		else
			fprintf(writing->out, ", CAST(NULL AS %s) AS %s", sql_type(writing->engine, column->type), column->name);
	}
}

/*
 * Writes a subquery with the rows of all months (UNION ALL). Words are looked up in its result. In this form, an engine
 * reads only the columns and months that a query uses.
 */
static void put_months(const struct writing *writing, const int *months)
{
	fputs("(", writing->out);
	if (!*months) {
		fputs("SELECT ", writing->out);
		put_needed(writing, 0);
		fputs(" WHERE 1 = 0", writing->out);
	}
	for (size_t i = 0; months[i]; i++) {
		fputs(i ? " UNION ALL SELECT " : "SELECT ", writing->out);
		put_needed(writing, months[i]);
		fprintf(writing->out, " FROM %s_%06d", writing->table->name, months[i]);
	}
	fputs(") AS j", writing->out);
}

/* ---- a row for each item of a list, or for each bit ---- */

static void put_bits(const struct writing *writing, database_view_word *word)
{
	fputs(" CROSS JOIN (VALUES ", writing->out); /* SQLite loops over the tables of a CROSS JOIN in their order */
	for (int i = 0; word(i); i++)
		fprintf(writing->out, "%s(%llu, '%s')", i ? ", " : "", 1ULL << i, word(i));
	fputs(") AS e", writing->out);
}

static void put_items(const struct writing *writing)
{
	const struct database_view *view = writing->view;

	if (!view->items)
		return;
	if (view->bit_word)
		put_bits(writing, view->bit_word);
	else if (writing->engine == SQL_POSTGRES)
		fprintf(writing->out, " CROSS JOIN LATERAL pg_catalog.json_array_elements(j.%s::json) AS e (value)", view->items);
	else
		fprintf(writing->out, " JOIN json_each(j.%s) AS e", view->items);
}

static void put_item(const struct writing *writing, size_t number)
{
	fprintf(writing->out, writing->engine == SQL_POSTGRES ? "(e.value ->> %zu)::bigint" : "json_extract(e.value, '$[%zu]')",
		number);
}

/* If a list has only one item, a number that the item lacks is in the column @other. */
static void put_item_or(const struct writing *writing, size_t number, const char *other)
{
	fputs("nullif(coalesce(", writing->out);
	put_item(writing, number);
	fprintf(writing->out, writing->engine == SQL_POSTGRES ? ", CASE WHEN pg_catalog.json_array_length(j.%s::json) = 1 THEN j.%s END), -1)"
							      : ", CASE WHEN json_array_length(j.%s) = 1 THEN j.%s END), -1)",
		writing->view->items, other);
}

/* ---- words ---- */

static void put_choice(const struct writing *writing, const struct database_view_column *column)
{
	fprintf(writing->out, "CASE j.%s", column->column);
	for (int i = 0; column->word(i); i++)
		fprintf(writing->out, " WHEN %d THEN '%s'", i, column->word(i));
	fputs(" END", writing->out);
}

static bool is_word(const struct database_view_column *column)
{
	return column->show == SHOW_CLUSTER || column->show == SHOW_WORD || column->show == SHOW_ITEM_WORD;
}

/*
 * Writes a table and the condition that finds a word in it.
 *
 * @at: makes the table's alias unique
 */
static void put_word_source(const struct writing *writing, const struct database_view_column *column, size_t at)
{
	const char *where = writing->engine == SQL_POSTGRES ? "ON" : "WHERE";

	if (column->show == SHOW_CLUSTER) {
		fprintf(writing->out, "cluster AS w%zu %s w%zu.id = j.cluster", at, where, at);
		return;
	}
	fprintf(writing->out, "name AS w%zu %s w%zu.cluster = j.cluster AND w%zu.kind = %d AND w%zu.id = ", at, where, at, at,
		column->kind, at);
	if (column->show == SHOW_WORD)
		fprintf(writing->out, "j.%s", column->column);
	else
		put_item(writing, 0);
}

/*
 * A word that a query does not use must cost nothing. PostgreSQL leaves out a join that finds at most one row by a
 * unique index. SQLite leaves out such a join only without GROUP BY (whereOmitNoopJoin() in its where.c), but never
 * evaluates an unused subquery.
 */
static void put_joins(const struct writing *writing)
{
	for (size_t i = 0; writing->engine == SQL_POSTGRES && i < writing->view->column_count; i++)
		if (is_word(&writing->view->columns[i])) {
			fputs(" LEFT JOIN ", writing->out);
			put_word_source(writing, &writing->view->columns[i], i);
		}
}

static void put_word(const struct writing *writing, const struct database_view_column *column, size_t at)
{
	fputs(column->otherwise ? "coalesce(" : "", writing->out);
	if (writing->engine == SQL_POSTGRES) {
		fprintf(writing->out, "w%zu.text", at);
	} else {
		fprintf(writing->out, "(SELECT w%zu.text FROM ", at);
		put_word_source(writing, column, at);
		fputs(")", writing->out);
	}
	if (column->otherwise)
		fprintf(writing->out, ", '%s')", column->otherwise);
}

/* ---- computed numbers ---- */

static void put_sum(FILE *out, const struct database_view_column *column)
{
	for (size_t i = 0; column->known[i]; i++)
		fprintf(out, "%s j.%s IS NOT NULL", i ? " AND" : "CASE WHEN", column->known[i]);
	fputs(" THEN ", out);
	for (size_t i = 0; column->plus[i]; i++)
		fprintf(out, "%scoalesce(j.%s, 0)", i ? " + " : "", column->plus[i]);
	for (size_t i = 0; column->minus[i]; i++)
		fprintf(out, " - coalesce(j.%s, 0)", column->minus[i]);
	fputs(" END", out);
}

/*
 * Rounds a half up, like stint. A cast of PostgreSQL rounds it to the even number, and one of SQLite cuts. Both sides of
 * each operator have a type for which PostgreSQL has it: otherwise one that another role made would fit better.
 */
static void put_share(const struct writing *writing, const char *part, const char *whole)
{
	fprintf(writing->out, "CASE WHEN j.%s > 0 AND j.%s >= j.%s THEN 1000000 WHEN j.%s > 0 THEN ", whole, part, whole, whole);
	fprintf(writing->out,
		writing->engine == SQL_POSTGRES ? "pg_catalog.floor(1000000::float8 * j.%s::float8 / j.%s::float8 + 0.5::float8)::bigint END"
						: "CAST(1000000.0 * j.%s / j.%s + 0.5 AS INTEGER) END",
		part, whole);
}

/* ---- a view ---- */

static void put_value(const struct writing *writing, const struct database_view_column *column, size_t at)
{
	switch (column->show) {
	case SHOW_COLUMN:
		fprintf(writing->out, "j.%s", column->column);
		break;
	case SHOW_POSITIVE:
		fprintf(writing->out, "CASE WHEN j.%s >= 0 THEN j.%s END", column->column, column->column);
		break;
	case SHOW_OR_OTHER:
		fprintf(writing->out, "nullif(coalesce(j.%s, j.%s), -1)", column->column, column->other);
		break;
	case SHOW_SUM:
		put_sum(writing->out, column);
		break;
	case SHOW_SHARE:
		put_share(writing, column->column, column->other);
		break;
	case SHOW_OR_AFTER:
		fprintf(writing->out, "nullif(coalesce(j.%s, j.%s * 1000000 + j.%s * 1000), -1)", column->column, column->other,
			column->after);
		break;
	case SHOW_MONTH:
		fputs("j.table_month", writing->out);
		break;
	case SHOW_CHOICE:
		put_choice(writing, column);
		break;
	case SHOW_CLUSTER:
	case SHOW_WORD:
	case SHOW_ITEM_WORD:
		put_word(writing, column, at);
		break;
	case SHOW_ITEM:
		if (column->other)
			put_item_or(writing, column->number, column->other);
		else
			put_item(writing, column->number);
		break;
	case SHOW_BIT:
		fputs("e.column2", writing->out);
		break;
	}
	fprintf(writing->out, " AS %s", column->name);
}

static void put_select(const struct writing *writing, const int *months)
{
	fputs("SELECT ", writing->out);
	for (size_t i = 0; i < writing->view->column_count; i++) {
		fputs(i ? ", " : "", writing->out);
		put_value(writing, &writing->view->columns[i], i);
	}
	fputs(" FROM ", writing->out);
	put_months(writing, months);
	put_items(writing);
	put_joins(writing);
	if (writing->view->bit_word)
		fprintf(writing->out, " WHERE (j.%s & e.column1) <> 0", writing->view->items);
}

#define MAY_READ                                                                                               \
	"IF EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'stint_reader') AND EXISTS (SELECT FROM pg_catalog.pg_class "      \
	"WHERE oid = pg_catalog.to_regclass('%s')::oid AND 'security_invoker=true' = ANY (reloptions)) THEN "                    \
	"IF NOT pg_catalog.has_table_privilege('stint_reader', '%s', 'SELECT') THEN GRANT SELECT ON %s TO stint_reader; END IF; END IF; "

/*
 * If the columns stay the same, replaces the view, and keeps other views that use it. PostgreSQL cannot replace a view
 * by one with other columns. So if the columns change, drops the view, with all views that use it.
 */
static void put_postgres(const struct writing *writing, const int *months)
{
	const char *name = writing->view->name;

	fputs("DO $view$ DECLARE question text := $question$", writing->out);
	put_select(writing, months);
	fprintf(writing->out,
		"$question$; BEGIN BEGIN EXECUTE 'CREATE OR REPLACE VIEW %s AS ' || question; "
		"EXCEPTION WHEN invalid_table_definition THEN DROP VIEW %s CASCADE; EXECUTE 'CREATE VIEW %s AS ' || question; END; "
		"IF pg_catalog.current_setting('server_version_num')::int >= 150000 THEN ALTER VIEW %s SET (security_invoker = true); END IF; ",
		name, name, name, name);
	fprintf(writing->out, MAY_READ "END $view$; ", name, name, name);
}

static void put_sqlite(const struct writing *writing, const int *months)
{
	fprintf(writing->out, "DROP VIEW IF EXISTS %s; CREATE VIEW %s AS ", writing->view->name, writing->view->name);
	put_select(writing, months);
	fputs("; ", writing->out);
}

int sql_views_put(FILE *out, enum sql_engine engine, const struct database_table *table, const int *months)
{
	cleanup_free struct database_view *view = malloc(sizeof(*view));
	const struct writing writing = { out, engine, table, view };

	fputs("CREATE UNIQUE INDEX IF NOT EXISTS name_id ON name (cluster, kind, id); "
	      "CREATE UNIQUE INDEX IF NOT EXISTS cluster_id ON cluster (id); ", out);
	for (size_t i = 0; view && table->view && table->view(i, view); i++)
		if (engine == SQL_POSTGRES)
			put_postgres(&writing, months);
		else
			put_sqlite(&writing, months);
	return view ? 0 : -1;
}

int sql_views_put_let_read(FILE *out, const struct database_table *table)
{
	cleanup_free struct database_view *view = malloc(sizeof(*view));

	for (size_t i = 0; view && table->view && table->view(i, view); i++) {
		fputs("DO $$ BEGIN ", out);
		fprintf(out, MAY_READ, view->name, view->name, view->name);
		fputs("END $$; ", out);
	}
	return view ? 0 : -1;
}
