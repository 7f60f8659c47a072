/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ends a step or a job. Handles the time from the close message of the job until its record is being built
 * (collector/close_job.h).
 */
#ifndef STINT_END_JOB_H
#define STINT_END_JOB_H

#include "collector/collector.h"

/* Records the end of the step of @message, a CONTROL_STEP_CLOSE. */
void end_step(struct collector *c, const struct control_message *message);

/*
 * Moves the job of @message, a CONTROL_JOB_CLOSE, to the phase JOB_ENDING, because the job has left the node.
 *
 * @reply_fd: answered and closed at once, or when the job's record is on disk, or when the job's report is written; -1:
 * no process waits
 */
void end_job(struct collector *c, const struct control_message *message, int reply_fd);

/* Closes @job without an epilog, with the data that stintd has. @by: the reason why there is no epilog */
void end_job_here(struct collector *c, struct job *job, enum control_closed by);

/*
 * Closes the former attempt of a job if @message, a CONTROL_OPEN, belongs to the job's next attempt and stintd still
 * follows the former one.
 */
void end_former_attempt(struct collector *c, const struct control_message *message);

/*
 * Returns true if a signal ended the extern step of @job, but Slurm ends no job with this signal. A signal for all
 * steps of a job (scancel --signal=USR1, sbatch --signal=USR1@60) also ends the extern step, but the job continues.
 */
bool end_outlives_extern(const struct job *job);

/*
 * Starts to build the records of the jobs that are over and have no processes left. Returns true if at least one job
 * still waits for its last processes.
 */
bool end_tick(struct collector *c);

#endif
