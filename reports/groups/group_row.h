/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a group of jobs to the columns that follow the key in group_tables, and back. */
#ifndef STINT_GROUP_ROW_H
#define STINT_GROUP_ROW_H

#include "reports/facts/site_tables.h"
#include "reports/site/job_group.h"

/*
 * Fills the GROUP_COLUMNS values that follow the key.
 *
 * @rest: the bytes of the last value, which the caller must free
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int group_row_put(const struct job_group *group, struct database_value *values, void **rest, struct error *err);

/*
 * Adds the GROUP_COLUMNS values that follow the key to @group.
 * Returns 0; -1 with @err set if out of memory or if the values are damaged.
 */
int group_row_add(const struct database_value *values, struct job_group *group, struct error *err);

#endif
