/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands in stintd's memory alone of an open job (timeline, series, activity, victims, peaks): handed by one that
 * is told to stop to the next one, below the run directory. One that is killed hands over nothing.
 */
#ifndef STINT_LIVE_H
#define STINT_LIVE_H

#include "collector/job.h"

/* Makes the directory below @run_fd. Returns 0; -1 with @err set. */
int live_prepare(int run_fd, struct error *err);

/* Hands over what is kept of @job, which has a key. Returns 0; -1 with @err set. */
int live_write(int run_fd, const struct job *job, struct error *err);

/*
 * Takes over what was handed over of @job, in the place of what is there. Returns whether there was anything; it is
 * taken once.
 */
bool live_take(int run_fd, struct job *job);

/* Removes what is left, of jobs that nobody knows any more. */
void live_clear(int run_fd);

#endif
