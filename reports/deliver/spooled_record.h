/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and joins records in the spool. */
#ifndef STINT_SPOOLED_RECORD_H
#define STINT_SPOOLED_RECORD_H

#include "common/conf.h"
#include "common/error.h"
#include "reports/records/record.h"

/*
 * Reads the record in the file @name of @dirfd (as for openat()), with or without the spool's frame.
 *
 * Returns the record, for record_free(). On failure returns NULL with @err and errno set. errno is EPROTONOSUPPORT for
 * a record of another version, ENOMEM if out of memory, and EBADMSG for a damaged record. Any other errno says why the
 * file cannot be read.
 */
struct record *spooled_record_read(int dirfd, const char *name, struct record_identity *identity, struct error *err);

/*
 * Joins the earlier records that @record continues (common/record_name.h) to @record, which was read from @path in the
 * spool. Then writes @record to @path again, and removes the joined records. Even if this process is killed at any
 * moment, each record is joined only once. If a record cannot be joined, leaves it in the spool, so that it is
 * delivered on its own, and adds a gap to @record that names it.
 *
 * Returns 0; -1 with @err set if not all records could be tried. A retry must continue with these.
 */
int spooled_record_join(struct record *record, const char *path, const struct conf *conf, struct error *err);

#endif
