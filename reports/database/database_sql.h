/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the statements of both engines from the descriptions of tables. sql_read.h and sql_views.h make all other
 * statements.
 */
#ifndef STINT_DATABASE_SQL_H
#define STINT_DATABASE_SQL_H

#include "reports/database/database.h"

enum sql_engine { SQL_SQLITE, SQL_POSTGRES };
enum sql_what {
	SQL_CREATE, SQL_INDEX, SQL_DROP, SQL_INSERT, SQL_FIND, SQL_ERASE, SQL_RANGE, SQL_SPAN, SQL_SPAN_OWN, SQL_CLEAR, SQL_ACCESS,
	SQL_LET_READ, SQL_HIDDEN, SQL_WHATS
};

/* Whether tables of SQLite check the types of values (SQLite 3.37 and later). Set it before making a statement. */
extern bool sql_strict;

/*
 * Makes a statement.
 *
 * @month: 0 if the table has no months
 * @columns: its meaning depends on @what:
 *	SQL_FIND, SQL_ERASE	how many columns of the key are given
 *	SQL_INDEX	number of the index to make
 *	SQL_RANGE	1 + the column to compare, or 0 for all rows
 *	SQL_SPAN_OWN not used; after the values of SQL_SPAN, two more values follow: arrays of the users and accounts
 *	whose jobs are wanted
 *
 * Returns the statement, which the caller must free. Returns NULL if out of memory, if there is no such index, or
 * if the engine has no access rights. SQL_SPAN_OWN needs a table with sql_has_owners().
 */
char *sql_make(enum sql_engine engine, enum sql_what what, const struct database_table *table, int month,
	       size_t columns);

/* Returns whether @table has indexes by user and by account. */
bool sql_has_owners(const struct database_table *table);

/* Returns the engine's name for a type of columns. */
const char *sql_type(enum sql_engine engine, enum database_type type);

#define SQL_SPAN_VALUES 3 /* an SQL_SPAN statement needs the cluster and two bounds */
#define SQL_DAY "86400000000" /* in microseconds */

#endif
