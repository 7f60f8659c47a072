/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stint-epilog --store: stintd starts it to seal lines, or to send batches. As root it seals and bounds the backlog
 * (reports/store/store_backlog.h). For each batch it forks a process that becomes the store's user for good, and gives the batch
 * to the store. That process has store_wait_s, and is then killed by its pidfd. If it hangs in the kernel, it keeps the lock
 * STORE_BACKLOG_SENDING: no other process begins to write, and the lines wait.
 */
#ifndef STINT_STORE_CHILD_H
#define STINT_STORE_CHILD_H

#include "common/conf.h"
#include "common/error.h"

/*
 * Does what @what says: "seal" (seals all lines), "send" (seals the lines that are due, and sends all batches), or "all" (seals
 * all lines, and sends all batches).
 *
 * Prints a line about what is left: "LINES BATCHES BYTES DROPPED UID", or "-" if that is not known. UID is the user whose lines
 * were dropped last. Returns 0; -1 with @err set to the reason why something is left.
 */
int store_child_run(const struct conf *conf, const char *what, struct error *err);

/*
 * Checks whether the store's user may write to the store_dir of @conf, for stint doctor. Takes a few seconds at most.
 *
 * @user: set to the user's name; empty if it is not known
 *
 * Returns 0; -1 with @err set.
 */
int store_child_check(const struct conf *conf, char user[256], struct error *err);

#endif
