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
};

static void put_value(struct writing *writing, const struct database_condition *condition)
{
	if (writing->engine == SQL_POSTGRES)
		fprintf(writing->out, "$%zu::%s", writing->values + 1, condition->value.kind == VALUE_TEXT ? "text" : "bigint");
	else
		fprintf(writing->out, "?%zu", writing->values + 1);
}

/* Returns whether PostgreSQL has an index with the day of the column @name. */
static bool is_indexed_by_day(const struct writing *writing, const struct database_table *table, const char *name)
{
	for (size_t i = 0; writing->engine == SQL_POSTGRES && table->indexes && table->indexes[i].name; i++)
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
	if (!is_indexed_by_day(writing, table, name))
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
	writing->values += sql_read_has_value(condition);
}

static void put(struct writing *writing, const struct database_reading *reading, bool own)
{
	const struct database_table *table = reading->table;

	fputs(writing->engine == SQL_SQLITE ? "SELECT " SQL_EACH "(" : "SELECT ", writing->out);
	for (size_t i = 0; i < reading->column_count; i++)
		fprintf(writing->out, "%s%s", i ? ", " : "", table->columns[reading->columns[i]].name);
	fprintf(writing->out, "%s FROM %s", writing->engine == SQL_SQLITE ? ")" : "", table->name);
	if (table->monthly)
		fprintf(writing->out, "_%06d", reading->month);
	if (reading->many && writing->engine == SQL_SQLITE)
		fputs(" NOT INDEXED", writing->out); /* only for SQLite: PostgreSQL itself knows how many rows match */
	for (size_t i = 0; i < reading->condition_count; i++) {
		fputs(i ? " AND " : " WHERE ", writing->out);
		put_condition(writing, table, &reading->conditions[i]);
	}
	if (own)
		fprintf(writing->out, " %s (user_id = ANY ($%zu::integer[]) OR account_id = ANY ($%zu::integer[]))",
			reading->condition_count ? "AND" : "WHERE", writing->values + 1, writing->values + 2);
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
