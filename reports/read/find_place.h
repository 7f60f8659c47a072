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

/* Where a job ran, and why there may be no report of the job. Unknown values are NULL. */
struct found_place {
	char *directory; /* NULL if the job still runs */
	struct slurm_answer *running; /* stint-slurm-job's answer about a job that still runs */
	struct slurm_answer *array; /* stint-slurm-job's answer about an array; set if the user asked for the whole array, and
				     * some of its tasks run or wait */
	char *doubt; /* why there may be no report: only accounting says that the job runs, the job is just ending, or this task
		      * is not among the waiting tasks of its array */
};

void found_place_free(struct found_place *place);

#define cleanup_found_place __attribute__((cleanup(found_place_free), unused))

/*
 * Fills @place with the place where the job @name ran, according to slurmctld or accounting. On entry, @place is all
 * zero. If slurmctld or accounting knows the job by another name, corrects @job. For example, an array's task also has
 * a job id of its own.
 *
 * @rows: if @rows->verbose is true, messages say what was tried; they begin with @rows->who
 *
 * Returns 0. On failure returns -1 with @err set to one line that says why there is no report, or which places were
 * searched. In both cases, call found_place_free().
 */
int find_place(const struct rows *rows, const char *name, struct locate_job *job, struct found_place *place,
	       struct error *err);

/*
 * Returns the number of the array if @slurm is about a task of an array, or about the tasks of an array that wait;
 * otherwise -1. @slurm: an answer of stint-slurm-job
 */
int64_t find_array_of(const struct record_slurm_job *slurm);

/*
 * Returns true if @job is a whole array, @slurm is about this array, and one of its tasks runs or waits. Other tasks
 * may have ended.
 */
bool find_goes_on(const struct record_slurm_job *slurm, const struct locate_job *job);

#endif
