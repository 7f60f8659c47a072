/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes and reads the handover of an open job. The handover has the data that are only in the memory of stintd, such
 * as the timeline. A stintd that is stopped leaves handovers below the run directory. A killed stintd leaves none.
 */
#ifndef STINT_HANDOVER_H
#define STINT_HANDOVER_H

#include "collector/job/job.h"

/* Makes the directory for handovers below @run_fd. Returns 0; -1 with @err set. */
int handover_prepare(int run_fd, struct error *err);

/* Writes the handover of @job. Its key must not be 0. Returns 0; -1 with @err set. */
int handover_write(int run_fd, const struct job *job, struct error *err);

enum live {
	LIVE_NONE,
	LIVE_TAKEN,
	LIVE_REFUSED, /* damaged, or from another version of stint */
};

/* Reads the handover into @job and removes the file. If the handover is refused, sets @err and does not change @job. */
enum live handover_take(int run_fd, struct job *job, struct error *err);

/* Removes the handovers that are left. */
void handover_clear(int run_fd);

#endif
