/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the statement for database_read() (database.h). */
#ifndef STINT_SQL_READ_H
#define STINT_SQL_READ_H

#include "reports/database/database_sql.h"

/* SQLite calls this function with each row's columns. It returns NULL. */
#define SQL_EACH "stint_each"

/*
 * Returns the statement, which the caller must free; NULL if out of memory. The statement needs a value for each
 * condition with sql_read_has_value(), in the order of the conditions.
 *
 * @own: only rows of some users or accounts; two arrays of their numbers follow the values. The table must have
 * sql_has_owners().
 */
char *sql_read_make(enum sql_engine engine, const struct database_reading *reading, bool own);

/* Returns whether the statement needs the value of @condition. */
bool sql_read_has_value(const struct database_condition *condition);

#endif
