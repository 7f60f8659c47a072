/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps in the journal what the next stintd must know of the jobs that this one follows. A failure is logged. */
#ifndef STINT_KEEP_H
#define STINT_KEEP_H

#include "collector/collector.h"

/*
 * Keeps @message, a CONTROL_OPEN or CONTROL_JOB_CLOSE, with what is known of its job.
 *
 * @cgroup: where its step is; NULL: the step has none, or the job closes
 */
void keep_message(struct collector *c, const struct job *job, const struct control_message *message,
		  const struct cgroup_job *cgroup);

/* Appends a later message of a step to the journal. If the step's begin is not there, neither is what follows. */
void keep_later(struct collector *c, const struct job_step *step, const struct control_message *message);

/* Writes the messages again of all jobs of which more was found since they were kept. */
void keep_found(struct collector *c);

#endif
