/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stint-epilog --store: what stintd starts when lines are to be sealed, or batches to be sent. As root it seals and
 * bounds the backlog (reports/store/store_backlog.h). For each batch it forks a process that becomes the store's user
 * for good, and gives the batch to the store. That process has store_wait_s, and is then killed by its pidfd. Where it
 * hangs in the kernel, it keeps the lock STORE_BACKLOG_SENDING, so that no other begins to write, and the lines wait.
 */
#ifndef STINT_STORE_CHILD_H
#define STINT_STORE_CHILD_H

#include "common/conf.h"
#include "common/error.h"

/*
 * Does what @what says: "seal" (all lines), "send" (all batches; and seals what is due), or "all".
 *
 * Prints a line: "LINES BATCHES BYTES DROPPED" of what is left, or "-" where that cannot be known. Returns 0; -1 with
 * @err set: why something is left.
 */
int store_child_run(const struct conf *conf, const char *what, struct error *err);

/*
 * Finds out whether the store's user may write to the store_dir of @conf: for stint doctor. Takes a few seconds at
 * most.
 *
 * @user: gets the user's name; empty where it is not known
 *
 * Returns 0; -1 with @err set.
 */
int store_child_check(const struct conf *conf, char user[256], struct error *err);

#endif
