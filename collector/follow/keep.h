/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves in the journal what the next stintd must know about the jobs that this one follows. A failure is logged. */
#ifndef STINT_KEEP_H
#define STINT_KEEP_H

#include "collector/collector.h"

/*
 * Saves @message, a CONTROL_OPEN or CONTROL_JOB_CLOSE, with what is known about its job.
 *
 * @cgroup: the cgroup of the step; NULL if the step has none, or if the job closes
 */
void keep_message(struct collector *c, const struct job *job, const struct control_message *message,
		  const struct cgroup_job *cgroup);

/* Appends a later message of a step to the journal. If the journal lacks the step's begin, the message is dropped. */
void keep_later(struct collector *c, const struct job_step *step, const struct control_message *message);

/* Saves the messages again for all jobs about which stintd has learned more since the last save. */
void keep_found(struct collector *c);

#endif
