/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes the store's database. The database is SQLite (@where is the path of a file) or PostgreSQL
 * (@where is "postgresql://..."). No code outside of this folder has SQL, or depends on which of the two it is.
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

/*
 * Types of columns. The first three are whole numbers of 64, 32 and 16 bits. SQLite ignores the size, and uses
 * only as much space as each number needs.
 */
enum database_type { DATABASE_INT, DATABASE_INT32, DATABASE_INT16, DATABASE_TEXT, DATABASE_BYTES };

struct database_column {
	const char *name;
	enum database_type type;
};

/*
 * Describes an index. The index begins with the cluster. The columns that follow are listed here by name. The last
 * of them must be a time in microseconds.
 *
 * PostgreSQL indexes only the day of that time. Rows of the same day then share an entry, so the index needs a
 * fifth of the space. If only one column follows the cluster, PostgreSQL also gets a small index of the time
 * itself.
 */
#define DATABASE_INDEX_COLUMNS 2

struct database_index {
	const char *name;
	const char *columns[DATABASE_INDEX_COLUMNS];
};

/*
 * Which rows of a table readers can see. Applies only to PostgreSQL, because SQLite does not know who reads.
 * Operators can see all rows.
 */
enum database_access {
	ACCESS_OPERATORS, /* none */
	ACCESS_EVERYBODY, /* all */
	ACCESS_PERSON,	  /* rows whose column "person" is the reader */
	ACCESS_USER,	  /* rows whose user_id is the reader */
	ACCESS_JOB,	  /* as ACCESS_USER, and rows whose account_id the reader coordinates */
	ACCESS_WORDS	  /* all words, except for users and accounts of which the reader can see no rows */
};

/*
 * What a view shows for a column of its table. A number that is not known is shown as NULL, unless the value says
 * otherwise.
 */
enum database_show {
	SHOW_COLUMN,	/* as it is */
	SHOW_POSITIVE,	/* NULL if it is negative */
	SHOW_OR_OTHER,	/* the number; if it is NULL, that of the column "other" */
	SHOW_PART,	/* the number; if it is NULL, but that of the column "other" is known, 0, because it is a part of that */
	SHOW_CHOICE,	/* the word that word() returns for the number */
	SHOW_MONTH,	/* the month of the row's table */
	SHOW_CLUSTER,	/* the cluster's name */
	SHOW_WORD,	/* the word for the number in the table "name", of the kind "kind" */
	SHOW_ITEM_WORD, /* the word for the item's first number, of the kind "kind"; "otherwise" if there is none */
	SHOW_ITEM,	/* a number of the item; if it is NULL and there is only one item, the number of the column "other" */
	SHOW_BIT	/* the word of the bit */
};

/*
 * Returns the word for a number or a bit. Returns NULL if the number is higher than the last one that has a word.
 */
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
 * Describes a view. A view shows the rows of all months of a table to other programs. Its form stays the same if
 * the table changes: numbers have plain names with units, and words stand in place of the numbers of words
 * (docs/store.md).
 *
 * If items is not NULL, the view has a row for each item of that column. The items are a list in a JSON text, or
 * the bits of a number if bit_word is set.
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
	size_t key;   /* the first so many columns are the key; they are never NULL */
	bool monthly; /* each month has a separate table: NAME_202611 */
	bool wide;    /* rows have more than about 300 bytes */
	const struct database_index *indexes; /* ended by an index whose name is NULL; NULL if there are none */
	enum database_access access;
	/*
	 * Describes view number @which. Returns false if there is no such view. The pointer is NULL if the table
	 * has no views.
	 */
	bool (*view)(size_t which, struct database_view *view);
};

struct database_value {
	enum { VALUE_NULL, VALUE_INT, VALUE_TEXT, VALUE_BYTES } kind;
	int64_t number;
	const void *data; /* the text or bytes; a text need not end with a NUL */
	size_t size;
};

static inline struct database_value database_int(int64_t number)
{
	return (struct database_value){ .kind = VALUE_INT, .number = number };
}

/* Returns @number as a value. A negative @number means "not known", and becomes NULL. */
static inline struct database_value database_count(int64_t number)
{
	return (struct database_value){ .kind = number < 0 ? VALUE_NULL : VALUE_INT, .number = number };
}

/* Returns @text as a value, which is valid as long as @text is. */
static inline struct database_value database_text(const char *text)
{
	return (struct database_value){ .kind = VALUE_TEXT, .data = text, .size = strlen(text) };
}

static inline bool database_is_int(enum database_type type)
{
	return type == DATABASE_INT || type == DATABASE_INT32 || type == DATABASE_INT16;
}

/* Returns whether a column of @type can hold @number. @type must be one of the types of whole numbers. */
static inline bool database_fits(enum database_type type, int64_t number)
{
	return type == DATABASE_INT16   ? number >= INT16_MIN && number <= INT16_MAX
	       : type == DATABASE_INT32 ? number >= INT32_MIN && number <= INT32_MAX
					: true;
}

