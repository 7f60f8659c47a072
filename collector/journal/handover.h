/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The handover: what only stintd's memory has about an open job (timeline, series, activity, OOM victims, peaks). When
 * stintd is asked to stop, it writes this below the run directory for the next one. A killed stintd hands over nothing.
 */
#ifndef STINT_HANDOVER_H
#define STINT_HANDOVER_H

#include "collector/job/job.h"

/* Makes the directory below @run_fd. Returns 0; -1 with @err set. */
int handover_prepare(int run_fd, struct error *err);

/* Writes the handover of @job, which has a key. Returns 0; -1 with @err set. */
int handover_write(int run_fd, const struct job *job, struct error *err);

enum live {
	LIVE_NONE,    /* nothing was handed over */
	LIVE_TAKEN,
	LIVE_REFUSED, /* the handover is damaged, or of another version */
};

/*
 * Reads the handover of @job, once, and replaces that part of the job. @err is set if it is refused: then the job stays
 * unchanged.
 */
enum live handover_take(int run_fd, struct job *job, struct error *err);

/* Removes the remaining handovers, of jobs that are no longer known. */
void handover_clear(int run_fd);

#endif
