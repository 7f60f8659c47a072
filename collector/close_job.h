/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Closes a job: writes the node record to the spool, and then frees the job's entries in the kernel's maps. A child
 * process or the keeper (keeper.h) writes the record, so stintd itself never waits and stays small. The entries are
 * freed even if the report is not written later (deliver.h).
 */
#ifndef STINT_CLOSE_JOB_H
#define STINT_CLOSE_JOB_H

#include <json-c/json.h>

#include "collector/collector.h"

/*
 * Starts a child that builds the record of @job, or passes the record to the keeper. Call only when all processes of
 * the job have ended. If the spool already has the record, forgets the job instead. Returns 0; -1 with @err set.
 */
int close_start(struct collector *c, struct job *job, struct error *err);

/* Handles the answers that the keeper has sent. */
void close_kept(struct collector *c);

/*
 * Handles the end of the child @pid, with the wait status @status. Returns true if the child built or kept a record, or
 * if it was a writer that deliver.h started.
 */
bool close_child_ended(struct collector *c, int pid, int status);

/* Removes @job from stintd, from the run directory and from the kernel's maps. */
void close_forget(struct collector *c, struct job *job);

/*
 * Builds the record of @job. Returns the record as JSON text of *@length bytes, and sets *@built to the JSON object
 * that owns the text. The caller frees *@built, which may be set even on failure.
 *
 * @may_wait: as in struct record_source
 *
 * Returns NULL with @err set on failure, for example if there is no memory for a part of the record.
 */
const char *close_build_text(struct collector *c, struct job *job, bool may_wait, struct json_object **built,
			     size_t *length, struct error *err);

#endif
