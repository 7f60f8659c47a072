/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds which owners a process in a container cannot see. */
#ifndef STINT_USER_NAMESPACE_H
#define STINT_USER_NAMESPACE_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Returns whether @uid stands for all users who have no number in this user namespace.
 * Do not trust such an owner: in many containers it can be root or any user.
 */
bool user_namespace_hides(uid_t uid);

#endif
