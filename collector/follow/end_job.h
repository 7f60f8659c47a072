/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends a step or a job: from its close message until the job's record is being built (collector/close_job.h). */
#ifndef STINT_END_JOB_H
#define STINT_END_JOB_H

#include "collector/collector.h"

/* Records the end of a step. @message is a CONTROL_STEP_CLOSE. */
void end_step(struct collector *c, const struct control_message *message);

/*
 * Sets the job of @message, a CONTROL_JOB_CLOSE, to JOB_ENDING: the job has left the node. Answers and closes @reply_fd
 * (-1: no process waits). It does so at once, or when the job's record is on disk or its report is written.
 */
void end_job(struct collector *c, const struct control_message *message, int reply_fd);

/* Closes @job with the data that stintd has, without an epilog. @by: why there is no epilog */
void end_job_here(struct collector *c, struct job *job, enum control_closed by);

/*
 * If @message, a CONTROL_OPEN, belongs to the next attempt of a job that is still followed, closes the former attempt.
 */
void end_former_attempt(struct collector *c, const struct control_message *message);

/*
 * Returns true if the extern step of @job was ended by a signal with which Slurm ends no job. A signal for all steps of
 * a job (scancel --signal=USR1, sbatch --signal=USR1@60) also ends the extern step, but the job continues.
 */
bool end_outlives_extern(const struct job *job);

/*
 * Starts to build the records of the jobs that are over and whose processes have all ended. Returns true if a job still
 * waits for its processes.
 */
bool end_tick(struct collector *c);

#endif
