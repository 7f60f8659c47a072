/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two node records of one job on one node: a job whose extern step its user has ended is closed, and the steps that begin
 * later have a record of their own, which says "continues" (docs/record.md).
 */
#ifndef STINT_RECORD_JOIN_H
#define STINT_RECORD_JOIN_H

#include <json-c/json.h>

#include "common/error.h"

/*
 * Makes of @later, which goes on where @former ends, the record of both: sums are added, of two peaks the higher one
 * remains, lists get one after the other, as far as one record can have them. @later goes on where @former does, or from
 * nowhere. @former is spent. Where @later has been joined with @former already, it stays as it is.
 *
 * Returns 0; -1 with @err set and @later untouched: another version of stint made one of them.
 */
int record_join(struct json_object *former, struct json_object *later, struct error *err);

/*
 * Notes in @record, which goes on from one that is not there, that it lacks what ran before.
 */
void record_join_lacking(struct json_object *record);

#endif
