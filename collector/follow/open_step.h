/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A step begins: admit its job, find and count its cgroup, save and answer its message. */
#ifndef STINT_OPEN_STEP_H
#define STINT_OPEN_STEP_H

#include "collector/collector.h"

/* Does what @message, a CONTROL_OPEN, asks for. Answers and closes @reply_fd (-1: no process waits). */
void open_step(struct collector *c, const struct control_message *message, int reply_fd);

/* Notes another task of a step, a CONTROL_TASK. */
void open_add_task(struct collector *c, const struct control_message *message);

/*
 * Adds the step of @message, a CONTROL_OPEN, to its job, even if it is already counted.
 *
 * @cgroup: where it is, with ids 0 if it has none
 *
 * Returns the step; NULL if there are too many.
 */
struct job_step *open_note_step(struct jobs *jobs, struct job *job, const struct control_message *message,
				const struct cgroup_job *cgroup);

#endif
