/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the months whose tables have jobs of a given id. A job id does not show when the job was submitted, and ids are reused; but
 * ids next to each other mostly belong to one month.
 */
#ifndef STINT_JOB_PLACES_H
#define STINT_JOB_PLACES_H

#include "common/memory/map.h"
#include "reports/database/database.h"

/* Starts as all zero. */
struct places {
	struct map blocks; /* of jobs whose ids share their upper bits; data is a struct place_months */
};

/* Notes that the job will be asked for. Returns 0; -1 with @err set if out of memory. */
int places_want(struct places *places, int64_t cluster, int64_t job_id, struct error *err);

/* Reads the months of all noted jobs. */
int places_read(struct places *places, struct database *db, struct error *err);

/*
 * Returns the months whose tables may have the job, which must be noted; 0 ends the list. NULL if there are none.
 */
const int *places_months(struct places *places, int64_t cluster, int64_t job_id);

/* Adds @month to the months of the job, which must be noted. */
int places_add(struct places *places, int64_t cluster, int64_t job_id, int month, struct error *err);

/* Writes the added months that are new. */
int places_write(struct places *places, struct database *db, struct error *err);

void places_free(struct places *places);

#endif
