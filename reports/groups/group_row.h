/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A group of jobs as a row of one of group_tables: what stands behind its key. */
#ifndef STINT_GROUP_ROW_H
#define STINT_GROUP_ROW_H

#include "reports/facts/site_tables.h"
#include "reports/site/job_group.h"

/*
 * Fills the GROUP_COLUMNS @values behind the key.
 *
 * @rest: gets bytes that the last value points to, to be freed
 *
 * Returns 0; -1 with @err set when memory is short.
 */
int group_row_put(const struct job_group *group, struct database_value *values, void **rest, struct error *err);

/* Adds such values to @group. Returns 0; -1 with @err set: memory is short, or nobody can have written it. */
int group_row_add(const struct database_value *values, struct job_group *group, struct error *err);

#endif
