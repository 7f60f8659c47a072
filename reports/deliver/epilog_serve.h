/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs one stint-epilog that keeps running while many jobs end. Dynamic linking is done only once, because this process
 * forks a writer for each record. This process does not read records itself, so a writer inherits no data of other
 * records.
 */
#ifndef STINT_EPILOG_SERVE_H
#define STINT_EPILOG_SERVE_H

#include <stdbool.h>

/*
 * Receives calls (common/process/writer_process.h) from the socket that is standard input. Stops if the socket is
 * closed, if no call came for some seconds, or after a minute. For each call, forks a writer. The writer is a child of
 * this process's parent, and not of this process.
 *
 * The writer calls @deliver with the record's path, and with true as @first if this is the first try to deliver the
 * record. In the writer, standard input is /dev/null, standard output is the descriptor that came with the call, and no
 * other descriptor except standard error is open. @deliver returns the exit status of the writer.
 *
 * Returns this process's exit status.
 */
int epilog_serve(int (*deliver)(const char *record, bool first));

#endif
