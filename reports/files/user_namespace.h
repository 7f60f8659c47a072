/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds which owners a process in a container cannot see. */
#ifndef STINT_USER_NAMESPACE_H
#define STINT_USER_NAMESPACE_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Returns true if @uid is the number that the kernel shows to this process for all users who have no number in the
 * process's user namespace. Then the real owner is unknown. Do not trust the owner, because in many containers it can
 * be root or any other user.
 */
bool user_namespace_hides(uid_t uid);

#endif
