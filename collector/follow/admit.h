/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides which jobs stintd follows. */
#ifndef STINT_ADMIT_H
#define STINT_ADMIT_H

#include "collector/collector.h"

/* Answer to the plugin if admit_job() returns NULL. */
#define ADMIT_NO_ROOM "stintd has no room for one more job; its log says why"

/* Returns the job of @message, which may be new. If there is no room or no memory, logs it and returns NULL. */
struct job *admit_job(struct collector *c, const struct control_message *message);

/*
 * Callback for journal_read(). Logs that the journal file @name is damaged. admit_job() then marks the file's job as
 * found late.
 *
 * @data: the collector
 */
void admit_bad_message(const char *name, const char *why, void *data);

#endif
