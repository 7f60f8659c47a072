/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves in the journal what the next stintd must know about the jobs that this one follows. Logs each failure.
 */
#ifndef STINT_KEEP_H
#define STINT_KEEP_H

#include "collector/collector.h"

/*
 * Saves @message, a CONTROL_OPEN or CONTROL_JOB_CLOSE, together with what stintd knows about its job.
 *
 * @cgroup: the cgroup of the step; NULL if the step has none, or if @message closes the job
 */
void keep_message(struct collector *c, const struct job *job, const struct control_message *message,
		  const struct cgroup_job *cgroup);

/*
 * Appends a later message of @step to the journal. Drops the message if the journal does not have the begin of the
 * step.
 */
void keep_later(struct collector *c, const struct job_step *step, const struct control_message *message);

/* Saves messages again if stintd has learned more about their jobs since it saved them. */
void keep_found(struct collector *c);

#endif
