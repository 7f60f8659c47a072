/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes the store's database. The database is SQLite (@where is the path of a file) or PostgreSQL
 * (@where is "postgresql://..."). Code outside of this folder contains no SQL, and does not depend on the engine.
 *
 * Callers describe tables, and database_sql.h makes the statements of both engines from these descriptions. A row
 * is an array of values in the order of the table's columns. The first columns are the key. Some tables have a
 * separate table for each month, so that old months can be dropped.
 */
#ifndef STINT_DATABASE_H
#define STINT_DATABASE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/error.h"

/* The first three types are whole numbers. SQLite ignores their sizes. */
enum database_type { DATABASE_INT, DATABASE_INT32, DATABASE_INT16, DATABASE_TEXT, DATABASE_BYTES };

struct database_column {
	const char *name;
	enum database_type type;
};

/*
 * The index begins with the cluster. The columns that follow are listed here. The last column must be a time in
 * microseconds.
 *
 * Only the day of this time is indexed: it takes six bytes less in SQLite. In PostgreSQL, rows of one day share an entry,
 * which takes a fifth of the space. If the time is the only column listed, PostgreSQL also makes a small index of the
 * time itself.
 */
#define DATABASE_INDEX_COLUMNS 2

struct database_index {
	const char *name;
	const char *columns[DATABASE_INDEX_COLUMNS];
};

/* Which rows readers can see in PostgreSQL. Operators see all rows. SQLite does not know who reads. */
enum database_access {
	ACCESS_OPERATORS, /* none */
	ACCESS_EVERYBODY, /* all */
	ACCESS_PERSON,	  /* rows whose column "person" is the reader */
	ACCESS_USER,	  /* rows whose user_id is the reader */
	ACCESS_JOB,	  /* as ACCESS_USER, and rows whose account_id the reader coordinates */
	ACCESS_WORDS	  /* all words, except names of users and accounts of which the reader sees no rows */
};

/* What a view shows for a column. An unknown number is NULL, except where a line says something else. */
enum database_show {
	SHOW_COLUMN,	/* as it is */
	SHOW_POSITIVE,	/* NULL if it is negative */
	SHOW_OR_OTHER,	/* if it is NULL, the column "other" */
	SHOW_SUM,	/* the sum of the columns "plus" without those in "minus", where NULL is 0; NULL if one of "known" is NULL */
	SHOW_SHARE,	/* the part that "column" is of "other", in millionths and at most 1,000,000; NULL if "other" is 0 */
	SHOW_OR_AFTER,	/* if it is NULL, "after" milliseconds after the time "other" in seconds, in microseconds */
	SHOW_CHOICE,	/* the word that word() returns */
	SHOW_MONTH,	/* the month of the row's table */
	SHOW_CLUSTER,	/* the cluster's name */
	SHOW_WORD,	/* the word of kind "kind" that has this number */
	SHOW_ITEM_WORD, /* the word of kind "kind" that has the item's first number; "otherwise" if there is no such word */
	SHOW_ITEM,	/* a number of the item; the column "other" if this number is NULL and the list has only one item */
	SHOW_BIT	/* the word of the bit */
};

/* Returns the word of a number or a bit; NULL after the last word. */
typedef const char *database_view_word(int number);

#define DATABASE_VIEW_SUMMANDS 9
struct database_view_column {
	const char *name;
	enum database_show show;
	const char *column, *other, *after; /* of the table */
	const char *plus[DATABASE_VIEW_SUMMANDS + 1], *minus[DATABASE_VIEW_SUMMANDS + 1], *known[3]; /* each ended by NULL */
	int kind;
	size_t number; /* of the item */
	const char *otherwise;
	database_view_word *word;
};

/*
 * A view shows the rows of all months of a table to other programs. When the table changes, the view keeps its columns:
 * plain names with units, and words instead of numbers (docs/store.md).
 *
 * If items is not NULL, it names a column, and the view has a row for each item of that column. The items are the
 * elements of a list in JSON. If bit_word is set, the items are the bits of a number.
 */
#define DATABASE_VIEW_COLUMNS 112
struct database_view {
	const char *name;
	const char *items;
	database_view_word *bit_word;
	size_t column_count;
	struct database_view_column columns[DATABASE_VIEW_COLUMNS];
};

struct database_table {
	const char *name;
	const struct database_column *columns;
	size_t column_count;
	size_t key;   /* how many columns form the key; these columns are never NULL */
	bool monthly; /* each month has a table of its own: NAME_202611 */
	bool wide;    /* rows have more than about 300 bytes */
	const struct database_index *indexes; /* ended by an index without a name; NULL if there are no indexes */
	enum database_access access;
	/*
	 * Describes view number @which. Returns false if there is no such view. The pointer is NULL if the table has no
	 * views.
	 */
	bool (*view)(size_t which, struct database_view *view);
};

struct database_value {
	enum { VALUE_NULL, VALUE_INT, VALUE_TEXT, VALUE_BYTES } kind;
	int64_t number;
	const void *data; /* a text need not end with a NUL */
	size_t size;
};

