/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A helper: a child that stays for the calls that come where many jobs end, so that not each of them starts a program.
 * It ends by itself when nobody has called for ten seconds, and after a minute in any case: what it keeps in memory does
 * not pile up, and the next one is another version's after an upgrade. Whoever calls it starts another one then.
 *
 * stintd's are the stint-epilog that stays (reports/deliver/epilog_serve.h), stint-slurm-job --serve
 * (spank/slurm_job/slurm_serve.h) and the keeper (collector/record/keeper.h).
 */
#ifndef STINT_HELPER_H
#define STINT_HELPER_H

#include <stdbool.h>
#include <stdint.h>

/* Begins as all zero. */
struct helper {
	int64_t old_ms; /* when it ends (clock_ms()) */
};

/* Waits until there is a call on @fd. Returns false if there is none for ten seconds, or the helper is too old to take one. */
bool helper_waits(struct helper *helper, int fd);

#endif
