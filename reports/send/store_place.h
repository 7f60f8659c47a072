/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts a batch into the store's directory, as mail is put into a maildir. While a file is being written, it is already
 * in its final folder, but has a dot before its name. It is not in a separate folder, because such a folder would also
 * have to be opened on the shared file system.
 */
#ifndef STINT_STORE_PLACE_H
#define STINT_STORE_PLACE_H

#include <stddef.h>

#include "common/error.h"
#include "reports/send/store_user.h"

/*
 * Makes CONF_STORE_DIR and the directories above it, so that @user can write to CONF_STORE_DIR. Does not change a
 * directory that exists. Makes no directory that the site itself chose, because such a directory is missing only if its
 * file system is not mounted. Call this as root.
 *
 * Returns 0; -1 with @err set.
 */
int store_place_make(const struct store_user *user, struct error *err);

/*
 * Opens the store's directory @path. Call this as the user who writes to the store. Fails unless only root, this user
 * and this user's group can write to the directory. Returns a descriptor; -1 with @err set.
 */
int store_place_open(const char *path, struct error *err);

/*
 * Writes the batch @name, of @length bytes, below the store's directory @path. Writes new/HH/.NAME, calls fsync,
 * renames the file to new/HH/NAME, and calls fsync for the directory. Makes missing folders below @path. Follows no
 * link there, and uses no directory of another user.
 *
 * Returns 0; -1 with @err set. In this case, new/ has no part of the batch, unless only the fsync of the directory
 * failed. Then new/ has the whole batch.
 */
int store_place_put(const char *path, const char *name, const char *text, size_t length, struct error *err);

#endif
