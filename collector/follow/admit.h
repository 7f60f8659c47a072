/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides which jobs stintd follows: every job that sends a message, if there is room for one more job.
 */
#ifndef STINT_ADMIT_H
#define STINT_ADMIT_H

#include "collector/collector.h"

/* The error that stintd sends to the waiting plugin if admit_job() returns NULL. */
#define ADMIT_NO_ROOM "stintd has no room for one more job; its log says why"

/*
 * Returns the job of @message, and adds the job if stintd does not know it yet. Returns NULL and logs the reason if out
 * of memory or if there is no room for one more job.
 */
struct job *admit_job(struct collector *c, const struct control_message *message);

/*
 * Logs that the journal file @name was damaged, and remembers which job the file belonged to. admit_job() then marks
 * this job as found late. This is a callback for journal_read().
 *
 * @data: the collector
 */
void admit_bad_message(const char *name, const char *why, void *data);

#endif
