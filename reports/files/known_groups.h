/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cache of users' groups. One process fills the cache, and processes that the same parent forks later read it. A
 * look-up of groups takes as long as writing a small report. If many jobs end at once, most of them belong to the same
 * users.
 */
#ifndef STINT_KNOWN_GROUPS_H
#define STINT_KNOWN_GROUPS_H

#include <stdbool.h>
#include <sys/types.h>

#define KNOWN_GROUPS_MAX 64 /* the most groups of one user; if a user has more, they are looked up each time */

/*
 * Makes the cache that this process's children share. The cache exists as long as this process. The process must end
 * within a minute, so that a user who leaves a group loses the group's rights by then. If out of memory, or if the
 * cache is full, unknown groups stay unknown.
 */
void known_groups_begin(void);

/*
 * Finds the cached groups of the user @name with the number @uid and the group @gid.
 *
 * @groups: filled, with @gid among them
 *
 * Returns the number of groups; -1 if they are not known.
 */
int known_groups_find(uid_t uid, gid_t gid, const char *name, gid_t groups[KNOWN_GROUPS_MAX]);

/*
 * Caches the @count groups of the user @name, with the number @uid and the group @gid. Several processes may do so at
 * the same time.
 */
void known_groups_keep(uid_t uid, gid_t gid, const char *name, const gid_t *groups, int count);

/*
 * Removes the cache from this process for good, because a process that becomes a user must neither read nor write the
 * cache.
 */
void known_groups_end(void);

#endif
