/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the user who writes to the store. */
#ifndef STINT_STORE_USER_H
#define STINT_STORE_USER_H

#include <sys/types.h>

#include "common/conf.h"
#include "common/error.h"

struct store_user {
	uid_t uid;
	gid_t gid;
	char name[256];
};

/*
 * Finds the user: store_user of stint.conf, else SlurmUser of slurm.conf, else slurm. May ask a directory service,
 * which can hang.
 * Returns 0; -1 with @err set if there is no such user.
 */
int store_user_find(const struct conf *conf, struct store_user *user, struct error *err);

#endif
