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

/*
 * Fills @place with the directory that the job @name ran in, as slurmctld or accounting says. Corrects @job where these
 * know it by another name (an array's task has a job id of its own, too).
 *
 * @rows: its who and verbose say whether messages have what was tried
 * @running: set to what stint-slurm-job says of a job that still runs, for json_object_put(); @place is then left alone
 * @array: unless NULL, set to what it says of an array that was asked for by its number, and of which tasks run or wait; to be put, too
 * @doubt: unless NULL, set to a text for free() where accounting alone says that the job still runs, or Slurm that it ends
 *         right now
 *
 * Returns 0; -1 with @err set to one line: why there is no report, or where it was looked for.
 */
int find_place(const struct rows *rows, const char *name, struct locate_job *job, char **place,
	       struct json_object **running, struct json_object **array, char **doubt, struct error *err);

/* Returns the number of the array that @slurm, an answer of stint-slurm-job, is about a task or the waiting tasks of; -1: it is about none. */
int64_t find_array_of(struct json_object *slurm);

/* Returns true if @slurm is about the array @job, asked for as a whole, of which a task runs or waits: others may have ended. */
bool find_goes_on(struct json_object *slurm, const struct locate_job *job);

#endif
