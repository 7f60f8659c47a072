/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends a step or a job. */
#ifndef STINT_END_JOB_H
#define STINT_END_JOB_H

#include "collector/collector.h"

/* Records the end of a step, a CONTROL_STEP_CLOSE. */
void end_step(struct collector *c, const struct control_message *message);

/*
 * Moves a job that has left the node to JOB_ENDING.
 *
 * @message: a CONTROL_JOB_CLOSE
 * @reply_fd: answered and closed, perhaps only when the report is written; -1: no process waits
 */
void end_job(struct collector *c, const struct control_message *message, int reply_fd);

/* Closes @job without an epilog, from the data that stintd has. @by: why there is no epilog */
void end_job_here(struct collector *c, struct job *job, enum control_closed by);

/* Closes the former attempt if @message, a CONTROL_OPEN, belongs to the job's next attempt. */
void end_former_attempt(struct collector *c, const struct control_message *message);

/*
 * Returns true if a signal ended the extern step, but not the job. scancel --signal and sbatch --signal can send a
 * signal to all steps.
 */
bool end_outlives_extern(const struct job *job);

/* Starts to build the records of jobs without processes. Returns true if a job waits for its last processes. */
bool end_tick(struct collector *c);

#endif
