/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the months whose tables may have a job with a given id. The id does not say when the job was submitted,
 * and Slurm uses ids again. But ids that are close to each other are usually of the same month, so months are kept
 * for blocks of ids.
 */
#ifndef STINT_JOB_PLACES_H
#define STINT_JOB_PLACES_H

#include "common/memory/map.h"
#include "reports/database/database.h"

/* Initialize to all zero. */
struct places {
	struct map blocks; /* keys are the upper bits of job ids; data is a struct place_months */
};

/* Makes places_read() read the months of this job, too. Returns 0; -1 with @err set if out of memory. */
int places_want(struct places *places, int64_t cluster, int64_t job_id, struct error *err);

/* Reads the months of all jobs that were passed to places_want(). Returns 0; -1 with @err set. */
int places_read(struct places *places, struct database *db, struct error *err);

/*
 * Returns a list of the months whose tables may have the job, ended by 0; NULL if there are none. Call
 * places_want() and places_read() first.
 */
const int *places_months(struct places *places, int64_t cluster, int64_t job_id);

/* Adds @month to the months of the job. Call places_want() first. Returns 0; -1 with @err set. */
int places_add(struct places *places, int64_t cluster, int64_t job_id, int month, struct error *err);

/* Writes those of the added months that the database does not have yet. Returns 0; -1 with @err set. */
int places_write(struct places *places, struct database *db, struct error *err);

void places_free(struct places *places);

#endif
