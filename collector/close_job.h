/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Closes a job: a child process puts its node record into the spool, or the keeper does (keeper.h). Then the job's
 * entries in the kernel's maps are freed, whatever happens to its report (deliver.h). stintd itself never waits and
 * stays small.
 */
#ifndef STINT_CLOSE_JOB_H
#define STINT_CLOSE_JOB_H

#include <json-c/json.h>

#include "collector/collector.h"

/*
 * Starts the child for @job, whose processes have ended, or gives its record to the keeper. Forgets the job if its
 * record is in the spool already. Returns 0; -1 with @err set.
 */
int close_start(struct collector *c, struct job *job, struct error *err);

/* Handles the keeper's answers. */
void close_kept(struct collector *c);

/*
 * Handles the end of the child @pid, with the wait status @status. Returns whether it built or kept a record, or was a writer
 * of deliver.h.
 */
bool close_child_ended(struct collector *c, int pid, int status);

/* Forgets @job, here, in the run directory and in the kernel's maps. */
void close_forget(struct collector *c, struct job *job);

/*
 * Returns the record of @job as JSON, of *@length bytes, and the record itself as *@built; NULL with @err set, also if
 * memory ran out for a part of it. Free the record, which may exist even then; the text is part of it. @may_wait: as in
 * struct record_source
 */
const char *close_build_text(struct collector *c, struct job *job, bool may_wait, struct json_object **built,
			     size_t *length, struct error *err);

#endif
