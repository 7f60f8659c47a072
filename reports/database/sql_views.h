/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the statements for the views (struct database_view), which show the rows of all months of a table to other
 * programs.
 *
 * Normally, a view of PostgreSQL reads tables with the rights of the view's owner, and row-level security does not
 * apply to the owner. Since PostgreSQL 15, a view can read with the rights of the user who queries it
 * (security_invoker). Readers get permission to read a view only if the view is security_invoker.
 */
#ifndef STINT_SQL_VIEWS_H
#define STINT_SQL_VIEWS_H

#include <stdio.h>

#include "reports/database/database_sql.h"

/*
 * Writes the statements that create or replace the views of @table, and let readers read them.
 *
 * @months: ended by 0; without months, the views are empty
 *
 * Returns 0; -1 if out of memory.
 */
int sql_views_put(FILE *out, enum sql_engine engine, const struct database_table *table, const int *months);

/* Writes the statements that let readers read the views of @table. Returns 0; -1 if out of memory. */
int sql_views_put_let_read(FILE *out, const struct database_table *table);

#endif
