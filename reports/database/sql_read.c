/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/database/sql_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sql_read_has_value(const struct database_condition *condition)
{
	return condition->match != MATCH_NULL && condition->match != MATCH_EMPTY;
}

struct writing {
	FILE *out;
	enum sql_engine engine;
	size_t values; /* how many values the statement needs so far */
	bool literal; /* numbers become part of the statement */
};

static void put_value(struct writing *writing, const struct database_condition *condition)
{
	if (writing->literal)
		fprintf(writing->out, "%lld::bigint", (long long)condition->value.number);
	else if (writing->engine == SQL_POSTGRES)
		fprintf(writing->out, "$%zu::%s", writing->values + 1, condition->value.kind == VALUE_TEXT ? "text" : "bigint");
	else
		fprintf(writing->out, "?%zu", writing->values + 1);
}

/* Returns whether an index has the day of the column @name. */
static bool is_indexed_by_day(const struct database_table *table, const char *name)
{
	for (size_t i = 0; table->indexes && table->indexes[i].name; i++)
		for (size_t k = 0; k < DATABASE_INDEX_COLUMNS && table->indexes[i].columns[k]; k++)
			if ((k + 1 == DATABASE_INDEX_COLUMNS || !table->indexes[i].columns[k + 1]) &&
			    strcmp(table->indexes[i].columns[k], name) == 0)
				return true;
	return false;
}

static void put_bound(struct writing *writing, const struct database_table *table, const char *name,
		      const struct database_condition *condition)
{
	bool from = condition->match == MATCH_FROM;

	fprintf(writing->out, "%s %s ", name, from ? ">=" : "<");
	put_value(writing, condition);
	if (!is_indexed_by_day(table, name))
		return;
	fprintf(writing->out, " AND %s / " SQL_DAY " %s ", name, from ? ">=" : "<=");
	put_value(writing, condition);
	fputs(" / " SQL_DAY, writing->out);
}

static void put_condition(struct writing *writing, const struct database_table *table,
			  const struct database_condition *condition)
{
	const char *name = table->columns[condition->column].name;

	switch (condition->match) {
	case MATCH_NULL:
		fprintf(writing->out, "%s IS NULL", name);
		break;
	case MATCH_EMPTY:
		fprintf(writing->out, "(%s IS NULL OR %s = '')", name, name);
		break;
	case MATCH_IS:
		fprintf(writing->out, "%s = ", name);
		put_value(writing, condition);
		break;
	case MATCH_NULL_OR_BELOW:
		fprintf(writing->out, "(%s IS NULL OR %s < ", name, name);
		put_value(writing, condition);
		fputs(")", writing->out);
		break;
	case MATCH_FROM:
	case MATCH_BELOW:
		put_bound(writing, table, name, condition);
		break;
	case MATCH_BITS:
		fprintf(writing->out, "(%s & ", name);
		put_value(writing, condition);
		fputs(") <> 0", writing->out);
		break;
	case MATCH_LIKE:
		fprintf(writing->out, "%s LIKE ", name);
		put_value(writing, condition);
		break;
	}
	writing->values += !writing->literal && sql_read_has_value(condition);
}

/* ---- totals (only PostgreSQL) ---- */

static void put_matching(struct writing *writing, const struct database_table *table, const struct database_total *total)
{
	writing->literal = true;
	fputs("pg_catalog.count(*) FILTER (WHERE ", writing->out);
	for (size_t i = 0; i < total->condition_count; i++) {
		fputs(i ? " OR " : "", writing->out);
		put_condition(writing, table, &total->conditions[i]);
	}
	fputs(")", writing->out);
	writing->literal = false;
}

