/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store's database. All SQL is in this folder. No other code knows which engine is used: SQLite (a file's path) or PostgreSQL
 * ("postgresql://...").
 *
 * Tables are described, not written out: the engines make their statements from the descriptions (database_sql.h). A row is an
 * array of values in the order of the table's columns. The first columns are the key. Some tables are made anew for each month,
 * so that old months can be dropped.
 */
#ifndef STINT_DATABASE_H
#define STINT_DATABASE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Whole numbers of 64, 32 and 16 bits. SQLite uses only as much space as each number needs, whatever the type of its column. */
enum database_type { DATABASE_INT, DATABASE_INT32, DATABASE_INT16, DATABASE_TEXT, DATABASE_BYTES };

struct database_column {
	const char *name;
	enum database_type type;
};

/*
 * The columns of an index after the cluster, by name. The last one is a moment in microseconds. PostgreSQL indexes the day of it
 * instead: rows of a day share an index entry, and the index takes a fifth of the space.
 */
#define DATABASE_INDEX_COLUMNS 2

struct database_index {
	const char *name;
	const char *columns[DATABASE_INDEX_COLUMNS];
};

/* The rows of a table that readers see, if the engine knows persons (PostgreSQL). Operators see all rows. */
enum database_access {
	ACCESS_OPERATORS, /* none */
	ACCESS_EVERYBODY, /* all */
	ACCESS_PERSON,	  /* rows whose person is the reader */
	ACCESS_USER,	  /* rows of the reader's own user_id */
	ACCESS_JOB,	  /* and rows of an account_id that the reader coordinates */
	ACCESS_WORDS	  /* users and accounts only if the reader sees rows of them; all other words */
};

struct database_table {
	const char *name;
	const struct database_column *columns;
	size_t column_count;
	size_t key;   /* how many columns are the key; they are never NULL */
	bool monthly; /* each month has a table of its own: NAME_202611. */
	bool wide;    /* rows of more than about 300 bytes */
	const struct database_index *indexes; /* ended by a NULL name; NULL: no indexes */
	enum database_access access;
};

struct database_value {
	enum { VALUE_NULL, VALUE_INT, VALUE_TEXT, VALUE_BYTES } kind;
	int64_t number;
	const void *data; /* for text and bytes; text needs no NUL */
	size_t size;
};

static inline struct database_value database_int(int64_t number)
{
	return (struct database_value){ .kind = VALUE_INT, .number = number };
}

/* A negative @number means not known. */
static inline struct database_value database_count(int64_t number)
{
	return (struct database_value){ .kind = number < 0 ? VALUE_NULL : VALUE_INT, .number = number };
}

static inline bool database_is_int(enum database_type type)
{
	return type == DATABASE_INT || type == DATABASE_INT32 || type == DATABASE_INT16;
}

/* Returns whether a column of @type, a type of whole numbers, can hold @number. */
static inline bool database_fits(enum database_type type, int64_t number)
{
	return type == DATABASE_INT16   ? number >= INT16_MIN && number <= INT16_MAX
	       : type == DATABASE_INT32 ? number >= INT32_MIN && number <= INT32_MAX
					: true;
}

struct database;

/*
 * Takes one row. Its texts are valid only during the call, which may read other tables. Returns 0; -1 with @err set, which ends
 * the reading.
 */
typedef int database_each(void *context, const struct database_value *row, struct error *err);

#define DATABASE_NOT_THE_STORES "the database has tables that are not the store's"
#define DATABASE_UNFINISHED "'stint ingest --rebuild' did not finish: run it again"

#define DATABASE_SCHEMA 4 /* version of all tables; increase it if any of them changes */

/*
 * Opens the database @where, and makes its tables if it has none.
 *
 * @tables: all tables, ended by NULL
 * @read_only: nothing is made or changed; a missing database is an error
 *
 * Returns the database, for database_close(); NULL with @err set. A database of another version is refused.
 */
struct database *database_open(const char *where, const struct database_table *const *tables, bool read_only,
			       struct error *err);

/*
 * Opens and locks the database @where, whose rows the caller will make anew. If its file is damaged, or has the tables of an
 * earlier version, moves the file away first and makes another. A file of another program is refused.
 */
