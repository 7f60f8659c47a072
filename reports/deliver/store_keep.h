/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the store line of a record, as root. */
#ifndef STINT_STORE_KEEP_H
#define STINT_STORE_KEEP_H

#include "reports/deliver/writer.h"

/*
 * Makes the store line of @job's record. Does nothing without a store, if the line was made before, or if this process
 * is not root. The record may be trimmed afterwards.
 *
 * @path: the record's file
 */
void store_keep_make(const struct writer_job *job, const char *path);

/*
 * Makes the store line if there is none yet, and puts it into the backlog. A second call does nothing. An error is only
 * logged.
 * Waits for the spool's disk, so call it while the user's process works.
 */
void store_keep_put(const struct writer_job *job, const char *path);

#endif
