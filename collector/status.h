/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RUN_DIR/status.json: what this stintd can and cannot measure, for `stint doctor`. */
#ifndef STINT_STATUS_H
#define STINT_STATUS_H

#include "collector/collector.h"

/* Writes it. Returns 0; -1 with @err set. */
int status_write(const struct collector *c, struct error *err);

/* Looks at the spool, and writes it anew when that is no longer as it says. */
void status_refresh(struct collector *c);

#endif
