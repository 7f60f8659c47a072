/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives a batch to the site's own command. */
#ifndef STINT_STORE_COMMAND_H
#define STINT_STORE_COMMAND_H

#include "common/error.h"

/*
 * Runs @command by /bin/sh. With exit status 0, the command accepts the batch.
 *
 * If the command does not end within @wait_ms milliseconds, kills it. When the command has ended or was killed, also
 * kills all processes that the command started, in all sessions. Returns only when all of them have ended.
 *
 * Call this in a process without other children: this process becomes the parent of the command's orphans, and kills
 * all of its children.
 *
 * Returns 0; -1 with @err set. If the command wrote to standard error, @err has the first line.
 */
int store_command_run(const char *command, const char *name, int fd, int wait_ms, struct error *err);

#endif
