/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds where a job without a report ran. */
#ifndef STINT_FIND_PLACE_H
#define STINT_FIND_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/read/locate.h"
#include "reports/read/rows.h"
#include "reports/records/record.h"

/* Where a job ran, and why there may be no report. Unknown values are NULL. */
struct found_place {
	char *directory; /* NULL if the job still runs */
	struct slurm_answer *running; /* stint-slurm-job's answer about a job that still runs */
	struct slurm_answer *array; /* stint-slurm-job's answer about a whole array, if some of its tasks run or wait */
	char *doubt; /* why there may be no report */
};

void found_place_free(struct found_place *place);

#define cleanup_found_place __attribute__((cleanup(found_place_free), unused))

/*
 * Fills @place, which must be all zero, from slurmctld or accounting.
 * Corrects @job if Slurm knows it by another name, such as a task's own job id.
 *
 * @rows: if rows->verbose, messages say what was tried; each message begins with rows->who
 *
 * Returns 0; -1 with @err set to why there is no report, or to the places searched.
 * Call found_place_free() in both cases.
 */
int find_place(const struct rows *rows, const char *name, struct locate_job *job, struct found_place *place,
	       struct error *err);

/*
 * Returns the array's number, if @slurm is a task of an array or its waiting tasks; else -1.
 * @slurm: an answer of stint-slurm-job
 */
int64_t find_array_of(const struct record_slurm_job *slurm);

/* Returns whether @job is a whole array that @slurm is about, and one of its tasks runs or waits. */
bool find_goes_on(const struct record_slurm_job *slurm, const struct locate_job *job);

#endif
