/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The operations of an engine. */
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
	size_t columns; /* as for sql_make() */
};

struct engine_kind {
	const char *name;
	enum sql_engine sql;
	struct engine *(*open)(const char *where, bool read_only, struct error *err);
	void (*close)(struct engine *engine);
	int (*lock)(struct engine *engine, struct error *err);
	/* Takes over the lock, which the caller holds; NULL: the lock is no file. */
	void (*take_lock)(struct engine *engine, int lock_fd);
	/* Returns whether a statement has found damage that a new file would not have; NULL: the engine has no file. */
	bool (*damaged)(const struct engine *engine);
	/* Runs a statement without values. */
	int (*execute)(struct engine *engine, const char *sql, struct error *err);
	/* Returns 1 if there is a table of this name, else 0; -1 with @err set. */
	int (*exists)(struct engine *engine, const char *table, struct error *err);
	/* The same for any table, in a database that belongs to the store alone; NULL: other programs may share the database. */
	int (*used)(struct engine *engine, struct error *err);
	/*
	 * Runs @call for each of @count rows (of table->column_count values) or keys (of call->columns values). @each: callback
	 * for the rows, or NULL
	 */
	int (*run)(struct engine *engine, const struct engine_call *call, const struct database_value *values, size_t count,
		   database_each *each, void *context, struct error *err);
};

extern const struct engine_kind engine_sqlite, engine_postgres;

#endif
