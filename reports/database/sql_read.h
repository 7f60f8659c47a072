/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the statement of a reading (database_read() in database.h). */
#ifndef STINT_SQL_READ_H
#define STINT_SQL_READ_H

#include "reports/database/database_sql.h"

/* SQLite calls this function for each row, with the row's columns. It returns NULL. */
#define SQL_EACH "stint_each"

/*
 * Returns the statement, which the caller must free; NULL if out of memory. Its values are those of the conditions that
 * have one (sql_read_has_value()), in their order.
 *
 * @own: only rows of some users or accounts (sql_has_owners()); their numbers are two more values, as arrays. Two index
 *	scans find these; with the condition of the policy alone, PostgreSQL reads the whole table.
 */
char *sql_read_make(enum sql_engine engine, const struct database_reading *reading, bool own);

/* Returns whether the statement needs the value of a condition. */
bool sql_read_has_value(const struct database_condition *condition);

#endif
