/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out why processes were killed for memory. Reads this from a report. */
#ifndef STINT_OOM_KILLS_H
#define STINT_OOM_KILLS_H

#include <stdbool.h>

#include "reports/model/report.h"

/*
 * Returns the largest of the processes that the kernel chose to kill. Compares used_bytes, or the resident sets if
 * used_bytes is not known. Returns a process that the kernel killed along with another one only if there is no other.
 * Returns NULL if no process is known.
 */
const struct report_oom_kill *oom_kills_largest(const struct report *report);

/*
 * Returns the first of the processes that the kernel chose to kill. Prefers a process that was killed at a limit of
 * the job. Returns a process that the kernel killed along with another one only if there is no other. Returns NULL if
 * no process is known.
 */
const struct report_oom_kill *oom_kills_first(const struct report *report);

/* Returns how many processes were killed only because another one was (memory.oom.group, Slurm's OOMKillStep). */
double oom_kills_along(const struct report *report);

/* Returns how many processes were killed because the node ran out of memory, not because of a limit of the job. */
double oom_kills_of_node(const struct report *report);

/* Returns how many of the killed processes belonged to Slurm itself (slurmstepd) or to a plugin of Slurm. */
double oom_kills_of_slurm(const struct report *report);

/*
 * Returns the kill of the job script, if Slurm did not notice that kill. slurmstepd waits for the script, and may
 * miss its end if it has no memory either. Slurm then keeps the job until its time limit. Returns NULL if the script
 * was not killed for memory, if Slurm noticed, or if that is not known.
 */
const struct report_oom_kill *oom_kills_unnoticed(const struct report *report);

/*
 * Returns a name for the kernel memory that brought the cgroup of @victim to its limit. The name is a noun phrase,
 * such as "page tables". Returns NULL if the kernel used less than half of the limit, or if that is not known.
 * @victim may be NULL.
 */
const char *oom_kills_kernel_memory(const struct report_oom_kill *victim);

#endif