static inline struct database_value database_int(int64_t number)
{
	return (struct database_value){ .kind = VALUE_INT, .number = number };
}

/* A negative @number means "not known", and becomes NULL. */
static inline struct database_value database_count(int64_t number)
{
	return (struct database_value){ .kind = number < 0 ? VALUE_NULL : VALUE_INT, .number = number };
}

/* For a sum of a rollup: 0 becomes NULL, which takes no space in PostgreSQL. */
static inline struct database_value database_sum(int64_t number)
{
	return (struct database_value){ .kind = number ? VALUE_INT : VALUE_NULL, .number = number };
}

/* The value is valid as long as @text. */
static inline struct database_value database_text(const char *text)
{
	return (struct database_value){ .kind = VALUE_TEXT, .data = text, .size = strlen(text) };
}

static inline bool database_is_int(enum database_type type)
{
	return type == DATABASE_INT || type == DATABASE_INT32 || type == DATABASE_INT16;
}

/* @type: one of whole numbers */
static inline bool database_fits(enum database_type type, int64_t number)
{
	return type == DATABASE_INT16   ? number >= INT16_MIN && number <= INT16_MAX
	       : type == DATABASE_INT32 ? number >= INT32_MIN && number <= INT32_MAX
					: true;
}

struct database;

/*
 * Receives one row. Texts are valid only during the call. The function may read other tables.
 * Returns 0; -1 with @err set to stop the reading.
 */
typedef int database_each(void *context, const struct database_value *row, struct error *err);

#define DATABASE_NOT_THE_STORES "the database has tables that do not belong to the store"
#define DATABASE_UNFINISHED "'stint ingest --rebuild' did not finish: run it again"

#define DATABASE_SCHEMA 8 /* version of all tables; increase it if a table changes */

/*
 * Opens the database, and creates the tables if it is empty. Refuses tables of another version.
 *
 * @tables: ended by NULL
 * @read_only: change nothing, and fail if there is no database
 *
 * Returns the database, to be closed with database_close(); NULL with @err set.
 */
struct database *database_open(const char *where, const struct database_table *const *tables, bool read_only,
			       struct error *err);

/*
 * For database_renew(), which opens and locks a database so that the caller can write all rows again.
 * If the file is damaged, or has tables of an earlier version, database_renew() first moves the file away. It refuses a
 * file of another program.
 */
struct database_renewal {
	const char *mark; /* a setting that is "1" in a new file */
	const char *keep; /* a setting that is copied from the old file, if it can be read */
	bool damaged; /* @why describes damage; move the file away in any case */
	struct error why; /* why the file was moved away */

	/* results */
	bool busy; /* nothing was done: another process has the lock */
	char moved[PATH_MAX]; /* where the old file is now; empty if it was not moved */
};

/* Returns the database, to be closed with database_close(); NULL with @err or renewal->busy set. */
struct database *database_renew(const char *where, const struct database_table *const *tables,
				struct database_renewal *renewal, struct error *err);

/* Returns whether a statement failed because the file is damaged. database_renew() can replace it. */
bool database_damaged(const struct database *db);

/*
 * Opens the database of @db again, for reading in another thread.
 * Returns the database, to be closed with database_close(); NULL with @err set.
 */
struct database *database_again(const struct database *db, struct error *err);

void database_close(struct database *db);

/* Returns "sqlite" or "postgresql". */
const char *database_engine(const struct database *db);

/*
 * Takes the lock, so that no other process can write. Reads the months again. If another version of stint created the
 * views, creates them again.
 *
 * Returns 1; 0 if another process has the lock; -1 with @err set.
 */
int database_lock(struct database *db, struct error *err);

int database_begin(struct database *db, struct error *err);
int database_commit(struct database *db, struct error *err);
void database_rollback(struct database *db);

/*
 * Inserts rows with new keys. Creates the month's table if needed.
 *
 * @month: as 202611; 0 if the table has no months
 *
 * Returns 0; -1 with @err set.
 */
int database_insert(struct database *db, const struct database_table *table, int month,
		    const struct database_value *rows, size_t count, struct error *err);

/*
 * Reads, in any order, the rows whose key begins with one of @keys. A month without a table has no rows.
 *
 * @columns: how many columns of the key are given in each of @keys
 *
 * Returns 0; -1 with @err set.
 */
int database_find(struct database *db, const struct database_table *table, int month, size_t columns,
		  const struct database_value *keys, size_t count, database_each *each, void *context,
		  struct error *err);

/* Deletes these rows. */
int database_erase(struct database *db, const struct database_table *table, int month, size_t columns,
		   const struct database_value *keys, size_t count, struct error *err);

/* Reads, in any order, the rows in which @from <= @column < @until. */
int database_range(struct database *db, const struct database_table *table, int month, size_t column, int64_t from,
		   int64_t until, database_each *each, void *context, struct error *err);

/*
 * Reads, in any order, the rows of @cluster in which @from <= second column < @until. The table's key must begin with
 * the cluster and this column.
 */
int database_span(struct database *db, const struct database_table *table, int month, int64_t cluster, int64_t from,
		  int64_t until, database_each *each, void *context, struct error *err);

