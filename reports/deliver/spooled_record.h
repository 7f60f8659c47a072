/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and joins records in the spool. */
#ifndef STINT_SPOOLED_RECORD_H
#define STINT_SPOOLED_RECORD_H

#include "common/conf.h"
#include "common/error.h"
#include "reports/records/record.h"

/*
 * Reads the record in the file @name of @dirfd (as openat() takes them), with the spool's frame or without.
 *
 * Returns the record, for record_free(); NULL with @err set. errno is then EPROTONOSUPPORT for a record of another version,
 * ENOMEM, EBADMSG for a damaged one, or else the reason why it cannot be read.
 */
struct record *spooled_record_read(int dirfd, const char *name, struct record_identity *identity, struct error *err);

/*
 * Joins to @record, which was read from @path in the spool, the records that it continues (common/record_name.h).
 * Writes @path anew and removes them: after a kill at any moment, they are joined once. Records that cannot be joined
 * are named in the gaps of @record, stay, and are delivered on their own.
 *
 * Returns 0; -1 with @err set: a retry must continue with it.
 */
int spooled_record_join(struct record *record, const char *path, const struct conf *conf, struct error *err);

#endif
