/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes RUN_DIR/status.json, which shows what this stintd can and cannot measure, and what it has done. `stint doctor`
 * and monitors read this file (docs/status.md).
 */
#ifndef STINT_STATUS_H
#define STINT_STATUS_H

#include "collector/collector.h"

/* Writes the status file. Returns 0; -1 with @err set. */
int status_write(struct collector *c, struct error *err);

/* Counts the records in the spool. Writes the status file again if the counts have changed. */
void status_refresh(struct collector *c);

/* Makes the next status_tick() write the file. */
void status_changed(struct collector *c);

/*
 * Call every 10 s. Writes the status file again if jobs or reports have come or gone, if what waits in the spool has
 * changed, or if the file is a minute old.
 */
void status_tick(struct collector *c);

#endif
