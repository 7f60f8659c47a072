/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts a batch into the store's directory, similar to a mail in a maildir. While a file is being written, it is
 * already in its final folder, with a dot before its name. A separate folder for such files would have to be opened
 * on the shared file system, too.
 */
#ifndef STINT_STORE_PLACE_H
#define STINT_STORE_PLACE_H

#include <stddef.h>

#include "common/error.h"
#include "reports/send/store_user.h"

/*
 * Makes CONF_STORE_DIR and the directories above it, so that @user can write there. Does not change a directory that
 * exists. Makes no other directory: if a site's own directory is missing, its file system is not mounted. Call as
 * root.
 *
 * Returns 0; -1 with @err set.
 */
int store_place_make(const struct store_user *user, struct error *err);

/*
 * Opens the store's directory @path. Call it as the user who writes there. Fails unless only root, this user and this
 * user's group can write to the directory. Returns a descriptor; -1 with @err set.
 */
int store_place_open(const char *path, struct error *err);

/*
 * Writes the batch @name, of @length bytes, below the store's directory @path. Writes new/HH/.NAME, calls fsync,
 * renames the file to new/HH/NAME, and calls fsync for the directory. Makes missing folders below @path. Follows no
 * link there, and uses no directory of another user.
 *
 * Returns 0; -1 with @err set, and new/ has no part of the batch.
 */
int store_place_put(const char *path, const char *name, const char *text, size_t length, struct error *err);

#endif
