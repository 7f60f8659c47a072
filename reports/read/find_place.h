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

/* Where a job ran, and why there may be no report of it. Unknown values are NULL. */
struct found_place {
	char *directory; /* NULL: the job still runs */
	struct slurm_answer *running; /* stint-slurm-job's answer about a job that still runs */
	struct slurm_answer *array; /* its answer about an array asked for by its number, of which tasks run or wait */
	char *doubt; /* why there may be no report: only accounting says it runs; it is just ending; or its array waits without it */
};

void found_place_free(struct found_place *place);

#define cleanup_found_place __attribute__((cleanup(found_place_free), unused))

/*
 * Fills @place, all zero, with where the job @name ran, according to slurmctld or accounting. Corrects @job if these
 * know it by another name (an array's task also has a job id of its own).
 *
 * @rows: its who and verbose control whether messages list what was tried
 *
 * Returns 0; -1 with @err set to one line: why there is no report, or where it was looked for. In both cases, call
 * found_place_free().
 */
int find_place(const struct rows *rows, const char *name, struct locate_job *job, struct found_place *place,
	       struct error *err);

/*
 * Returns the array's number if @slurm, an answer of stint-slurm-job, is about a task or the waiting tasks of an array;
 * -1: it is not.
 */
int64_t find_array_of(const struct record_slurm_job *slurm);

/*
 * Returns true if @slurm is about the array @job, asked for as a whole, and one of its tasks runs or waits. Other tasks
 * may have ended.
 */
bool find_goes_on(const struct record_slurm_job *slurm, const struct locate_job *job);

#endif
