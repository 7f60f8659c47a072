/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which jobs stintd follows: those whose messages come, as long as there is room. */
#ifndef STINT_ADMIT_H
#define STINT_ADMIT_H

#include "collector/collector.h"

/* Why admit_job() has no job, for the caller that waits for an answer. */
#define ADMIT_NO_ROOM "stintd has no room for one more job; its log says why"

/* Finds the job of @message, or adds it. Returns it; NULL if out of memory or no room for one more, which is logged. */
struct job *admit_job(struct collector *c, const struct control_message *message);

/*
 * Logs that the file @name of the journal was damaged, and remembers its job: admit_job() treats that job as found
 * late. For journal_read(). @data: the collector
 */
void admit_bad_message(const char *name, const char *why, void *data);

#endif
