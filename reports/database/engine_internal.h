/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The operations that each engine implements. */
#ifndef STINT_ENGINE_INTERNAL_H
#define STINT_ENGINE_INTERNAL_H

#include "reports/database/database.h"
#include "reports/database/database_sql.h"

struct engine;

/* A statement about one table, or about one month of a table. */
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
	/* Takes ownership of the lock, which the caller holds. NULL if the lock is not a file. */
	void (*take_lock)(struct engine *engine, int lock_fd);
	/* Returns whether a statement has found damage that a new file would not have. NULL if the engine has no file. */
	bool (*damaged)(const struct engine *engine);
	/* Runs a statement without values. */
	int (*execute)(struct engine *engine, const char *sql, struct error *err);
	/* Returns 1 if a table of this name exists, else 0; -1 with @err set. */
	int (*exists)(struct engine *engine, const char *table, struct error *err);
	/*
	 * Returns 1 if any table exists, else 0; -1 with @err set. This is for a database that only the store may
	 * use. NULL if other programs may share the database.
	 */
	int (*used)(struct engine *engine, struct error *err);
	/* Fills @readers (database_readers()). NULL if the engine does not know persons. */
	int (*readers)(struct engine *engine, struct database_readers *readers, struct error *err);
	/*
	 * Runs @call once for each of @count rows or keys. A row has table->column_count values, and a key
	 * call->columns values.
	 *
	 * @each: callback for the rows that are read, or NULL
	 */
	int (*run)(struct engine *engine, const struct engine_call *call, const struct database_value *values, size_t count,
		   database_each *each, void *context, struct error *err);
	/* Does what database_read() says. The month's table exists. */
	int (*read)(struct engine *engine, const struct database_reading *reading, database_each *each, void *context,
		    struct error *err);
};

extern const struct engine_kind engine_sqlite, engine_postgres;

#endif