struct database_renewal {
	const char *mark; /* a setting that a new file has at once, as "1" */
	const char *keep; /* a setting that a new file gets from the old one, if it can be read there */
	bool damaged; /* damage was found before, and @why says which: move the file away in any case */
	struct error why; /* what was wrong with the file that was moved away */

	/* what was done */
	bool busy; /* nothing: another process is the writer */
	char moved[PATH_MAX]; /* where it is; empty: it was good */
};

/* Returns the database, for database_close(); NULL with @err set, or if busy. */
struct database *database_renew(const char *where, const struct database_table *const *tables,
				struct database_renewal *renewal, struct error *err);

/* Returns whether the database has failed because its file is damaged, so that database_renew() helps. */
bool database_damaged(const struct database *db);

void database_close(struct database *db);

/* Returns "sqlite" or "postgresql". */
const char *database_engine(const struct database *db);

/*
 * Makes this process the only writer, and reads again which months there are.
 *
 * Returns 1; 0 if another process is the writer; -1 with @err set.
 */
int database_lock(struct database *db, struct error *err);

int database_begin(struct database *db, struct error *err);
int database_commit(struct database *db, struct error *err);
void database_rollback(struct database *db);

/*
 * Inserts @count rows, whose keys are not in the table. @month: as 202611; 0 if the table has no months. The month's table is
 * made if it is missing.
 */
int database_insert(struct database *db, const struct database_table *table, int month,
		    const struct database_value *rows, size_t count, struct error *err);

/*
 * Reads the rows whose first @columns columns are one of the @count @keys, in any order. A month without a table has no
 * rows.
 */
int database_find(struct database *db, const struct database_table *table, int month, size_t columns,
		  const struct database_value *keys, size_t count, database_each *each, void *context,
		  struct error *err);

/* Deletes these rows. */
int database_erase(struct database *db, const struct database_table *table, int month, size_t columns,
		   const struct database_value *keys, size_t count, struct error *err);

/*
 * Reads all rows whose column @column, a column of whole numbers, is from @from to @until - 1, in any order.
 */
int database_range(struct database *db, const struct database_table *table, int month, size_t column, int64_t from,
		   int64_t until, database_each *each, void *context, struct error *err);

/*
 * Reads the rows of @cluster whose column after the cluster is from @from to @until - 1, in any order. That column is the second
 * one of the key, and the key finds the rows.
 */
int database_span(struct database *db, const struct database_table *table, int month, int64_t cluster, int64_t from,
		  int64_t until, database_each *each, void *context, struct error *err);

/* The same for the last column of @index. If the index has two columns, the first one is @value. */
int database_span_of(struct database *db, const struct database_table *table, int month,
		     const struct database_index *index, int64_t cluster, int64_t value, int64_t from, int64_t until,
		     database_each *each, void *context, struct error *err);

/* Reads all rows. */
int database_scan(struct database *db, const struct database_table *table, int month, database_each *each,
		  void *context, struct error *err);

/*
 * Returns the months for which @table has tables, sorted, with 0 at the end. Valid until the next insert or drop.
 */
const int *database_months(struct database *db, const struct database_table *table);

/* Drops all rows that @table has for @month. */
int database_drop_month(struct database *db, const struct database_table *table, int month, struct error *err);

/*
 * Lets the readers' role read all tables, if the engine has such a role (docs/store.md) that cannot read them yet. The tables'
 * access decides which rows it sees.
 */
int database_let_read(struct database *db, struct error *err);

/*
 * Scans the rows of @table, which has no months, in clusters of which the reader does not see all rows. There are none for the
 * owner, or if the engine knows no readers.
 */
int database_hidden(struct database *db, const struct database_table *table, database_each *each, void *context,
		    struct error *err);

/* Empties all tables: drops the tables of months, and deletes all rows of the others except the settings. */
int database_empty(struct database *db, struct error *err);

/*
 * Returns the value kept as @name, to be freed; NULL if there is none, or, with err->text set, on failure.
 */
char *database_setting(struct database *db, const char *name, struct error *err);
int database_set(struct database *db, const char *name, const char *value, struct error *err);

#endif
