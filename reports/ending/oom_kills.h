/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why processes were killed for memory, as far as a report says. */
#ifndef STINT_OOM_KILLS_H
#define STINT_OOM_KILLS_H

#include <stdbool.h>

#include "reports/model/report.h"

/*
 * Returns the largest process that the kernel chose: by used_bytes, or by its resident set if used_bytes is not known. Processes
 * that the kernel killed along with another count only if there is no other. NULL: none is known.
 */
const struct report_oom_kill *oom_kills_largest(const struct report *report);

/*
 * Returns the first process that the kernel chose, and prefers one at a limit of the job. Processes that the kernel killed along
 * with another count only if there is no other. NULL: none is known.
 */
const struct report_oom_kill *oom_kills_first(const struct report *report);

/* Returns how many were killed along with another (memory.oom.group, Slurm's OOMKillStep). */
double oom_kills_along(const struct report *report);

/* Returns how many were killed because the node had no memory left, and not at a limit of the job. */
double oom_kills_of_node(const struct report *report);

/* Returns how many of them Slurm, or a plugin of it, ran: slurmstepd. */
double oom_kills_of_slurm(const struct report *report);

/*
 * Returns the kill of the job script, if Slurm did not notice it: slurmstepd, which waits for the script, had no memory either. Slurm
 * then keeps the job until its time limit. NULL: the script was not killed for memory, or Slurm noticed, or that is not known.
 */
const struct report_oom_kill *oom_kills_unnoticed(const struct report *report);

/*
 * Returns the name of the kernel memory that brought @victim's cgroup to its limit, as a noun phrase: "page tables". NULL: less
 * than half of the limit was the kernel's, or that is not known. @victim may be NULL.
 */
const char *oom_kills_kernel_memory(const struct report_oom_kill *victim);

#endif
