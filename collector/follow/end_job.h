/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of a step, or of a job: from the message that says so until its record is being built
 * (collector/close_job.h).
 */
#ifndef STINT_END_JOB_H
#define STINT_END_JOB_H

#include "collector/collector.h"

/* Notes the end of a step, a CONTROL_STEP_CLOSE. */
void end_step(struct collector *c, const struct control_message *message);

/*
 * Takes the job of @message, a CONTROL_JOB_CLOSE, to JOB_ENDING: it has left the node. Answers and closes @reply_fd
 * (-1: no process waits) at once, or when the job's record is on the disk or its report is written.
 */
void end_job(struct collector *c, const struct control_message *message, int reply_fd);

/* Closes @job as its epilog would, from what is known here. @by: why no epilog does */
void end_job_here(struct collector *c, struct job *job, enum control_closed by);

/* Closes the attempt of a job that is still followed, if @message, a CONTROL_OPEN, is from its next one. */
void end_former_attempt(struct collector *c, const struct control_message *message);

/*
 * Whether the extern step of @job was ended by a signal with which Slurm ends no job. A signal for all steps of a job
 * (scancel --signal=USR1, sbatch --signal=USR1@60) also ends that step, and the job continues.
 */
bool end_outlives_extern(const struct job *job);

/*
 * Has the records built for the jobs that are over and whose processes have ended. Returns whether one waits for
 * processes.
 */
bool end_tick(struct collector *c);

#endif
