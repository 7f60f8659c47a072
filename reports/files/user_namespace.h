/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a process in a container cannot see of who owns something. */
#ifndef STINT_USER_NAMESPACE_H
#define STINT_USER_NAMESPACE_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Whether @uid is what the kernel shows to this process for every user who has no number in its user namespace. Whose
 * it is cannot be known then: in many containers that user is root as well as any other, so it is nobody to be trusted.
 */
bool user_namespace_hides(uid_t uid);

#endif
