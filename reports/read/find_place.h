/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a job without a report ran. */
#ifndef STINT_FIND_PLACE_H
#define STINT_FIND_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/error.h"
#include "reports/read/locate.h"
#include "reports/read/rows.h"

/* Where a job ran, and why there may be no report of it. What is not known is NULL. */
struct found_place {
	char *directory; /* NULL: the job still runs */
	struct json_object *running; /* what stint-slurm-job says of a job that still runs */
	struct json_object *array; /* what it says of an array that was asked for by its number, and of which tasks run or wait */
	char *doubt; /* accounting alone says that it runs; or Slurm, that it ends right now, or that its array waits without it */
};

void found_place_free(struct found_place *place);

#define cleanup_found_place __attribute__((cleanup(found_place_free), unused))

/*
 * Fills @place, all zero, with where the job @name ran, as slurmctld or accounting says. Corrects @job where these know it
 * by another name (an array's task has a job id of its own, too).
 *
 * @rows: its who and verbose say whether messages have what was tried
 *
 * Returns 0; -1 with @err set to one line: why there is no report, or where it was looked for. Either way
 * found_place_free() it.
 */
int find_place(const struct rows *rows, const char *name, struct locate_job *job, struct found_place *place,
	       struct error *err);

/* Returns the number of the array that @slurm, an answer of stint-slurm-job, is about a task or the waiting tasks of; -1: it is about none. */
int64_t find_array_of(struct json_object *slurm);

/* Returns true if @slurm is about the array @job, asked for as a whole, of which a task runs or waits: others may have ended. */
bool find_goes_on(struct json_object *slurm, const struct locate_job *job);

#endif
