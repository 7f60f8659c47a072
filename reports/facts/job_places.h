/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the months whose tables may have a job. The job id alone does not tell the month, and Slurm uses ids again.
 * Jobs with ids close to each other are usually of the same month, so the store keeps the months of each block of ids.
 */
#ifndef STINT_JOB_PLACES_H
#define STINT_JOB_PLACES_H

#include "common/memory/map.h"
#include "reports/database/database.h"

/* Starts as all zero. */
struct places {
	struct map blocks; /* keys are the upper bits of job ids; data is a struct place_months */
};

/* Makes places_read() read the months of this job. Returns 0; -1 with @err set if out of memory. */
int places_want(struct places *places, int64_t cluster, int64_t job_id, struct error *err);

/* Reads the months of all wanted jobs. Returns 0; -1 with @err set. */
int places_read(struct places *places, struct database *db, struct error *err);

/*
 * Returns the months whose tables may have a job that was wanted and read, ended by 0; NULL if there are no such
 * months.
 */
const int *places_months(struct places *places, int64_t cluster, int64_t job_id);

/* Adds @month to the months of a wanted job. Returns 0; -1 with @err set. */
int places_add(struct places *places, int64_t cluster, int64_t job_id, int month, struct error *err);

/* Writes the months that the database does not have. Returns 0; -1 with @err set. */
int places_write(struct places *places, struct database *db, struct error *err);

void places_free(struct places *places);

#endif
