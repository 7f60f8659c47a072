/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store's database. All SQL is in this folder. No other code depends on the engine, which is SQLite (a file's
 * path) or PostgreSQL ("postgresql://...").
 *
 * Tables are described, and no statement is written by hand. The engines make their statements from the descriptions
 * (database_sql.h). A row is an array of values in the order of the table's columns. The first columns are the key.
 * Some tables are made anew for each month, so that old months can be dropped.
 */
#ifndef STINT_DATABASE_H
#define STINT_DATABASE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/*
 * Types of columns. The first three are whole numbers of 64, 32 and 16 bits. SQLite uses only as much space as each
 * number needs, whatever the type of its column.
 */
enum database_type { DATABASE_INT, DATABASE_INT32, DATABASE_INT16, DATABASE_TEXT, DATABASE_BYTES };

struct database_column {
	const char *name;
	enum database_type type;
};

/*
 * The columns of an index after the cluster, by name. The last of these columns is a moment in microseconds.
 * PostgreSQL indexes only the day of that moment. Rows of the same day then share an index entry, and the index needs
 * a fifth of the space. If the index has only that column, PostgreSQL also gets a small one of the moment itself.
 */
#define DATABASE_INDEX_COLUMNS 2

struct database_index {
	const char *name;
	const char *columns[DATABASE_INDEX_COLUMNS];
};

/*
 * Which rows of a table readers can see, if the engine knows persons, as PostgreSQL does. Operators can see all rows.
 */
enum database_access {
	ACCESS_OPERATORS, /* none */
	ACCESS_EVERYBODY, /* all */
	ACCESS_PERSON,	  /* rows whose person is the reader */
	ACCESS_USER,	  /* rows with the reader's own user_id */
	ACCESS_JOB,	  /* also rows with an account_id that the reader coordinates */
	ACCESS_WORDS	  /* all words; but users and accounts only if the reader can see rows of them */
};

/* How a view shows a number or text of its table. A number is otherwise NULL if it is not known. */
enum database_show {
	SHOW_COLUMN,	/* as it is */
	SHOW_POSITIVE,	/* NULL if it is negative */
	SHOW_OR_OTHER,	/* the number of the column "other" if it is NULL */
	SHOW_PART,	/* 0 if it is NULL and the number of the column "other" is known, of which it is a part */
	SHOW_CHOICE,	/* the word that word() returns for the number */
	SHOW_MONTH,	/* the month of the row's table */
	SHOW_CLUSTER,	/* the cluster's name */
	SHOW_WORD,	/* the word of "kind" in the table "name" */
	SHOW_ITEM_WORD, /* the word of "kind" for the item's first number; "otherwise" if there is none */
	SHOW_ITEM,	/* a number of the item; if it is NULL in the only item, the number of the column "other" */
	SHOW_BIT	/* the word of the bit */
};

/* Returns the word for a number or a bit; NULL if the number is higher than all that have a word. */
typedef const char *database_view_word(int number);

struct database_view_column {
	const char *name;
	enum database_show show;
	const char *column, *other; /* of the table */
	int kind;
	size_t number; /* of the item */
	const char *otherwise;
	database_view_word *word;
};

/*
 * A view shows the rows of all months of a table to other programs, in a form that does not change with the table's:
 * numbers have plain names with units, and words in place of the words' numbers (docs/store.md).
 *
 * If items is not NULL, each row of the table becomes a row for each item of that column. This is a list in a JSON text,
 * or a bit if bit_word is set.
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
	size_t key;   /* how many columns form the key; these are never NULL */
	bool monthly; /* each month has a separate table: NAME_202611 */
	bool wide;    /* rows have more than about 300 bytes */
	const struct database_index *indexes; /* ended by a NULL name; NULL if there are no indexes */
	enum database_access access;
	/* Describes view number @which. Returns false if there is none. NULL if the table has no views. */
	bool (*view)(size_t which, struct database_view *view);
};

struct database_value {
	enum { VALUE_NULL, VALUE_INT, VALUE_TEXT, VALUE_BYTES } kind;
	int64_t number;
	const void *data; /* for text and bytes; text needs no NUL at its end */
	size_t size;
};

static inline struct database_value database_int(int64_t number)
{
	return (struct database_value){ .kind = VALUE_INT, .number = number };
}

