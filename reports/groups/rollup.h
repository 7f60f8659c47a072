/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects what a transaction adds to the rollups. First adds up everything in memory, because thousands of jobs change
 * only hundreds of rows.
 *
 * Days and months are numbers such as 20261122 and 202611, in the process's time zone. A job is not in the rollups
 * while it runs, or if its end is not known.
 */
#ifndef STINT_ROLLUP_H
#define STINT_ROLLUP_H

#include "common/memory/map.h"
#include "reports/facts/fact.h"

/* Initialize to all zero. */
struct rollup {
	struct map days[GROUP_TABLES], months[GROUP_TABLES]; /* keys are keys of group_tables; data is a struct job_group */
	struct map cores, tools; /* for table_core_day and table_tool_user_month; data is an array of sums */
};

/*
 * Adds @fact to the rollups if @sign is 1, or subtracts it if @sign is -1. Returns 0; -1 with @err set if out of
 * memory.
 */
int rollup_add(struct rollup *rollup, const struct fact *fact, int sign, struct error *err);

/* Writes what was collected to the tables. Call it only once. Returns 0; -1 with @err set. */
int rollup_write(struct rollup *rollup, struct database *db, struct error *err);

void rollup_free(struct rollup *rollup);

#endif
