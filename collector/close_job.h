/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Closes a job. A child process, or the keeper (keeper.h), writes the job's node record to the spool. Then the job's
 * entries in the kernel's maps are freed, whatever happens to its report (deliver.h). So stintd itself never waits and
 * stays small.
 */
#ifndef STINT_CLOSE_JOB_H
#define STINT_CLOSE_JOB_H

#include <json-c/json.h>

#include "collector/collector.h"

/*
 * Starts the child for @job, or passes its record to the keeper. All processes of the job must have ended. If the
 * record is already in the spool, forgets the job. Returns 0; -1 with @err set.
 */
int close_start(struct collector *c, struct job *job, struct error *err);

/* Handles the answers of the keeper. */
void close_kept(struct collector *c);

/*
 * Handles the end of the child @pid, with the wait status @status. Returns true if the child built or kept a record, or
 * was a writer of deliver.h.
 */
bool close_child_ended(struct collector *c, int pid, int status);

/* Forgets @job: in stintd, in the run directory and in the kernel's maps. */
void close_forget(struct collector *c, struct job *job);

/*
 * Builds the record of @job. Returns it as JSON text of *@length bytes, and the object as *@built. The text belongs to
 * the object, which the caller frees. Returns NULL with @err set on failure, also if out of memory for a part of the
 * record. *@built may not be NULL even then. @may_wait: as in struct record_source
 */
const char *close_build_text(struct collector *c, struct job *job, bool may_wait, struct json_object **built,
			     size_t *length, struct error *err);

#endif
