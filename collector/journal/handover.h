/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes and reads the handover: the data of an open job that only stintd's memory has (timeline, series, activity, OOM
 * victims, peaks). A stintd that is asked to stop writes the handover below the run directory for the next stintd. A
 * killed stintd writes no handover.
 */
#ifndef STINT_HANDOVER_H
#define STINT_HANDOVER_H

#include "collector/job/job.h"

/* Makes the directory for handovers below the directory @run_fd. Returns 0; -1 with @err set. */
int handover_prepare(int run_fd, struct error *err);

/* Writes the handover of @job. The key of @job must not be 0. Returns 0; -1 with @err set. */
int handover_write(int run_fd, const struct job *job, struct error *err);

enum live {
	LIVE_NONE,    /* nothing was handed over */
	LIVE_TAKEN,
	LIVE_REFUSED, /* the handover is damaged, or another version of stint wrote it */
};

/*
 * Reads the handover of @job into @job. Removes the file, so the handover can be read only once. If the handover is
 * refused, sets @err and leaves @job unchanged.
 */
enum live handover_take(int run_fd, struct job *job, struct error *err);

/* Removes all handovers that are left, because stintd no longer knows their jobs. */
void handover_clear(int run_fd);

#endif
