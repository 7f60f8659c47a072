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

/* Takes up what was kept of the open jobs by an earlier stintd, then what the plugin left as notes. */
void follow_resume(struct collector *c);

/* Takes up the notes that the plugin left because nobody answered. */
void follow_notes(struct collector *c);

/* An ended program image, or a wish for a scan, from the ring. @data: the collector. */
void follow_event(const struct event *event, void *data);

/*
 * Looks at every job's memory, and starts the closing of those whose processes
 * have all ended. Returns whether a job is still waiting for that.
 */
bool follow_tick(struct collector *c, bool sample);

#endif
