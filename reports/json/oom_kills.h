/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a report's list "oom" says of why processes were killed for memory. */
#ifndef STINT_OOM_KILLS_H
#define STINT_OOM_KILLS_H

#include <stdbool.h>

#include <json-c/json.h>

/*
 * Returns the largest process that the kernel chose, by its resident set. Those that it killed along with another count only
 * where there is no other. NULL: none is known.
 */
struct json_object *oom_kills_largest(struct json_object *report);

/*
 * Returns the first process that the kernel chose, one at a limit of the job if there is one. Those that it killed along with another
 * count only where there is no other. NULL: none is known.
 */
struct json_object *oom_kills_first(struct json_object *report);

/* Returns how many were killed along with another (memory.oom.group, Slurm's OOMKillStep). */
double oom_kills_along(struct json_object *report);

/* Returns how many were killed at no limit of the job: the node had no memory left. */
double oom_kills_of_node(struct json_object *report);

/*
 * Returns the name of the kernel's memory that brought @victim's cgroup to its limit, as a noun phrase: "page tables"; NULL where
 * less than half of the limit was the kernel's, or that is not known.
 */
const char *oom_kills_kernel_memory(struct json_object *victim);

#endif
