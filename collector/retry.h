/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Retries to deliver the records in the spool. One child tries all records that are due (record/spool.h). */
#ifndef STINT_RETRY_H
#define STINT_RETRY_H

#include <stdbool.h>

#include "collector/collector.h"

/* Starts the child, unless one runs. If no record is due, updates the status file. */
void retry_start(struct collector *c);

/* Handles the end of the child @pid. Returns true if retry_start() started the child. */
bool retry_ended(struct collector *c, int pid, int status);

#endif
