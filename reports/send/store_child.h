/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements stint-epilog --store, which puts store lines into batches (seals them), and sends batches. Root seals
 * lines, and limits the backlog (reports/store/store_backlog.h).
 *
 * A child sends each batch, as the store's user. The child is killed after store_wait_s. A site's command is killed by
 * the child.
 * A child that hangs in the kernel keeps the lock STORE_BACKLOG_SENDING. The lines wait until the child ends.
 */
#ifndef STINT_STORE_CHILD_H
#define STINT_STORE_CHILD_H

#include "common/conf.h"
#include "common/error.h"

/*
 * Seals lines and sends batches.
 *
 * @what: "seal": seal all lines
 * "send": seal the lines that are due, send all batches
 * "all": seal all lines, send all batches
 *
 * Prints what is left: "LINES BATCHES BYTES DROPPED UID", or "-". UID: the user whose lines were dropped last
 *
 * Returns 0; -1 with @err set to the reason why something is left.
 */
int store_child_run(const struct conf *conf, const char *what, struct error *err);

/*
 * Checks if the store's user can write to store_dir. Takes at most a few seconds.
 *
 * @user: receives the store's user; empty: not known
 *
 * Returns 0; -1 with @err set.
 */
int store_child_check(const struct conf *conf, char user[256], struct error *err);

#endif
