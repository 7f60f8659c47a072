/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out why processes were killed for memory, from a report. */
#ifndef STINT_OOM_KILLS_H
#define STINT_OOM_KILLS_H

#include <stdbool.h>

#include "reports/model/report.h"

/*
 * Returns the largest process that the kernel chose to kill; NULL if unknown.
 * Compares used_bytes, or resident sets if used_bytes is not known.
 * If the kernel chose no known process, returns one that was killed along with another process.
 */
const struct report_oom_kill *oom_kills_largest(const struct report *report);

/*
 * Returns the first process that the kernel chose to kill; NULL if unknown.
 * A process at a limit of the job goes before a process for which the node ran out of memory.
 * If the kernel chose no known process, returns one that was killed along with another process.
 */
const struct report_oom_kill *oom_kills_first(const struct report *report);

/* Returns how many processes were killed only along with another process (memory.oom.group, Slurm's OOMKillStep). */
double oom_kills_along(const struct report *report);

/* Returns how many processes were killed because the node ran out of memory. */
double oom_kills_of_node(const struct report *report);

/* Returns how many killed processes belonged to Slurm (slurmstepd) or to its plugins. */
double oom_kills_of_slurm(const struct report *report);

/*
 * Returns the kill of the job script if Slurm did not notice this kill; NULL if it did, or if this is not known.
 * slurmstepd may miss the script's end if slurmstepd has no memory either.
 * Slurm then keeps the job until its time limit.
 */
const struct report_oom_kill *oom_kills_unnoticed(const struct report *report);

/*
 * Returns the kernel memory that brought the cgroup of @victim to its limit: "page tables".
 * Returns NULL if kernel memory took less than half of the limit, or if its amount is not known. @victim may be NULL.
 */
const char *oom_kills_kernel_memory(const struct report_oom_kill *victim);

#endif