static void put_list(FILE *out, const struct database_table *table, const struct database_total *total)
{
	fputs("pg_catalog.string_agg(pg_catalog.int8send(", out);
	for (size_t i = 0; i < total->field_count; i++) {
		const struct database_field *field = &total->fields[i];

		fprintf(out, "%scoalesce(%s, %lld) * %lld::bigint", i ? " + " : "", table->columns[field->column].name,
			(long long)field->if_null, (long long)field->factor);
	}
	fputs("), ''::bytea)", out);
}

static void put_total(struct writing *writing, const struct database_table *table, const struct database_total *total)
{
	const char *name = table->columns[total->column].name;

	switch (total->what) {
	case SUM_ROWS:
		fputs("pg_catalog.count(*)", writing->out);
		break;
	case SUM_KNOWN:
	case SUM_OF:
		fprintf(writing->out, total->what == SUM_OF ? "pg_catalog.sum(%s)" : "pg_catalog.count(%s)", name);
		if (total->other != total->column)
			fprintf(writing->out, " FILTER (WHERE %s IS NOT NULL)", table->columns[total->other].name);
		break;
	case SUM_LEAST:
	case SUM_MOST:
		fprintf(writing->out, "pg_catalog.%s(%s)", total->what == SUM_LEAST ? "min" : "max", name);
		break;
	case SUM_MATCHING:
		put_matching(writing, table, total);
		break;
	case SUM_LIST:
		put_list(writing->out, table, total);
		break;
	}
}

static void put_grouping(FILE *out, const struct database_reading *reading)
{
	fputs(" GROUP BY ", out);
	for (size_t i = 0; i < reading->column_count; i++)
		fprintf(out, "%s%s", i ? ", " : "", reading->table->columns[reading->columns[i]].name);
}

/* ---- statements ---- */

static void put_blocks(FILE *out, const struct database_reading *reading)
{
	if (reading->last_block)
		fprintf(out, " %s ctid >= '(%lld,0)'::tid AND ctid < '(%lld,0)'::tid", reading->condition_count ? "AND" : "WHERE",
			(long long)reading->first_block, (long long)reading->last_block);
}

static void put(struct writing *writing, const struct database_reading *reading, bool own)
{
	const struct database_table *table = reading->table;

	fputs(writing->engine == SQL_SQLITE ? "SELECT " SQL_EACH "(" : "SELECT ", writing->out);
	for (size_t i = 0; i < reading->column_count; i++)
		fprintf(writing->out, "%s%s", i ? ", " : "", table->columns[reading->columns[i]].name);
	for (size_t i = 0; i < reading->total_count; i++) {
		fputs(i || reading->column_count ? ", " : "", writing->out);
		put_total(writing, table, &reading->totals[i]);
	}
	fprintf(writing->out, "%s FROM %s", writing->engine == SQL_SQLITE ? ")" : "", table->name);
	if (table->monthly)
		fprintf(writing->out, "_%06d", reading->month);
	if (reading->many && writing->engine == SQL_SQLITE)
		fputs(" NOT INDEXED", writing->out); /* PostgreSQL itself knows how many rows match */
	for (size_t i = 0; i < reading->condition_count; i++) {
		fputs(i ? " AND " : " WHERE ", writing->out);
		put_condition(writing, table, &reading->conditions[i]);
	}
	put_blocks(writing->out, reading);
	if (own)
		fprintf(writing->out, " %s (user_id = ANY ($%zu::integer[]) OR account_id = ANY ($%zu::integer[]))",
			reading->condition_count || reading->last_block ? "AND" : "WHERE", writing->values + 1, writing->values + 2);
	if (reading->total_count && reading->column_count)
		put_grouping(writing->out, reading);
}

char *sql_read_make(enum sql_engine engine, const struct database_reading *reading, bool own)
{
	char *text = NULL;
	size_t size;
	struct writing writing = { .out = open_memstream(&text, &size), .engine = engine };

	if (!writing.out)
		return NULL;
	put(&writing, reading, own);
	if (ferror(writing.out) | fclose(writing.out)) {
		free(text);
		return NULL;
	}
	return text;
}
