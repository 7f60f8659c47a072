/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the statement for database_read() (database.h). */
#ifndef STINT_SQL_READ_H
#define STINT_SQL_READ_H

#include "reports/database/database_sql.h"

/* Name of the function that SQLite calls for each row, with the row's columns. It returns NULL. */
#define SQL_EACH "stint_each"

/*
 * Returns the statement, which the caller must free; NULL if out of memory. The statement needs the values of
 * those conditions for which sql_read_has_value() is true, in the order of the conditions.
 *
 * @own: read only rows of some users or accounts. The table must have sql_has_owners(). The statement then needs
 * two more values, which are arrays of the users' and of the accounts' numbers. It finds the rows with two index
 * scans. With only the condition of the policy, PostgreSQL would read the whole table.
 */
char *sql_read_make(enum sql_engine engine, const struct database_reading *reading, bool own);

/* Returns whether the statement needs the value of @condition. */
bool sql_read_has_value(const struct database_condition *condition);

#endif
