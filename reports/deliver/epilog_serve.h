/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stint-epilog that keeps running: dynamically linked once, it forks a writer for each record, if many jobs end. It
 * does not read records itself, so a writer inherits nothing of another's.
 */
#ifndef STINT_EPILOG_SERVE_H
#define STINT_EPILOG_SERVE_H

#include <stdbool.h>

/*
 * Takes calls (common/process/writer_process.h) from the socket that is standard input. It stops if the socket is
 * closed, if no call came for some seconds, or after a minute. For each call it forks a writer that is its parent's
 * child, not its own.
 *
 * In the writer it calls @deliver with the record's path; @first: this is the first try to deliver the record. There,
 * standard input is /dev/null, standard output is the descriptor that came with the call, and no other descriptor
 * except standard error is open. @deliver returns the exit status.
 *
 * Returns this process's exit status.
 */
int epilog_serve(int (*deliver)(const char *record, bool first));

#endif
