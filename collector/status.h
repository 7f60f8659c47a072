/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes RUN_DIR/status.json, for `stint doctor` and monitors (docs/status.md). */
#ifndef STINT_STATUS_H
#define STINT_STATUS_H

#include "collector/collector.h"

/* Returns the counts that are known without reading the spool. */
struct status_counts status_count(const struct collector *c);

/* Returns 0; -1 with @err set. */
int status_write(struct collector *c, struct error *err);

/* Counts the records in the spool, and writes the file if a count has changed. */
void status_refresh(struct collector *c);

/* Makes the next status_tick() write the file. */
void status_changed(struct collector *c);

/* Call every 10 s. Writes the file if something has changed, or after a minute. */
void status_tick(struct collector *c);

#endif
