/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Following jobs: what each message of the plugin's does. */
#ifndef STINT_FOLLOW_H
#define STINT_FOLLOW_H

#include "collector/collector.h"

/*
 * Does what @message says. @reply_fd (-1: nobody waits) is answered and closed:
 * at once, or for a job's close when its report has been written.
 */
void follow_message(struct collector *c, const struct control_message *message, int reply_fd);

/* What is to be told of @job, by its own option or by stint.conf. */
enum control_mode follow_mode(const struct collector *c, const struct job *job);

/* Takes up what was kept of the open jobs by an earlier stintd, then what the plugin left as notes. */
void follow_resume(struct collector *c);

/* Hands to the next stintd what stands in memory alone of the open jobs. */
void follow_hand_over(struct collector *c);

/* Takes up the notes that the plugin left because nobody answered. */
void follow_notes(struct collector *c);

/* Takes an ended program image, an out-of-memory victim or a wish for a scan from the ring. @data: the collector. */
void follow_event(const struct event *event, void *data);

/*
 * Starts the closing of those jobs whose processes have all ended, and, with @sample, looks at the others. Returns
 * whether a job is still waiting for its end.
 */
bool follow_tick(struct collector *c, bool sample);

#endif
