/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ranks that mpirun and the like start: itself, or by a daemon on each node (orted, prted, hydra_pmi_proxy), which is no child of
 * its own: srun or ssh starts it there.
 */
#ifndef STINT_RANKS_H
#define STINT_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

/* Returns true if @entry, of a timeline, is such a launcher or daemon. srun is none: its tasks are known as Slurm's. */
bool ranks_starts(struct json_object *entry);

/*
 * Returns the first that ended of the ranks of @launcher with the exit code @code; 0: that failed, with any code that cannot have been an
 * answer. Where two launchers were at work at once, only those that @launcher started itself are known to be its own. NULL: there is none.
 */
struct json_object *ranks_first(struct json_object *timeline, struct json_object *launcher, int64_t code);

#endif
