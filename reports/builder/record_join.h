/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joins two node records of one job on one node. If a user ends the extern step of a job, its record is closed. The
 * steps that begin later have a record of their own, which says "continues" (docs/record.md).
 */
#ifndef STINT_RECORD_JOIN_H
#define STINT_RECORD_JOIN_H

#include "common/error.h"
#include "reports/records/record.h"

/*
 * Makes @later, which continues @former, the record of both: sums are added, the higher of two peaks is kept, and lists
 * are appended, as far as they fit into one record. Afterwards @later continues the record that @former continued, or
 * none. @former must not be used any more. If @later was joined with @former already, it stays as it is.
 *
 * A sum that one of them does not know, such as one that another version of stint left out, is not known afterwards.
 *
 * Returns 0; -1 with @err set and errno ENOMEM: @later must not be used either, and a retry may read both again.
 */
int record_join(struct record *former, struct record *later, struct error *err);

/* Notes in @record, which continues a record that is missing, that it lacks the processes before it. */
void record_join_lacking(struct record *record);

#endif
