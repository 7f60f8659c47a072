/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves in the journal what the next stintd must know about the jobs that this one follows. A failure is logged. */
#ifndef STINT_KEEP_H
#define STINT_KEEP_H

#include "collector/collector.h"

/*
 * Saves @message, a CONTROL_OPEN or CONTROL_JOB_CLOSE, with what is known about its job.
 *
 * @cgroup: where its step is; NULL: the step has none, or the job closes
 */
void keep_message(struct collector *c, const struct job *job, const struct control_message *message,
		  const struct cgroup_job *cgroup);

/*
 * Appends a later message of a step to the journal. If the step's begin is not there, the later messages are not
 * either.
 */
void keep_later(struct collector *c, const struct job_step *step, const struct control_message *message);

/* Writes the messages of all jobs again for which more was found since they were saved. */
void keep_found(struct collector *c);

#endif
