/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a stint-epilog that forks a writer for each record, so that dynamic linking is done once. This process reads no
 * records. So a writer inherits no data of other users.
 */
#ifndef STINT_EPILOG_SERVE_H
#define STINT_EPILOG_SERVE_H

#include <stdbool.h>

/*
 * Receives calls (common/process/writer_process.h) from the socket on standard input. For each call, forks a writer as
 * a child of stintd. Stops if the socket is closed, after some seconds without a call, or after a minute.
 *
 * @deliver: called in the writer, returns the writer's exit status. @first: no writer has tried @record before.
 * Standard output is the descriptor of the call.
 *
 * Returns this process's exit status.
 */
int epilog_serve(int (*deliver)(const char *record, bool first));

#endif