enum database_match {
	MATCH_NULL,	     /* NULL */
	MATCH_EMPTY,	     /* NULL, or an empty text */
	MATCH_IS,	     /* equal to the value */
	MATCH_NULL_OR_BELOW, /* NULL, or below the value */
	MATCH_FROM,	     /* at least the value */
	MATCH_BELOW,	     /* below the value */
	MATCH_BITS,	     /* has a bit in common with the value */
	MATCH_LIKE,	     /* matches the value, in which % is any text and _ any character */
};

struct database_condition {
	size_t column;
	enum database_match match;
	struct database_value value; /* not used by MATCH_NULL and MATCH_EMPTY */
};

/* What the database computes of all rows of a group. */
enum database_sum {
	SUM_ROWS,     /* how many rows there are */
	SUM_KNOWN,    /* how many rows have a value in the column, and in the column "other" */
	SUM_OF,	      /* the sum, modulo 2^64, over rows that have a value in the column "other" */
	SUM_LEAST,    /* the least number */
	SUM_MOST,     /* the greatest number */
	SUM_MATCHING, /* how many rows meet one of the conditions */
	SUM_LIST      /* for each row, in any order, a number made of the fields: 8 bytes, the most significant first */
};

/* Adds @factor times the column to a number. NULL counts as @if_null. */
struct database_field {
	size_t column;
	int64_t factor, if_null;
};

struct database_total {
	enum database_sum what;
	size_t column, other; /* both may be the same */
	const struct database_condition *conditions;
	size_t condition_count;
	const struct database_field *fields;
	size_t field_count;
};

/*
 * Which rows to read, and which of their columns. A row must meet all conditions.
 *
 * With totals, @each receives one row for each group of rows with equal columns: the columns, then the totals of the
 * group. Totals need database_can_group().
 */
struct database_reading {
	const struct database_table *table;
	int month; /* 0 if the table has no months */
	const size_t *columns;
	size_t column_count;
	const struct database_condition *conditions;
	size_t condition_count;
	bool many; /* most rows match, so do not use an index: it would be slower */
	const struct database_total *totals;
	size_t total_count;
	int64_t first_block, last_block; /* only rows of these blocks; all rows if last_block is 0 */
};

/* Reads rows in any order. With SQLite, @each must not call database_read() on the same @db. */
int database_read(struct database *db, const struct database_reading *reading, database_each *each, void *context,
		  struct error *err);

/* Returns whether the engine can group rows, and is faster than stint at it. */
bool database_can_group(const struct database *db);

/*
 * Sets @blocks to the number of blocks of the table; 0 if the engine cannot read only a part of the blocks.
 *
 * Returns 0; -1 with @err set.
 */
int database_blocks(struct database *db, const struct database_table *table, int month, int64_t *blocks, struct error *err);

/*
 * database_hold() begins a transaction in which @db sees one state of the database. database_join() lets another
 * connection see the state that @with holds. database_release() ends what either function began. With SQLite, the three
 * functions do nothing.
 *
 * Return 0; -1 with @err set.
 */
int database_hold(struct database *db, struct error *err);
int database_join(struct database *db, struct database *with, struct error *err);
void database_release(struct database *db);

/* Reads all rows. */
int database_scan(struct database *db, const struct database_table *table, int month, database_each *each,
		  void *context, struct error *err);

/* Returns the sorted months of @table, ended by 0. They are valid until the next insert or drop. */
const int *database_months(struct database *db, const struct database_table *table);

/* Drops a month with all its rows. Returns 0; -1 with @err set. */
int database_drop_month(struct database *db, const struct database_table *table, int month, struct error *err);

/*
 * Lets the role stint_reader (docs/store.md) read all tables and views, if the role exists. What the role sees depends
 * on each table's access. Does nothing with SQLite.
 */
int database_let_read(struct database *db, struct error *err);

/* How the tables are protected, from database_readers(). */
struct database_readers {
	bool persons; /* the engine knows who reads; if not, all other members are 0 */
	bool role;    /* the role stint_reader exists */
	int64_t tables;
	int64_t closed;    /* tables that the role cannot read */
	int64_t open;      /* tables that show all rows to every reader */
	int64_t unguarded; /* tables that show readers no rows, because they have no policy */
	char first_open[64];
};

/* Checks how the tables are protected. Returns 0; -1 with @err set. */
int database_readers(struct database *db, struct database_readers *readers, struct error *err);

/*
 * Reads the rows of those clusters in which the reader sees only some of the jobs. @table must have no months.
 * Reads nothing if the reader owns the tables, or if the engine does not know who reads.
 */
int database_hidden(struct database *db, const struct database_table *table, database_each *each, void *context,
		    struct error *err);

/* Drops all months, and deletes all rows except the settings. */
int database_empty(struct database *db, struct error *err);

/*
 * Returns the value of a setting, which the caller must free. Returns NULL if there is no such setting. Returns NULL
 * with @err set if it cannot be read.
 */
char *database_setting(struct database *db, const char *name, struct error *err);
int database_set(struct database *db, const char *name, const char *value, struct error *err);

#endif
