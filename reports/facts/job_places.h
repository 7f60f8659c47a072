/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the months whose tables have jobs with a given id. A job id does not show when the job was submitted, and ids
 * are reused. But ids that are close to each other mostly belong to the same month.
 */
#ifndef STINT_JOB_PLACES_H
#define STINT_JOB_PLACES_H

#include "common/memory/map.h"
#include "reports/database/database.h"

/* Initialize to all zero. */
struct places {
	struct map blocks; /* by the upper bits of job ids; data is a struct place_months */
};

/* Adds the job to the jobs whose months places_read() reads. Returns 0; -1 with @err set if out of memory. */
int places_want(struct places *places, int64_t cluster, int64_t job_id, struct error *err);

/* Reads the months of all these jobs. Returns 0; -1 with @err set. */
int places_read(struct places *places, struct database *db, struct error *err);

/*
 * Returns the months whose tables may have the job, ended by 0; NULL if there are none. Call places_want() for the
 * job first.
 */
const int *places_months(struct places *places, int64_t cluster, int64_t job_id);

/* Adds @month to the months of the job. Call places_want() for the job first. Returns 0; -1 with @err set. */
int places_add(struct places *places, int64_t cluster, int64_t job_id, int month, struct error *err);

/* Writes the added months that the table does not have yet. Returns 0; -1 with @err set. */
int places_write(struct places *places, struct database *db, struct error *err);

void places_free(struct places *places);

#endif
