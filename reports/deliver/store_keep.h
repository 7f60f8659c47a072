/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the store line of the record that stint-epilog delivers. Root makes the line from its own record and from
 * Slurm's answer.
 */
#ifndef STINT_STORE_KEEP_H
#define STINT_STORE_KEEP_H

#include "reports/deliver/writer.h"

/*
 * Makes the store line of @job's record. Makes no line if the site has no store, if this process is not root, or if a
 * line of this revision was made before. After this call, the record may be trimmed. A second call does nothing.
 *
 * @path: the record's file
 */
void store_keep_make(const struct writer_job *job, const char *path);

/*
 * Puts the store line into the backlog. If the line was not made yet, makes it first. A second call does nothing. Only
 * logs an error, because the report does not depend on the line. Waits for the spool's disk, so call this function
 * while the user's process is working.
 */
void store_keep_put(const struct writer_job *job, const char *path);

#endif
