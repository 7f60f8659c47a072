/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows jobs: passes each message of the plugin, and each tick, to the file that handles it. Each file in this list
 * calls only files further down in the list:
 *
 *   resume, overdue       from one stintd to the next; jobs that end without a message
 *   follow                messages, notes, ticks: chooses the file that handles each
 *   open_step, end_job    the begin and the end of a step or a job
 *   count_step            starts to count the cgroup of a step
 *   before, scan_threads  CPU time before counting began; threads that are not counted
 *   keep                  saves in the journal what the next stintd must know
 *   admit                 finds or adds the job of a message
 *
 * take_event is not in the list. It handles the kernel programs' events.
 */
#ifndef STINT_FOLLOW_H
#define STINT_FOLLOW_H

#include "collector/collector.h"

/*
 * Handles @message, which came through the socket. Then removes the plugin's note of the same message, if there is one.
 * This is a callback for server_open().
 *
 * @reply_fd: as for follow_message()
 * @data: the collector
 */
void follow_received(const struct control_message *message, int reply_fd, void *data);

/*
 * Does what @message asks for. Answers and closes @reply_fd (-1: no process waits). The answer comes at once, unless
 * @message closes a job. Then the answer may come only when the job's record is on disk or its report is written.
 */
void follow_message(struct collector *c, const struct control_message *message, int reply_fd);

/* Processes the notes that the plugin left because it got no answer. */
void follow_notes(struct collector *c);

/*
 * Starts to close the jobs that are over and have no processes left. If @sample is true, also samples all open jobs.
 * Returns true if work is left for the next tick, for example because a job still waits for its last processes.
 */
bool follow_tick(struct collector *c, bool sample);

#endif
