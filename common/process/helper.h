/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Serves as a helper of stintd. A helper is a child that keeps running while many jobs end, so that stintd need not
 * start a program for each call. A helper ends if no call comes for ten seconds, and after a minute in any case. So
 * its memory cannot grow without limit, and after an upgrade the new version soon replaces it. The next call starts
 * another helper.
 *
 * stintd's helpers are the serving stint-epilog (reports/deliver/epilog_serve.h), stint-slurm-job --serve
 * (spank/slurm_job/slurm_serve.h) and the keeper (collector/record/keeper.h).
 */
#ifndef STINT_HELPER_H
#define STINT_HELPER_H

#include <stdbool.h>
#include <stdint.h>

/* Must be all zero at first. */
struct helper {
	int64_t old_ms; /* time at which the helper stops, in milliseconds of clock_ms() */
};

/*
 * Waits for a call on @fd. Returns true if there is one. Returns false if none comes for ten seconds, or if the
 * helper has reached its maximum age.
 */
bool helper_waits(struct helper *helper, int fd);

#endif
