/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Caches the groups of users, because looking up groups takes as long as writing a small report. If many jobs end at
 * once, most of them belong to the same users. The children of one process share the cache. A child that looked up
 * groups stores them, and children that are forked later read them.
 */
#ifndef STINT_KNOWN_GROUPS_H
#define STINT_KNOWN_GROUPS_H

#include <stdbool.h>
#include <sys/types.h>

#define KNOWN_GROUPS_MAX 64 /* the most groups to cache for one user; if a user has more, the groups are looked up each time */

/*
 * Makes the cache that this process shares with its children. The cache exists until this process ends. The process
 * must end within a minute, because a user who leaves a group keeps the group's rights as long as the cache exists. If
 * out of memory, there is no cache. If the cache is full, no more groups are stored.
 */
void known_groups_begin(void);

/*
 * Copies the cached groups of the user @name to @groups. Only finds groups that were stored with the same user id @uid
 * and group id @gid.
 *
 * @groups: filled, with @gid among them
 *
 * Returns the number of groups; -1 if the cache does not have them.
 */
int known_groups_find(uid_t uid, gid_t gid, const char *name, gid_t groups[KNOWN_GROUPS_MAX]);

/*
 * Stores the @count groups of the user @name, who has the user id @uid and the group id @gid. Several processes may
 * call this at the same time.
 */
void known_groups_keep(uid_t uid, gid_t gid, const char *name, const gid_t *groups, int count);

/*
 * Removes the cache from this process for good, because a process that becomes a user must neither read nor write the
 * cache.
 */
void known_groups_end(void);

#endif
