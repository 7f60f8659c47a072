/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves in the journal what the next stintd must know. Logs failures. */
#ifndef STINT_KEEP_H
#define STINT_KEEP_H

#include "collector/collector.h"

/*
 * Saves @message, a CONTROL_OPEN or CONTROL_JOB_CLOSE, with what stintd knows about the job.
 *
 * @cgroup: the step's; NULL: none, or the message closes the job
 */
void keep_message(struct collector *c, const struct job *job, const struct control_message *message,
		  const struct cgroup_job *cgroup);

/* Appends a later message of @step, if the journal has the step's begin. */
void keep_later(struct collector *c, const struct job_step *step, const struct control_message *message);

/* Saves messages again if stintd has learned about their jobs. */
void keep_found(struct collector *c);

#endif
