/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RUN_DIR/status.json: what this stintd can and cannot measure and what it has done, for `stint doctor` and monitors
 * (docs/status.md).
 */
#ifndef STINT_STATUS_H
#define STINT_STATUS_H

#include "collector/collector.h"

/* Writes the status file. Returns 0; -1 with @err set. */
int status_write(struct collector *c, struct error *err);

/* Counts what the spool holds, and writes the status file again when that has changed. */
void status_refresh(struct collector *c);

/* Has the next status_tick() write the file. */
void status_changed(struct collector *c);

/*
 * To be called every 10 s: writes the status file again where jobs or reports have come or gone, or it is a minute old.
 * The spool is not counted again.
 */
void status_tick(struct collector *c);

#endif
