/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles the begin of a step: admits the job, finds and counts the step's cgroup, saves the message and answers it.
 */
#ifndef STINT_OPEN_STEP_H
#define STINT_OPEN_STEP_H

#include "collector/collector.h"

/* Does what @message, a CONTROL_OPEN, asks for. Answers and closes @reply_fd (-1: no process waits). */
void open_step(struct collector *c, const struct control_message *message, int reply_fd);

/* Adds another task to a step. @message is a CONTROL_TASK. */
void open_add_task(struct collector *c, const struct control_message *message);

/*
 * Adds the step of @message, a CONTROL_OPEN, to @job, and sets what @message says about the step. The step may already
 * be counted.
 *
 * @cgroup: the step's cgroup; the ids in it are 0 if the step has no cgroup
 *
 * Returns the step; NULL if the job has too many steps.
 */
struct job_step *open_note_step(struct jobs *jobs, struct job *job, const struct control_message *message,
				const struct cgroup_job *cgroup);

#endif
