/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store's database. All SQL is in this folder, and nobody else knows which engine there is: SQLite (a file's path)
 * or PostgreSQL ("postgresql://...").
 *
 * Tables are described, not written out: the engines make their statements of the descriptions (database_sql.h). A row
 * is an array of values in the order of the table's columns, of which the first ones are the key. Some tables are made
 * anew for each month, so that the old ones can be dropped.
 */
#ifndef STINT_DATABASE_H
#define STINT_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Whole numbers of 64, 32 and 16 bits. SQLite takes as little room as each number needs, whatever its column's type is. */
enum database_type { DATABASE_INT, DATABASE_INT32, DATABASE_INT16, DATABASE_TEXT, DATABASE_BYTES };

struct database_column {
	const char *name;
	enum database_type type;
};

/*
 * Columns of an index behind the cluster, by their names. The last one is a moment in microseconds. PostgreSQL's index
 * has its day: all rows of an entry share it, and it takes a fifth of the room.
 */
#define DATABASE_INDEX_COLUMNS 2

struct database_index {
	const char *name;
	const char *columns[DATABASE_INDEX_COLUMNS];
};

/* Which rows of a table those see who only read, where the engine knows persons (PostgreSQL). Operators see all. */
enum database_access {
	ACCESS_OPERATORS, /* none */
	ACCESS_EVERYBODY, /* all */
	ACCESS_PERSON,	  /* those whose person they are */
	ACCESS_USER,	  /* of their own user_id */
	ACCESS_JOB,	  /* and of the account_id that they coordinate */
	ACCESS_WORDS	  /* users and accounts only where their rows are seen; all other words */
};

struct database_table {
	const char *name;
	const struct database_column *columns;
	size_t column_count;
	size_t key;   /* so many columns are the key; they are never NULL */
	bool monthly; /* each month has a table of its own: NAME_202611. */
	bool wide;    /* rows of more than some 300 bytes */
	const struct database_index *indexes; /* a NULL name ends them; NULL: none */
	enum database_access access;
};

struct database_value {
	enum { VALUE_NULL, VALUE_INT, VALUE_TEXT, VALUE_BYTES } kind;
	int64_t number;
	const void *data; /* of text and bytes; text needs no NUL */
	size_t size;
};

static inline struct database_value database_int(int64_t number)
{
	return (struct database_value){ .kind = VALUE_INT, .number = number };
}

/* Negative: not known. */
static inline struct database_value database_count(int64_t number)
{
	return (struct database_value){ .kind = number < 0 ? VALUE_NULL : VALUE_INT, .number = number };
}

static inline bool database_is_int(enum database_type type)
{
	return type == DATABASE_INT || type == DATABASE_INT32 || type == DATABASE_INT16;
}

/* Returns whether a column of @type, which is of whole numbers, can have @number. */
static inline bool database_fits(enum database_type type, int64_t number)
{
	return type == DATABASE_INT16   ? number >= INT16_MIN && number <= INT16_MAX
	       : type == DATABASE_INT32 ? number >= INT32_MIN && number <= INT32_MAX
					: true;
}

struct database;

/*
 * Gets one row; its texts live as long as the call, which may read other tables. Returns 0; -1 with @err set, which
 * ends the reading.
 */
typedef int database_each(void *context, const struct database_value *row, struct error *err);

#define DATABASE_SCHEMA 4 /* version of all tables: a change of any of them is a new one */

/*
 * Opens the database @where, and makes its tables where there are none.
 *
 * @tables: all tables, NULL ends them
 * @read_only: nothing is made or changed; a database that is not there is an error
 *
 * Returns it, to be closed; NULL with @err set. A database of another version is refused.
 */
struct database *database_open(const char *where, const struct database_table *const *tables, bool read_only,
			       struct error *err);

void database_close(struct database *db);

/* Returns "sqlite" or "postgresql". */
const char *database_engine(const struct database *db);

/*
 * Becomes the only one that writes. Which months there are is read anew.
 *
 * Returns 1; 0 when somebody else is; -1 with @err set.
 */
int database_lock(struct database *db, struct error *err);

int database_begin(struct database *db, struct error *err);
int database_commit(struct database *db, struct error *err);
void database_rollback(struct database *db);

/*
 * Inserts @count rows, whose keys are not in the table. @month: as 202611; 0 where the table has none. Its table is
 * made where it is missing.
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

/* Deletes them. */
int database_erase(struct database *db, const struct database_table *table, int month, size_t columns,
		   const struct database_value *keys, size_t count, struct error *err);

/*
 * Reads all rows whose column @column, which is of whole numbers, is from @from to @until - 1, in any order.
 */
int database_range(struct database *db, const struct database_table *table, int month, size_t column, int64_t from,
		   int64_t until, database_each *each, void *context, struct error *err);

/*
 * Reads the rows whose column behind the cluster is from @from to @until - 1, in any order. It is the second column of
 * the key, by which they are found.
 */
int database_span(struct database *db, const struct database_table *table, int month, int64_t cluster, int64_t from,
		  int64_t until, database_each *each, void *context, struct error *err);

/* The same by the last column of @index. Where that has two, the first one is @value. */
int database_span_of(struct database *db, const struct database_table *table, int month,
		     const struct database_index *index, int64_t cluster, int64_t value, int64_t from, int64_t until,
		     database_each *each, void *context, struct error *err);

/* Reads all rows. */
int database_scan(struct database *db, const struct database_table *table, int month, database_each *each,
		  void *context, struct error *err);

/*
 * Returns the months of which @table has tables, sorted, and 0 behind them. Valid until the next insert or drop.
 */
const int *database_months(struct database *db, const struct database_table *table);

/* Drops what @table has of @month. */
int database_drop_month(struct database *db, const struct database_table *table, int month, struct error *err);

/*
 * Lets the readers' role read all tables, where the engine has such a role (docs/store.md) and it cannot yet. Which
 * rows that is, the tables' access says.
 *
 * Returns 0; -1 with @err set.
 */
int database_let_read(struct database *db, struct error *err);

/*
 * Scans the rows of @table, which has no months, in clusters of which the reader does not see all rows: none for the
 * owner, and where the engine knows no readers.
 */
int database_hidden(struct database *db, const struct database_table *table, database_each *each, void *context,
		    struct error *err);

/* Empties all tables: drops those of months, and deletes all rows of the others but the settings. */
int database_empty(struct database *db, struct error *err);

/*
 * Returns what is kept as @name, to be freed; NULL: nothing, or with err->text set: it failed.
 */
char *database_setting(struct database *db, const char *name, struct error *err);
int database_set(struct database *db, const char *name, const char *value, struct error *err);

#endif
