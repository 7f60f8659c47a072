/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds why processes were killed for memory, as far as a report says. */
#ifndef STINT_OOM_KILLS_H
#define STINT_OOM_KILLS_H

#include <stdbool.h>

#include "reports/model/report.h"

/*
 * Returns the largest process that the kernel chose. Compares used_bytes, or if that is not known, the resident sets.
 * Processes that the kernel killed along with another count only if there is no other. Returns NULL if none is known.
 */
const struct report_oom_kill *oom_kills_largest(const struct report *report);

/*
 * Returns the first process that the kernel chose, but prefers processes that were killed at a limit of the job.
 * Processes that the kernel killed along with another count only if there is no other. Returns NULL if none is known.
 */
const struct report_oom_kill *oom_kills_first(const struct report *report);

/* Returns how many processes were killed along with another (memory.oom.group, Slurm's OOMKillStep). */
double oom_kills_along(const struct report *report);

/* Returns how many processes were killed because the node had no memory left, and not at a limit of the job. */
double oom_kills_of_node(const struct report *report);

/* Returns how many of the killed processes belonged to Slurm, or to a plugin of Slurm: slurmstepd. */
double oom_kills_of_slurm(const struct report *report);

/*
 * Returns the kill of the job script, if Slurm did not notice it. This happens if slurmstepd, which waits for the
 * script, has no memory either. Slurm then keeps the job until its time limit. Returns NULL if the script was not
 * killed for memory, if Slurm noticed, or if that is not known.
 */
const struct report_oom_kill *oom_kills_unnoticed(const struct report *report);

/*
 * Returns the name of the kernel memory that brought @victim's cgroup to its limit, as a noun phrase, such as "page
 * tables". Returns NULL if less than half of the limit was the kernel's memory, or if that is not known. @victim may be
 * NULL.
 */
const char *oom_kills_kernel_memory(const struct report_oom_kill *victim);

#endif
