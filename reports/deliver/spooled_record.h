/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records as they lie in the spool. */
#ifndef STINT_SPOOLED_RECORD_H
#define STINT_SPOOLED_RECORD_H

#include <json-c/json.h>

#include "common/conf.h"
#include "common/error.h"
#include "reports/records/record_input.h"

/*
 * Reads the record in the file @name of @dirfd (as openat() takes them), with the spool's frame or without.
 *
 * Returns the record, to be freed; NULL with @err set, and errno EPROTONOSUPPORT for one of another version, ENOMEM, EBADMSG
 * for one that is damaged, or else why it cannot be read.
 */
struct json_object *spooled_record_read(int dirfd, const char *name, struct record_identity *identity,
					struct error *err);

/*
 * Joins to @record, which was read from @path in the spool, those from which it goes on (common/record_name.h), writes
 * @path anew and removes them: after a kill at any moment they are joined once. What cannot be joined is named in the
 * gaps of @record, stays, and is tried by itself.
 *
 * Returns 0; -1 with @err set: a later try is to go on with it.
 */
int spooled_record_join(struct json_object *record, const char *path, const struct conf *conf, struct error *err);

#endif
