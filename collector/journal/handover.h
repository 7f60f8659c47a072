/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The handover: what only stintd's memory has of an open job (timeline, series, activity, OOM victims, peaks). A stintd
 * that is asked to stop writes it below the run directory for the next one. A stintd that is killed hands over nothing.
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
 * Reads the handover of @job, once, and replaces what the job has of that. @err is set where it is refused: then the
 * job stays as it is.
 */
enum live handover_take(int run_fd, struct job *job, struct error *err);

/* Removes the handovers that are left, of jobs that nobody knows any more. */
void handover_clear(int run_fd);

#endif
