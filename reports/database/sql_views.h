/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the statements for the views (struct database_view), which show the rows of all months of a table in a form for
 * other programs.
 *
 * A view of PostgreSQL normally reads tables with the rights of its owner, for whom row-level security does not apply.
 * PostgreSQL 15 and later can read them with the rights of whoever asks (security_invoker). Readers get rights on a
 * view only if it does so.
 */
#ifndef STINT_SQL_VIEWS_H
#define STINT_SQL_VIEWS_H

#include <stdio.h>

#include "reports/database/database_sql.h"

/*
 * Writes the statements that make the views of @table, or make them again, and let readers read them. They keep other
 * views that use these.
 *
 * @months: the months of which the table exists, ended by 0; if there are none, the views are empty
 *
 * Returns 0; -1 if out of memory.
 */
int sql_views_put(FILE *out, enum sql_engine engine, const struct database_table *table, const int *months);

/* Writes the statements that let PostgreSQL's readers read the views of @table. Returns 0; -1 if out of memory. */
int sql_views_put_let_read(FILE *out, const struct database_table *table);

#endif
