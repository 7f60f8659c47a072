/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records as they lie in the spool. */
#ifndef STINT_SPOOLED_RECORD_H
#define STINT_SPOOLED_RECORD_H

#include <json-c/json.h>

#include "common/error.h"
#include "reports/build/record_input.h"

/*
 * Reads the record in the file @name of @dirfd (as openat() takes them), with the spool's frame or without.
 *
 * Returns the record, to be freed; NULL with @err set, and errno EPROTONOSUPPORT for one of another version, ENOMEM, EBADMSG
 * for one that is damaged, or else why it cannot be read.
 */
struct json_object *spooled_record_read(int dirfd, const char *name, struct record_identity *identity,
					struct error *err);

/*
 * Joins to @record, which was read from @path and goes on from others (docs/record.md, "continues"), those that lie beside
 * it, where it does. What cannot be joined is named in its gaps.
 */
void spooled_record_join(struct json_object *record, const char *path);

#endif