struct database;

/*
 * Receives one row. May read other tables meanwhile. The texts in @row are valid only during the call. Returns 0;
 * -1 with @err set to stop the reading.
 */
typedef int database_each(void *context, const struct database_value *row, struct error *err);

#define DATABASE_NOT_THE_STORES "the database has tables that do not belong to the store"
#define DATABASE_UNFINISHED "'stint ingest --rebuild' did not finish: run it again"

#define DATABASE_SCHEMA 5 /* version of all tables together; increase it if any table changes */

/*
 * Opens the database @where. Creates the tables if the database is empty. Refuses a database whose tables have
 * another version.
 *
 * @tables: all tables, ended by NULL
 * @read_only: create and change nothing, and fail if there is no database
 *
 * Returns the database, which the caller must close with database_close(); NULL with @err set.
 */
struct database *database_open(const char *where, const struct database_table *const *tables, bool read_only,
			       struct error *err);

/*
 * What database_renew() needs and what it did. database_renew() opens and locks the database @where. The caller
 * then writes all rows again. If the file is damaged, or has tables of an earlier version, database_renew() first
 * moves the file away and creates a new one. It refuses a file of another program.
 */
struct database_renewal {
	const char *mark; /* name of a setting that is "1" in a new file from the beginning */
	const char *keep; /* name of a setting whose value is copied from the old file to the new one, if it can be read */
	bool damaged; /* the caller found damage, and @why describes it; so move the file away in any case */
	struct error why; /* what was wrong with the file that was moved away */

	/* what was done */
	bool busy; /* nothing was done, because another process has the lock */
	char moved[PATH_MAX]; /* where the old file is now; empty if it was good and was not moved */
};

/*
 * Returns the database, which the caller must close with database_close(). Returns NULL with @err set, or with
 * renewal->busy set.
 */
struct database *database_renew(const char *where, const struct database_table *const *tables,
				struct database_renewal *renewal, struct error *err);

/*
 * Returns whether a statement failed because the file is damaged. If so, database_renew() can replace the file.
 */
bool database_damaged(const struct database *db);

/*
 * Opens the database of @db a second time, for reading only. Another thread can then read while this one reads.
 * Returns the second database, which the caller must close with database_close(); NULL with @err set.
 */
struct database *database_again(const struct database *db, struct error *err);

void database_close(struct database *db);

/* Returns "sqlite" or "postgresql". */
const char *database_engine(const struct database *db);

/*
 * Takes the lock, so that no other process can write. Then reads again which months exist, and creates the views
 * again if another version of stint created them.
 *
 * Returns 1; 0 if another process has the lock; -1 with @err set.
 */
int database_lock(struct database *db, struct error *err);

int database_begin(struct database *db, struct error *err);
int database_commit(struct database *db, struct error *err);
void database_rollback(struct database *db);

/*
 * Inserts @count rows. The table must not yet have rows with the same keys. Creates the month's table if it does
 * not exist.
 *
 * @month: in the form 202611; 0 if the table has no months
 *
 * Returns 0; -1 with @err set.
 */
int database_insert(struct database *db, const struct database_table *table, int month,
		    const struct database_value *rows, size_t count, struct error *err);

/*
 * Reads, in any order, the rows whose key begins with one of the @count @keys. Each of @keys has the first
 * @columns columns of the table's key. A month without a table has no rows.
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
 * Reads, in any order, all rows in which the column @column is at least @from and below @until. The column must
 * have whole numbers.
 */
int database_range(struct database *db, const struct database_table *table, int month, size_t column, int64_t from,
		   int64_t until, database_each *each, void *context, struct error *err);

/*
 * Reads, in any order, the rows of @cluster in which the second column is at least @from and below @until. The
 * table's key must begin with the cluster and that column, so that its index finds the rows.
 */
int database_span(struct database *db, const struct database_table *table, int month, int64_t cluster, int64_t from,
		  int64_t until, database_each *each, void *context, struct error *err);

/* How a column is compared. */
enum database_match {
	MATCH_NULL,	     /* it is NULL */
	MATCH_EMPTY,	     /* the column is NULL, or an empty text */
	MATCH_IS,	     /* the column is equal to the value */
	MATCH_NULL_OR_BELOW, /* the column is NULL, or below the value */
	MATCH_FROM,	     /* the column is at least the value */
	MATCH_BELOW,	     /* it is below the value */
	MATCH_BITS,	     /* the column and the value have a bit in common */
	MATCH_LIKE,	     /* the text matches the value, in which % stands for any text and _ for any one character */
};

struct database_condition {
	size_t column;
	enum database_match match;
	struct database_value value; /* number or text to compare with; not used for MATCH_NULL and MATCH_EMPTY */
};

