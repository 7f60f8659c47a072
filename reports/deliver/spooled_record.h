/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and joins records in the spool. */
#ifndef STINT_SPOOLED_RECORD_H
#define STINT_SPOOLED_RECORD_H

#include "common/conf.h"
#include "common/error.h"
#include "reports/records/record.h"

/*
 * Reads the record @name of @dirfd, with or without the spool's frame.
 *
 * Returns the record, for record_free(); NULL with @err and errno set:
 * EPROTONOSUPPORT: another version wrote the record
 * ENOMEM: out of memory
 * EBADMSG: the record is damaged
 * other: the file cannot be read
 */
struct record *spooled_record_read(int dirfd, const char *name, struct record_identity *identity, struct error *err);

/*
 * Joins earlier records with @record, which continues them (common/record_name.h). Writes the result to @path, the file
 * of @record. Then removes the joined records. Even if this process is killed, each record is joined only once.
 * A record that cannot be joined is delivered alone. A gap in @record names it.
 *
 * Returns 0; -1 with @err set if a retry must join more records.
 */
int spooled_record_join(struct record *record, const char *path, const struct conf *conf, struct error *err);

#endif
