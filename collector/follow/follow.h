/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows jobs: passes each message of the plugin, and each tick, to the file that handles it. A file calls only files
 * further down in this list:
 *
 *   resume, overdue      from one stintd to the next; jobs that end without a message
 *   follow               messages, notes, ticks: chooses the file that handles each
 *   open_step, end_job   the begin and the end of a step or a job
 *   count_step           starts to count the cgroup of a step
 *   before, scan_threads CPU time before counting began; threads that are not counted
 *   keep                 saves in the journal what the next stintd must know
 *   admit                finds or adds the job of a message
 *
 * take_event stands alone. It handles the kernel programs' events.
 */
#ifndef STINT_FOLLOW_H
#define STINT_FOLLOW_H

#include "collector/collector.h"

/*
 * Handles @message, which came through the socket, and removes the plugin's note of the same message. A callback for
 * server_open().
 *
 * @reply_fd: as for follow_message()
 * @data: the collector
 */
void follow_received(const struct control_message *message, int reply_fd, void *data);

/*
 * Does what @message asks for. Answers and closes @reply_fd (-1: no process waits). The answer comes at once; for the
 * close of a job it comes when the record is on disk or the report is written.
 */
void follow_message(struct collector *c, const struct control_message *message, int reply_fd);

/* Processes the notes that the plugin left because it got no answer. */
void follow_notes(struct collector *c);

/*
 * Starts to close the jobs that are over and whose processes have all ended. With @sample, also samples the other jobs.
 * Returns true if a job still waits for its last processes.
 */
bool follow_tick(struct collector *c, bool sample);

#endif
