/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The handover: the data of an open job that is only in stintd's memory (timeline, series, activity, OOM victims,
 * peaks). When stintd is asked to stop, it writes the handover below the run directory for the next stintd. A killed
 * stintd hands over nothing.
 */
#ifndef STINT_HANDOVER_H
#define STINT_HANDOVER_H

#include "collector/job/job.h"

/* Makes the directory for handovers below @run_fd. Returns 0; -1 with @err set. */
int handover_prepare(int run_fd, struct error *err);

/* Writes the handover of @job, whose key must not be 0. Returns 0; -1 with @err set. */
int handover_write(int run_fd, const struct job *job, struct error *err);

enum live {
	LIVE_NONE,    /* nothing was handed over */
	LIVE_TAKEN,
	LIVE_REFUSED, /* the handover is damaged, or another version of stint wrote it */
};

/*
 * Reads the handover of @job into the job and removes the file, so it can be read only once. If the handover is
 * refused, sets @err and leaves the job unchanged.
 */
enum live handover_take(int run_fd, struct job *job, struct error *err);

/* Removes the handovers that are left over, because stintd no longer knows their jobs. */
void handover_clear(int run_fd);

#endif
