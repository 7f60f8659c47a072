/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements stint-epilog --store, which stintd starts to seal lines, or to send batches. As root, it seals lines,
 * and keeps the backlog within its maximum size (reports/store/store_backlog.h).
 *
 * For each batch it forks a process that permanently becomes the store's user, and gives the batch to the store. That
 * process is killed by its pidfd after store_wait_s. If it hangs in the kernel, it keeps the lock
 * STORE_BACKLOG_SENDING. No other process then begins to write, and the lines wait.
 */
#ifndef STINT_STORE_CHILD_H
#define STINT_STORE_CHILD_H

#include "common/conf.h"
#include "common/error.h"

/*
 * Does what @what says: "seal" seals all lines. "send" seals the lines that are due, and sends all batches. "all"
 * seals all lines, and sends all batches.
 *
 * Prints a line about what is left: "LINES BATCHES BYTES DROPPED UID", or "-" if that is not known. UID is the user
 * whose lines were dropped last.
 *
 * Returns 0; -1 with @err set to the reason why something is left.
 */
int store_child_run(const struct conf *conf, const char *what, struct error *err);

/*
 * Checks for stint doctor whether the store's user may write to the store_dir of @conf. Needs at most a few seconds.
 *
 * @user: set to the user's name; empty if not known
 *
 * Returns 0; -1 with @err set.
 */
int store_child_check(const struct conf *conf, char user[256], struct error *err);

#endif
