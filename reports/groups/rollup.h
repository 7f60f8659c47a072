/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a transaction adds to the rollups. It is summed up in memory first, because some thousand jobs hit some hundred rows.
 *
 * Days and months are those of the process's time zone: 20261122, 202611. Jobs that are still running, or whose end is not known,
 * are in none.
 */
#ifndef STINT_ROLLUP_H
#define STINT_ROLLUP_H

#include "common/memory/map.h"
#include "reports/facts/fact.h"

/* Starts as all zero. */
struct rollup {
	struct map days[GROUP_TABLES], months[GROUP_TABLES]; /* data is a struct job_group */
	struct map cores, tools; /* data is an array of sums: table_core_day, table_tool_user_month */
};

/* Adds @fact, or subtracts it (@sign -1). Returns 0; -1 with @err set if out of memory. */
int rollup_add(struct rollup *rollup, const struct fact *fact, int sign, struct error *err);

/* Adds everything to the tables. Call it only once. */
int rollup_write(struct rollup *rollup, struct database *db, struct error *err);

void rollup_free(struct rollup *rollup);

#endif