/* Returns @number as a value; NULL for a negative @number, which means "not known". */
static inline struct database_value database_count(int64_t number)
{
	return (struct database_value){ .kind = number < 0 ? VALUE_NULL : VALUE_INT, .number = number };
}

static inline bool database_is_int(enum database_type type)
{
	return type == DATABASE_INT || type == DATABASE_INT32 || type == DATABASE_INT16;
}

/* Returns whether a column of @type can hold @number. @type: must be a type of whole numbers */
static inline bool database_fits(enum database_type type, int64_t number)
{
	return type == DATABASE_INT16   ? number >= INT16_MIN && number <= INT16_MAX
	       : type == DATABASE_INT32 ? number >= INT32_MIN && number <= INT32_MAX
					: true;
}

struct database;

/*
 * Receives one row, and may read other tables. The row's texts are valid only during the call. Returns 0; -1 with
 * @err set, which ends the reading.
 */
typedef int database_each(void *context, const struct database_value *row, struct error *err);

#define DATABASE_NOT_THE_STORES "the database has tables that do not belong to the store"
#define DATABASE_UNFINISHED "'stint ingest --rebuild' did not finish: run it again"

#define DATABASE_SCHEMA 5 /* version of all tables; increase it if any table changes */

/*
 * Opens the database @where. Makes the tables if the database has none.
 *
 * @tables: all tables, ended by NULL
 * @read_only: nothing is made or changed, and a missing database is an error
 *
 * Returns the database, for database_close(); NULL with @err set. A database of another version is refused.
 */
struct database *database_open(const char *where, const struct database_table *const *tables, bool read_only,
			       struct error *err);

/*
 * database_renew() opens and locks the database @where, whose rows the caller will make again. If the file is damaged, or has
 * the tables of an earlier version, it first moves the file away and makes a new one. It refuses a file of another program.
 */
struct database_renewal {
	const char *mark; /* a setting that is set to "1" in a new file from the beginning */
	const char *keep; /* a setting to copy from the old file to a new one, if it can be read */
	bool damaged; /* damage was already found, and @why describes it, so move the file away in any case */
	struct error why; /* what was wrong with the file that was moved away */

	/* what was done */
	bool busy; /* nothing was done, because another process is the writer */
	char moved[PATH_MAX]; /* new path of the file; empty if the file was good */
};

/* Returns the database, for database_close(); NULL with @err set, or with renewal->busy set. */
struct database *database_renew(const char *where, const struct database_table *const *tables,
				struct database_renewal *renewal, struct error *err);

/* Returns whether the database has failed because its file is damaged. If so, database_renew() helps. */
bool database_damaged(const struct database *db);

/*
 * Opens the database of @db a second time, only to read it, so that another thread can read beside this one. Returns it,
 * for database_close(); NULL with @err set.
 */
struct database *database_again(const struct database *db, struct error *err);

void database_close(struct database *db);

/* Returns "sqlite" or "postgresql". */
const char *database_engine(const struct database *db);

/*
 * Makes this process the only writer, and reads again which months exist. Makes the views again if another version of
 * stint has made them.
 *
 * Returns 1; 0 if another process is the writer; -1 with @err set.
 */
int database_lock(struct database *db, struct error *err);

int database_begin(struct database *db, struct error *err);
int database_commit(struct database *db, struct error *err);
void database_rollback(struct database *db);

/*
 * Inserts @count rows. The table must not have rows with the same keys. Makes the month's table if it is missing.
 * @month: as 202611; 0 if the table has no months
 *
 * Returns 0; -1 with @err set.
 */
int database_insert(struct database *db, const struct database_table *table, int month,
		    const struct database_value *rows, size_t count, struct error *err);

/*
 * Reads, in any order, the rows whose first @columns columns are equal to one of the @count @keys. A month without a
 * table has no rows.
 *
 * Returns 0; -1 with @err set.
 */
int database_find(struct database *db, const struct database_table *table, int month, size_t columns,
		  const struct database_value *keys, size_t count, database_each *each, void *context,
		  struct error *err);

/* Deletes these rows. */
int database_erase(struct database *db, const struct database_table *table, int month, size_t columns,
		   const struct database_value *keys, size_t count, struct error *err);

