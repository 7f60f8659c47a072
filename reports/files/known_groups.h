/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Caches the groups of users, because a look-up takes as long as writing a small report.
 * If many jobs end at once, most of them belong to the same users.
 * Children of one process share the cache: a child stores groups, and later children read them.
 */
#ifndef STINT_KNOWN_GROUPS_H
#define STINT_KNOWN_GROUPS_H

#include <stdbool.h>
#include <sys/types.h>

#define KNOWN_GROUPS_MAX 64 /* groups to cache for one user; more are looked up each time */

/*
 * Makes the cache, for this process and its children.
 * The process must end within a minute: until then, a user who leaves a group keeps the rights of the group.
 * If out of memory, there is no cache. A full cache stores no more groups.
 */
void known_groups_begin(void);

/*
 * Copies the cached groups of the user @name. Finds only groups stored with the same @uid and @gid.
 *
 * @groups: filled, with @gid among them
 *
 * Returns the number of groups; -1 if they are not cached.
 */
int known_groups_find(uid_t uid, gid_t gid, const char *name, gid_t groups[KNOWN_GROUPS_MAX]);

/* Stores the @count groups of the user @name. Several processes may call this at once. */
void known_groups_keep(uid_t uid, gid_t gid, const char *name, const gid_t *groups, int count);

/*
 * Removes the cache from this process for good.
 * A process that becomes a user must neither read nor write the cache.
 */
void known_groups_end(void);

#endif
