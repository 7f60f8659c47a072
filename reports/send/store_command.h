/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives a batch to the site's own command. */
#ifndef STINT_STORE_COMMAND_H
#define STINT_STORE_COMMAND_H

#include "common/error.h"

/*
 * Runs @command by /bin/sh as the current user. Its standard input is the batch that is open as @fd, and STINT_BATCH in its
 * environment is the batch's @name. If it exits with 0, it has taken the batch. If it takes longer than @wait_ms, it is killed,
 * with all of its processes that have left neither session nor group.
 *
 * Returns 0; -1 with @err set, to the first line of its standard error if it wrote there.
 */
int store_command_run(const char *command, const char *name, int fd, int wait_ms, struct error *err);

#endif
