/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects what a transaction adds to the rollups. Everything is added up in memory first, because thousands of jobs
 * change only hundreds of rows.
 *
 * Days and months are in the process's time zone: 20261122, 202611. Jobs that still run, or whose end is not known,
 * are not in the rollups.
 */
#ifndef STINT_ROLLUP_H
#define STINT_ROLLUP_H

#include "common/memory/map.h"
#include "reports/facts/fact.h"

/* Initialize to all zero. */
struct rollup {
	struct map days[GROUP_TABLES], months[GROUP_TABLES]; /* each entry's data is a struct job_group */
	struct map cores, tools; /* each entry's data is an array of sums: table_core_day, table_tool_user_month */
};

/* Adds @fact if @sign is 1, or subtracts it if @sign is -1. Returns 0; -1 with @err set if out of memory. */
int rollup_add(struct rollup *rollup, const struct fact *fact, int sign, struct error *err);

/* Adds everything to the tables. Call it only once. Returns 0; -1 with @err set. */
int rollup_write(struct rollup *rollup, struct database *db, struct error *err);

void rollup_free(struct rollup *rollup);

#endif
