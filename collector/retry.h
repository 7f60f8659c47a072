/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Retries the delivery of records that are left in the spool. A child tries all records that are due, one after the
 * other. It starts a writer for each record and waits until this writer ends. Only one such child runs at a time.
 * record/spool.h says when a record is due.
 */
#ifndef STINT_RETRY_H
#define STINT_RETRY_H

#include <stdbool.h>

#include "collector/collector.h"

/*
 * Starts a child that delivers the records left in the spool, unless one runs. If no record is due, updates the status
 * file instead.
 */
void retry_start(struct collector *c);

/* Handles the end of the child @pid. Returns true if retry_start() started this child. */
bool retry_ended(struct collector *c, int pid, int status);

#endif
