/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives a batch to the site's own command. */
#ifndef STINT_STORE_COMMAND_H
#define STINT_STORE_COMMAND_H

#include "common/error.h"

/*
 * Runs @command by /bin/sh as the current user. The command's standard input is the batch, which is open as @fd. The
 * environment variable STINT_BATCH has the batch's @name. If the command exits with 0, it has accepted the batch.
 *
 * If the command does not end within @wait_ms milliseconds, kills it. When the command has ended or was killed, also
 * kills all processes that it started, including those in other sessions. Returns only when all of them have ended.
 *
 * Call this in a process without other children: this process becomes the parent of the command's orphans, and kills
 * all of its children.
 *
 * Returns 0; -1 with @err set. If the command wrote to its standard error, @err has the first line of this text.
 */
int store_command_run(const char *command, const char *name, int fd, int wait_ms, struct error *err);

#endif
