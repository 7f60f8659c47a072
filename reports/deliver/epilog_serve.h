/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stint-epilog that stays: linked once, it forks a writer for each record, where many jobs end. It reads no record
 * itself, so that a writer inherits nothing of another's.
 */
#ifndef STINT_EPILOG_SERVE_H
#define STINT_EPILOG_SERVE_H

#include <stdbool.h>

/*
 * Takes calls (common/process/writer_process.h) at the socket that is standard input, until that is closed, nobody has called
 * for some seconds, or it has run for a minute. For each call it forks a writer that is its parent's child, not its
 * own.
 *
 * In the writer it calls @deliver with the record's path; @first: nobody has tried to deliver the record before.
 * Standard input is /dev/null then, standard output what came with the call, and no other descriptor but standard error
 * is open. @deliver returns the exit status.
 *
 * Returns this process's exit status.
 */
int epilog_serve(int (*deliver)(const char *record, bool first));

#endif
