/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows jobs. Passes messages and ticks to the file that handles them. Files call only files further down in this
 * list:
 *
 * resume, overdue: from one stintd to the next; jobs without a closing message
 * follow: messages, notes and ticks
 * open_step, end_job: the begin and end of steps and jobs
 * count_step: starts to count a step's cgroup
 * before, scan_threads: CPU time before counting; uncounted threads
 * keep: saves what the next stintd must know
 * admit: finds or adds the job of a message
 */
#ifndef STINT_FOLLOW_H
#define STINT_FOLLOW_H

#include "collector/collector.h"

/*
 * Callback for server_open(). Handles @message, and removes the plugin's note of it.
 *
 * @reply_fd: as in follow_message()
 * @data: the collector
 */
void follow_received(const struct control_message *message, int reply_fd, void *data);

/*
 * Does what @message asks for.
 *
 * @reply_fd: answered and closed, possibly later (end_job()); -1: no process waits
 */
void follow_message(struct collector *c, const struct control_message *message, int reply_fd);

/* Handles the notes that plugins left because they got no answer. */
void follow_notes(struct collector *c);

/*
 * Starts to close jobs without processes. @sample: also sample the open jobs
 * Returns true if there is work for the next tick.
 */
bool follow_tick(struct collector *c, bool sample);

#endif
