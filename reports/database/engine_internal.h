/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an engine does. */
#ifndef STINT_ENGINE_INTERNAL_H
#define STINT_ENGINE_INTERNAL_H

#include "reports/database/database.h"
#include "reports/database/database_sql.h"

struct engine;

/* A statement on one table, or one month of it. */
struct engine_call {
	enum sql_what what;
	const struct database_table *table;
	int month;
	size_t columns; /* as sql_make() has them */
};

struct engine_kind {
	const char *name;
	enum sql_engine sql;
	struct engine *(*open)(const char *where, bool read_only, struct error *err);
	void (*close)(struct engine *engine);
	int (*lock)(struct engine *engine, struct error *err);
	/* Runs a statement without values. */
	int (*execute)(struct engine *engine, const char *sql, struct error *err);
	/* Whether there is a table of this name: 0 or 1; -1 with @err set. */
	int (*exists)(struct engine *engine, const char *table, struct error *err);
	/* The same of any table in a database that can be nobody else's too; NULL: other programs may share it. */
	int (*used)(struct engine *engine, struct error *err);
	/*
	 * Runs @call for each of @count rows (of table->column_count values) or keys (of call->columns values). @each:
	 * gets the rows, or NULL
	 */
	int (*run)(struct engine *engine, const struct engine_call *call, const struct database_value *values, size_t count,
		   database_each *each, void *context, struct error *err);
};

extern const struct engine_kind engine_sqlite, engine_postgres;

#endif