/*
 * Reads, in any order, all rows whose column @column is from @from to @until - 1. That column must have whole
 * numbers.
 */
int database_range(struct database *db, const struct database_table *table, int month, size_t column, int64_t from,
		   int64_t until, database_each *each, void *context, struct error *err);

/*
 * Reads, in any order, the rows of @cluster whose second column is from @from to @until - 1. That column follows the
 * cluster in the key, so the key's index finds the rows.
 */
int database_span(struct database *db, const struct database_table *table, int month, int64_t cluster, int64_t from,
		  int64_t until, database_each *each, void *context, struct error *err);

/*
 * Like database_span(), for the last column of @index instead of the second column of the key. If the index has two
 * columns, the first must be equal to @value.
 */
int database_span_of(struct database *db, const struct database_table *table, int month,
		     const struct database_index *index, int64_t cluster, int64_t value, int64_t from, int64_t until,
		     database_each *each, void *context, struct error *err);

/* How a column is compared. */
enum database_match {
	MATCH_NULL,	     /* it is NULL */
	MATCH_EMPTY,	     /* it is NULL, or an empty text */
	MATCH_IS,	     /* it is equal to the value */
	MATCH_NULL_OR_BELOW, /* it is NULL, or below the value */
	MATCH_FROM,	     /* it is at least the value */
	MATCH_BELOW,	     /* it is below the value */
	MATCH_BITS,	     /* it has one of the value's bits */
	MATCH_LIKE,	     /* the text matches the value, in which % stands for any characters and _ for any one */
};

struct database_condition {
	size_t column;
	enum database_match match;
	struct database_value value; /* a number or a text; unused for MATCH_NULL and MATCH_EMPTY */
};

/* Which columns of which rows to read. A row must meet all conditions. */
struct database_reading {
	const struct database_table *table;
	int month; /* 0 if the table has no months */
	const size_t *columns;
	size_t column_count;
	const struct database_condition *conditions;
	size_t condition_count;
	bool many; /* a large part of the table matches, so an index would only make it slower */
};

/* Reads, in any order, some columns of some rows. @each receives reading->column_count values. */
int database_read(struct database *db, const struct database_reading *reading, database_each *each, void *context,
		  struct error *err);

/* Reads all rows. */
int database_scan(struct database *db, const struct database_table *table, int month, database_each *each,
		  void *context, struct error *err);

/*
 * Returns the months for which @table has tables, sorted, with 0 at the end. The list is valid until the next insert
 * or drop.
 */
const int *database_months(struct database *db, const struct database_table *table);

/* Drops all rows of @table for @month. Returns 0; -1 with @err set. */
int database_drop_month(struct database *db, const struct database_table *table, int month, struct error *err);

/*
 * Allows the readers' role (docs/store.md) to read all tables and views. Does nothing if the engine has no such role, or if the
 * role can already read them. The tables' access decides which rows the role can see.
 */
int database_let_read(struct database *db, struct error *err);

/* Whether the tables are protected, and whether readers can read them. database_readers() fills it. */
struct database_readers {
	bool persons; /* whether the engine knows persons. If not, all other members are 0 */
	bool role;    /* whether the readers' role exists */
	int64_t tables;
	int64_t closed;    /* how many tables the role cannot read */
	int64_t open;      /* how many tables show all rows to everyone who may read them */
	int64_t unguarded; /* how many tables show no row to readers, because no policy says which */
	char first_open[64];
};

/* Finds out whether readers can read the tables, and only what they may see. Returns 0; -1 with @err set. */
int database_readers(struct database *db, struct database_readers *readers, struct error *err);

/*
 * Scans @table for the rows of clusters that the reader can see only in part. @table must have no months. Finds no
 * rows if the reader is the owner, or if the engine knows no readers.
 */
int database_hidden(struct database *db, const struct database_table *table, database_each *each, void *context,
		    struct error *err);

/*
 * Empties all tables. Drops the tables of months, and deletes all rows of the other tables, except for the settings.
 */
int database_empty(struct database *db, struct error *err);

/*
 * Returns the value of the setting @name, which the caller must free. NULL if there is none, or if it cannot be read;
 * err->text is set only if it cannot be read.
 */
char *database_setting(struct database *db, const char *name, struct error *err);
int database_set(struct database *db, const char *name, const char *value, struct error *err);

#endif