/* Numbers that the database computes of all rows of a group. */
enum database_sum {
	SUM_ROWS,     /* how many rows there are */
	SUM_KNOWN,    /* in how many of them the column is not NULL */
	SUM_OF,	      /* the sum of the column, modulo 2^64, over rows in which the column "other" is not NULL */
	SUM_LEAST,    /* the least number of the column */
	SUM_MOST,     /* the greatest */
	SUM_MATCHING, /* how many rows meet at least one of the conditions */
	SUM_LIST,     /* for each row, in any order, the number that the fields make, in 8 bytes, the highest first */
	SUM_TEXTS     /* the texts of the column, one after the other, in any order */
};

/* Adds @factor times the column, or times @if_null if the column is NULL, to a number. */
struct database_field {
	size_t column;
	int64_t factor, if_null;
};

struct database_total {
	enum database_sum what;
	size_t column, other; /* SUM_OF: both may be the same */
	const struct database_condition *conditions;
	size_t condition_count;
	const struct database_field *fields;
	size_t field_count;
};

/*
 * Says which rows of a table to read, and which of their columns. A row must meet all conditions.
 *
 * If there are totals, the rows are grouped by the columns. A row for each group is read: the columns, then the
 * totals. Only an engine that database_can_group() can do that.
 */
struct database_reading {
	const struct database_table *table;
	int month; /* 0 if the table has no months */
	const size_t *columns;
	size_t column_count;
	const struct database_condition *conditions;
	size_t condition_count;
	bool many; /* so many rows of the table match that using an index would be slower */
	const struct database_total *totals;
	size_t total_count;
	int64_t first_block, last_block; /* only the rows of these blocks (database_blocks()); last_block is 0 for all rows */
};

/*
 * Reads the columns and rows that @reading describes, in any order. Calls @each with reading->column_count values
 * for each row. With SQLite, @each must not call database_read() on the same @db.
 */
int database_read(struct database *db, const struct database_reading *reading, database_each *each, void *context,
		  struct error *err);

/* Returns whether the engine groups rows (struct database_reading), and does that faster than stint could. */
bool database_can_group(const struct database *db);

/*
 * Sets @blocks to the number of blocks that the table has on disk; 0 if the engine cannot read some of them only.
 * Connections that share a snapshot can read a large table in parts, each with other blocks.
 *
 * Returns 0; -1 with @err set.
 */
int database_blocks(struct database *db, const struct database_table *table, int month, int64_t *blocks, struct error *err);

/*
 * Begins a transaction that only reads, in which @db sees one state of the database until database_release(), and
 * database_join() lets another connection see the same state. Does nothing with SQLite, whose connections may see
 * different states.
 *
 * Returns 0; -1 with @err set.
 */
int database_hold(struct database *db, struct error *err);
int database_join(struct database *db, struct database *with, struct error *err);
void database_release(struct database *db);

/* Reads all rows. */
int database_scan(struct database *db, const struct database_table *table, int month, database_each *each,
		  void *context, struct error *err);

/*
 * Returns a sorted list of the months for which @table has tables. The list ends with 0. It is valid until the
 * next insert or drop.
 */
const int *database_months(struct database *db, const struct database_table *table);

/* Drops the month @month of @table, with all its rows. Returns 0; -1 with @err set. */
int database_drop_month(struct database *db, const struct database_table *table, int month, struct error *err);

/*
 * Grants the role stint_reader (docs/store.md) permission to read all tables and views. Does nothing if the role
 * does not exist, if it already has the permission, or with SQLite. Which rows the role can see depends on each
 * table's access.
 */
int database_let_read(struct database *db, struct error *err);

/* Says whether the tables are protected, and whether readers can read them. database_readers() fills it. */
struct database_readers {
	bool persons; /* whether the engine knows who reads, as PostgreSQL does. If not, all other members are 0 */
	bool role;    /* whether the role stint_reader exists */
	int64_t tables;
	int64_t closed;    /* how many tables the role cannot read */
	int64_t open;      /* how many tables show all rows to every reader */
	int64_t unguarded; /* how many tables show no rows to readers, because they have no policy */
	char first_open[64];
};

/*
 * Checks whether readers can read the tables, and whether they can see only what they may see. Returns 0; -1 with
 * @err set.
 */
int database_readers(struct database *db, struct database_readers *readers, struct error *err);

/*
 * Reads the rows of @table that belong to clusters of which the reader can see only some jobs. @table must have no
 * months. Reads nothing if the reader owns the tables, or if the engine does not know who reads.
 */
int database_hidden(struct database *db, const struct database_table *table, database_each *each, void *context,
		    struct error *err);

/*
 * Empties the database. Drops all months, and deletes all rows of the other tables, except for the settings.
 */
int database_empty(struct database *db, struct error *err);

/*
 * Returns the value of the setting @name, which the caller must free. Returns NULL if there is no such setting, or
 * if it cannot be read. Sets @err only if it cannot be read.
 */
char *database_setting(struct database *db, const char *name, struct error *err);
int database_set(struct database *db, const char *name, const char *value, struct error *err);

#endif
