/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records that could not be delivered stay in the spool and are retried. One child at a time tries all that are due,
 * one after the other: it starts a writer for each and waits for its end. record/spool.h says when a record is due.
 */
#ifndef STINT_RETRY_H
#define STINT_RETRY_H

#include <stdbool.h>

#include "collector/collector.h"

/* Starts a child that delivers the records left in the spool, if any is due; otherwise updates the status file. */
void retry_start(struct collector *c);

/* Handles the end of the child @pid. Returns whether retry_start() started it. */
bool retry_ended(struct collector *c, int pid, int status);

#endif
