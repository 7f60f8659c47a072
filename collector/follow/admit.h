/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides which jobs stintd follows: every job that sends a message, as long as there is room for one more. */
#ifndef STINT_ADMIT_H
#define STINT_ADMIT_H

#include "collector/collector.h"

/* The error text if admit_job() returns NULL: for the plugin that waits for an answer. */
#define ADMIT_NO_ROOM "stintd has no room for one more job; its log says why"

/*
 * Finds the job of @message, or adds the job. Returns the job. Returns NULL and logs why if out of memory or if there
 * is no room for one more job.
 */
struct job *admit_job(struct collector *c, const struct control_message *message);

/*
 * Logs that the journal file @name was damaged, and remembers the file's job. admit_job() then treats this job as found
 * late. A callback for journal_read().
 *
 * @data: the collector
 */
void admit_bad_message(const char *name, const char *why, void *data);

#endif
