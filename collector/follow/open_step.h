/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles the begin of a step. */
#ifndef STINT_OPEN_STEP_H
#define STINT_OPEN_STEP_H

#include "collector/collector.h"

/* Handles @message, a CONTROL_OPEN. Answers and closes @reply_fd (-1: no process waits). */
void open_step(struct collector *c, const struct control_message *message, int reply_fd);

/* Adds a task to a step. @message is a CONTROL_TASK. */
void open_add_task(struct collector *c, const struct control_message *message);

/*
 * Adds the step of @message, a CONTROL_OPEN, to @job, or finds it there.
 *
 * @cgroup: the step's; its ids are 0 if there is none
 *
 * Returns the step; NULL if the job has too many steps.
 */
struct job_step *open_note_step(struct jobs *jobs, struct job *job, const struct control_message *message,
				const struct cgroup_job *cgroup);

#endif
