/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an engine, SQLite or PostgreSQL, must implement. */
#ifndef STINT_ENGINE_INTERNAL_H
#define STINT_ENGINE_INTERNAL_H

#include "reports/database/database.h"
#include "reports/database/database_sql.h"

struct engine;

/* A statement about a table or a month. */
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
	/* The engine then owns @lock_fd. NULL if its lock is not a file. */
	void (*take_lock)(struct engine *engine, int lock_fd);
	/* Returns whether a statement found that the file is damaged. The pointer is NULL if the engine has no file. */
	bool (*damaged)(const struct engine *engine);
	/* Runs a statement without values. */
	int (*execute)(struct engine *engine, const char *sql, struct error *err);
	/* Returns 1 if the table exists, 0 if not; -1 with @err set. */
	int (*exists)(struct engine *engine, const char *table, struct error *err);
	/*
	 * Returns 1 if the database has a table, 0 if it is empty; -1 with @err set. The pointer is NULL if other
	 * programs may have tables in the database.
	 */
	int (*used)(struct engine *engine, struct error *err);
	/* Fills @readers. NULL if the engine does not know who reads. */
	int (*readers)(struct engine *engine, struct database_readers *readers, struct error *err);
	/*
	 * Runs @call for each of @count rows (table->column_count values) or keys (call->columns values).
	 *
	 * @each: for each row that is read; may be NULL
	 */
	int (*run)(struct engine *engine, const struct engine_call *call, const struct database_value *values, size_t count,
		   database_each *each, void *context, struct error *err);
	/* database_can_group() and database_blocks(); NULL if the engine cannot group rows */
	bool (*can_group)(const struct engine *engine);
	int (*blocks)(struct engine *engine, const struct database_table *table, int month, int64_t *blocks, struct error *err);
	/*
	 * database_hold(), or database_join() if @with is not NULL. The pointer is NULL if the engine need not do
	 * anything
	 */
	int (*hold)(struct engine *engine, const struct engine *with, struct error *err);
	/* database_read(); the month's table exists */
	int (*read)(struct engine *engine, const struct database_reading *reading, database_each *each, void *context,
		    struct error *err);
};

extern const struct engine_kind engine_sqlite, engine_postgres;

#endif
