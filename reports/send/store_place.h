/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts a batch into the store's directory, like mail into a maildir. An incomplete file has a dot before its name. A
 * separate folder would cost one more request to a shared file system.
 */
#ifndef STINT_STORE_PLACE_H
#define STINT_STORE_PLACE_H

#include <stddef.h>

#include "common/error.h"
#include "reports/send/store_user.h"

/*
 * Makes CONF_STORE_DIR and the directories above it, so that @user can write there. Call as root. Does not change
 * existing directories.
 * Does not make a site's own directory: its file system may not be mounted.
 *
 * Returns 0; -1 with @err set.
 */
int store_place_make(const struct store_user *user, struct error *err);

/*
 * Opens the store's directory @path. Call as the store's user.
 * Returns a descriptor; -1 with @err set, also if strangers can write there.
 */
int store_place_open(const char *path, struct error *err);

/*
 * Writes a batch to new/HH/.NAME, renames it to new/HH/NAME, and syncs the folder. Makes missing folders below @path.
 * Follows no link, and uses no directory of another user.
 *
 * Returns 0; -1 with @err set. After a failure, new/ has no part of the batch. If only the last fsync() failed, new/
 * has the whole batch.
 */
int store_place_put(const char *path, const char *name, const char *text, size_t length, struct error *err);

#endif
