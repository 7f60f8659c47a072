/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows jobs: passes each message of the plugin and each tick to the file for that subject. The calls go one way:
 *
 *   resume, overdue      from one stintd to the next; jobs that end without a message
 *   follow               messages, notes, ticks: which of the following they are for
 *   open_step, end_job   a step or a job begins; it ends
 *   count_step           its cgroup is counted from now on
 *   before, scan_threads what the cgroup had used by then; threads that are not counted
 *   keep                 what the next stintd must know of that
 *   admit                the job of a message
 *
 * take_event, for the kernel programs' events, stands alone.
 */
#ifndef STINT_FOLLOW_H
#define STINT_FOLLOW_H

#include "collector/collector.h"

/*
 * Handles @message, which has come through the socket, and removes the plugin's note of the same message. For
 * server_open().
 *
 * @reply_fd: as for follow_message()
 * @data: the collector
 */
void follow_received(const struct control_message *message, int reply_fd, void *data);

/*
 * Does what @message asks for. Answers and closes @reply_fd (-1: no process waits): at once, or for a job's close
 * when its record is on the disk or its report is written.
 */
void follow_message(struct collector *c, const struct control_message *message, int reply_fd);

/* Processes the notes that the plugin left because it got no answer. */
void follow_notes(struct collector *c);

/*
 * Starts to close the jobs that are over and whose processes have all ended; with @sample, samples the others. Returns
 * whether a job still waits for its last processes.
 */
bool follow_tick(struct collector *c, bool sample);

#endif
