/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Closes a job: writes the node record to the spool. Then frees the job's entries in the kernel's maps.
 *
 * A child or the keeper (keeper.h) writes the record, so stintd does not wait.
 */
#ifndef STINT_CLOSE_JOB_H
#define STINT_CLOSE_JOB_H

#include <json-c/json.h>

#include "collector/collector.h"

/*
 * Starts to build the record of @job. If the spool has the record already, forgets @job. Call after the last process of
 * the job has ended.
 * Returns 0; -1 with @err set.
 */
int close_start(struct collector *c, struct job *job, struct error *err);

void close_kept(struct collector *c);

/*
 * Handles the end of the child @pid with the wait status @status. Returns true if the child was a builder of a record,
 * the keeper, or a writer (deliver.h).
 */
bool close_child_ended(struct collector *c, int pid, int status);

/* Removes @job from stintd, from the run directory and from the kernel's maps. */
void close_forget(struct collector *c, struct job *job);

/*
 * Builds the record of @job as JSON.
 *
 * @may_wait: as in struct record_source
 * @built: owns the returned text; the caller frees @built, even on failure
 * @length: receives the length of the text
 *
 * Returns the text; NULL with @err set on failure.
 */
const char *close_build_text(struct collector *c, struct job *job, bool may_wait, struct json_object **built,
			     size_t *length, struct error *err);

#endif
