/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Retries the delivery of records that are left in the spool. One child at a time tries all records that are due, one
 * after the other. It starts a writer for each record and waits until the writer ends. record/spool.h says when a
 * record is due.
 */
#ifndef STINT_RETRY_H
#define STINT_RETRY_H

#include <stdbool.h>

#include "collector/collector.h"

/* Starts a child that delivers the records left in the spool, if any is due. Otherwise updates the status file. */
void retry_start(struct collector *c);

/* Handles the end of the child @pid. Returns true if retry_start() started this child. */
bool retry_ended(struct collector *c, int pid, int status);

#endif
