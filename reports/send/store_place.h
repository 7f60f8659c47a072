/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts a batch into the store's directory, much like a mail into a maildir. A file that is being written is in its final folder,
 * with a dot before its name: a separate folder would be one more to open on the shared file system.
 */
#ifndef STINT_STORE_PLACE_H
#define STINT_STORE_PLACE_H

#include <stddef.h>

#include "common/error.h"
#include "reports/send/store_user.h"

/*
 * Makes CONF_STORE_DIR, and the directories above it, so that @user can write there. A directory that exists is left as it is. No
 * other directory is made: if a site's directory is missing, its file system is not mounted. Call as root.
 *
 * Returns 0; -1 with @err set.
 */
int store_place_make(const struct store_user *user, struct error *err);

/*
 * Opens the store's directory @path, as the user who writes there. Only root, this user and this user's group may be able to
 * write to it. Returns a descriptor; -1 with @err set.
 */
int store_place_open(const char *path, struct error *err);

/*
 * Writes the batch @name, of @length bytes, below the store's directory @path: new/HH/.NAME, fsync, rename to new/HH/NAME, fsync
 * of the directory. Missing folders below @path are made. No link is followed there, and no directory of another user is used.
 *
 * Returns 0; -1 with @err set, and nothing of it is in new/.
 */
int store_place_put(const char *path, const char *name, const char *text, size_t length, struct error *err);

#endif
