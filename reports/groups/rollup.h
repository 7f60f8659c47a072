/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a transaction adds to the rollups. It is summed up in memory first: some thousand jobs hit some hundred rows.
 *
 * Days and months are those of the process's zone: 20261122, 202611. Jobs that run still, or of which no end is known,
 * are in none.
 */
#ifndef STINT_ROLLUP_H
#define STINT_ROLLUP_H

#include "common/memory/map.h"
#include "reports/facts/fact.h"

/* Begins as all zero. */
struct rollup {
	struct map days[GROUP_TABLES], months[GROUP_TABLES]; /* of struct job_group */
	struct map cores, tools; /* of sums: table_core_day, table_tool_user_month */
};

/* Adds @fact, or takes it away (@sign -1). Returns 0; -1 with @err set when memory is short. */
int rollup_add(struct rollup *rollup, const struct fact *fact, int sign, struct error *err);

/* Adds it all to the tables, once. */
int rollup_write(struct rollup *rollup, struct database *db, struct error *err);

void rollup_free(struct rollup *rollup);

#endif
