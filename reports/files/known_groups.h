/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The groups of users, found by one process and known to those that the same parent forks later: to look them up takes as
 * much as to write a small report, and where many jobs end, they are mostly of the same users.
 */
#ifndef STINT_KNOWN_GROUPS_H
#define STINT_KNOWN_GROUPS_H

#include <stdbool.h>
#include <sys/types.h>

#define KNOWN_GROUPS_MAX 64 /* of a user; those of one in more of them are looked up each time */

/*
 * Makes room for what this process's children find, as long as it lives: it must end within a minute, so that who leaves a
 * group is out of it by then. Without room, or with all of it in use, nothing is known.
 */
void known_groups_begin(void);

/*
 * Finds the groups of the user @name with the number @uid and the group @gid.
 *
 * @groups: filled, with @gid among them
 *
 * Returns how many there are; -1: not known.
 */
int known_groups_find(uid_t uid, gid_t gid, const char *name, gid_t groups[KNOWN_GROUPS_MAX]);

/* Keeps the @count groups of that user. Several processes may do so at the same time. */
void known_groups_keep(uid_t uid, gid_t gid, const char *name, const gid_t *groups, int count);

/* Takes all that is known from this process for good: one that becomes a user must neither read nor write it. */
void known_groups_end(void);

#endif
