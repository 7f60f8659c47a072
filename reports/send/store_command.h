/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives a batch to the site's own command. */
#ifndef STINT_STORE_COMMAND_H
#define STINT_STORE_COMMAND_H

#include "common/error.h"

/*
 * Runs @command by /bin/sh as the user that this process is, with the batch that is open as @fd on its standard input,
 * and the batch's @name as STINT_BATCH in its environment. It has taken the batch when it ends with 0. When it takes
 * longer than @wait_ms, it is killed, with all of its processes that have left neither session nor group.
 *
 * Returns 0; -1 with @err set, to the first line that it wrote to its standard error, where there is one.
 */
int store_command_run(const char *command, const char *name, int fd, int wait_ms, struct error *err);

#endif
