/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows jobs: does what each message of the plugin asks for. */
#ifndef STINT_FOLLOW_H
#define STINT_FOLLOW_H

#include "collector/collector.h"

/*
 * Does what @message asks for. @reply_fd (-1: nobody waits) is answered and closed: at
 * once, or for a job's close when its record is on the disk or its report is written.
 */
void follow_message(struct collector *c, const struct control_message *message, int reply_fd);

/* Closes @job as its epilog would, of what is known here. @by: why no epilog does */
void follow_close(struct collector *c, struct job *job, enum control_closed by);

/*
 * Whether the extern step of @job was ended by a signal with which Slurm ends no job. A signal for all steps of a job (scancel
 * --signal=USR1, sbatch --signal=USR1@60) ends that step, too, and the job goes on.
 */
bool follow_outlives_extern(const struct job *job);

/* Takes up the open jobs from the journal of an earlier stintd, then the notes that the plugin left. */
void follow_resume(struct collector *c);

/* Writes the handover of all open jobs for the next stintd. */
void follow_hand_over(struct collector *c);

/* Takes up the notes that the plugin left because nobody answered. */
void follow_notes(struct collector *c);

/* Handles an event from the ring buffer: an ended image, an out-of-memory victim, ... @data: the collector. */
void follow_event(const struct event *event, void *data);

/*
 * Starts to close the jobs that are over and whose processes have all ended; with @sample, samples the others. Returns
 * whether a job still waits for its last processes.
 */
bool follow_tick(struct collector *c, bool sample);

#endif
