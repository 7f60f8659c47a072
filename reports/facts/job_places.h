/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which months' tables the jobs of a number are. A job's number says nothing of when it was submitted, and numbers
 * come again; but those that are next to each other mostly belong to one month.
 */
#ifndef STINT_JOB_PLACES_H
#define STINT_JOB_PLACES_H

#include "common/memory/map.h"
#include "reports/database/database.h"

/* Begins as all zero. */
struct places {
	struct map blocks; /* of jobs whose numbers begin alike: data is a struct place_months */
};

/* Notes that it is asked for the job. Returns 0; -1 with @err set when memory is short. */
int places_want(struct places *places, int64_t cluster, int64_t job_id, struct error *err);

/* Reads where the jobs are that were noted. */
int places_read(struct places *places, struct database *db, struct error *err);

/*
 * Returns the months in whose tables the job may be, which was noted, and 0 behind them. NULL: in none.
 */
const int *places_months(struct places *places, int64_t cluster, int64_t job_id);

/* The job, which was noted, is in the tables of @month. */
int places_add(struct places *places, int64_t cluster, int64_t job_id, int month, struct error *err);

/* Writes what was added and is new. */
int places_write(struct places *places, struct database *db, struct error *err);

void places_free(struct places *places);

#endif
