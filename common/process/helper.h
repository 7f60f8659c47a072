/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Helpers of stintd. A helper is a child that keeps running to serve calls while many jobs end, so that no call needs
 * to start a program. It ends by itself if no call comes for ten seconds. It also ends after a minute in any case. So
 * its memory does not grow, and after an upgrade the next helper is the new version. The next caller then starts
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
	int64_t old_ms; /* time at which the helper ends (clock_ms()) */
};

/*
 * Waits until there is a call on @fd. Returns false if there is none for ten seconds, or if the helper is too old to
 * answer one.
 */
bool helper_waits(struct helper *helper, int fd);

#endif
