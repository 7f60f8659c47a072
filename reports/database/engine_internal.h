/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the operations that an engine, SQLite or PostgreSQL, must implement. */
#ifndef STINT_ENGINE_INTERNAL_H
#define STINT_ENGINE_INTERNAL_H

#include "reports/database/database.h"
#include "reports/database/database_sql.h"

struct engine;

/* Describes a statement about one table, or about one month of a table. */
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
	/*
	 * Gives @lock_fd, a lock that the caller holds, to the engine, which then owns it. The pointer is NULL if
	 * the engine's lock is not a file.
	 */
	void (*take_lock)(struct engine *engine, int lock_fd);
	/*
	 * Returns whether a statement has found damage that a new file would not have. The pointer is NULL if the
	 * engine has no file.
	 */
	bool (*damaged)(const struct engine *engine);
	/* Runs a statement without values. */
	int (*execute)(struct engine *engine, const char *sql, struct error *err);
	/* Returns 1 if a table of this name exists, 0 if none does; -1 with @err set. */
	int (*exists)(struct engine *engine, const char *table, struct error *err);
	/*
	 * Returns 1 if the database has any table, 0 if it has none; -1 with @err set. The pointer is NULL if
	 * other programs may have tables in the same database.
	 */
	int (*used)(struct engine *engine, struct error *err);
	/* Fills @readers for database_readers(). The pointer is NULL if the engine does not know who reads. */
	int (*readers)(struct engine *engine, struct database_readers *readers, struct error *err);
	/*
	 * Runs @call once for each of @count rows or keys in @values. A row has table->column_count values. A key
	 * has call->columns values.
	 *
	 * @each: callback for each row that is read; NULL if none are
	 */
	int (*run)(struct engine *engine, const struct engine_call *call, const struct database_value *values, size_t count,
		   database_each *each, void *context, struct error *err);
	/* Implement database_can_group(), database_blocks(). The pointers are NULL if the engine cannot do that. */
	bool (*can_group)(const struct engine *engine);
	int (*blocks)(struct engine *engine, const struct database_table *table, int month, int64_t *blocks, struct error *err);
	/* Implements database_hold(), or database_join() if @with is not NULL. The pointer is NULL if the engine need not do that. */
	int (*hold)(struct engine *engine, const struct engine *with, struct error *err);
	/* Implements database_read(). The caller has checked that the month's table exists. */
	int (*read)(struct engine *engine, const struct database_reading *reading, database_each *each, void *context,
		    struct error *err);
};

extern const struct engine_kind engine_sqlite, engine_postgres;

#endif
