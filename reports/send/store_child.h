/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements stint-epilog --store, which stintd starts to seal store lines, that is, to put them into batches, or to
 * send batches. As root, this process seals lines, and keeps the backlog within its maximum size
 * (reports/store/store_backlog.h).
 *
 * For each batch, this process forks a child. The child becomes the store's user for good, and gives the batch to the
 * store. If the child is not done after store_wait_s, it is killed by its pidfd. If a site's command writes the batch,
 * the child kills the command instead. A child that hangs in the kernel keeps the lock STORE_BACKLOG_SENDING. Then no
 * other process begins to write, and the lines wait.
 */
#ifndef STINT_STORE_CHILD_H
#define STINT_STORE_CHILD_H

#include "common/conf.h"
#include "common/error.h"

/*
 * Puts lines into batches (seals them), and sends batches.
 *
 * @what: "seal" to seal all lines; "send" to seal the lines that are due, and to send all batches; "all" to seal all
 * lines, and to send all batches
 *
 * Prints one line about the backlog that is left: "LINES BATCHES BYTES DROPPED UID", or "-" if this is not known. UID
 * is the user whose lines were dropped last.
 *
 * Returns 0; -1 with @err set to the reason why something is left.
 */
int store_child_run(const struct conf *conf, const char *what, struct error *err);

/*
 * Checks if the store's user may write to the store_dir of @conf. stint doctor calls this. Takes at most a few seconds.
 *
 * @user: set to the name of the store's user; empty if not known
 *
 * Returns 0; -1 with @err set.
 */
int store_child_check(const struct conf *conf, char user[256], struct error *err);

#endif
