/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joins two node records of one job on one node. If a user ends the extern step of a job, the collector closes the
 * job's record. Steps that begin later get a record of their own, which says "continues" (docs/record.md).
 */
#ifndef STINT_RECORD_JOIN_H
#define STINT_RECORD_JOIN_H

#include "common/error.h"
#include "reports/records/record.h"

/*
 * Joins @former and @later, which continues @former. Afterwards @later covers both: sums are added, the higher of two
 * peaks is kept, and lists are appended as far as they fit into one record. @later then continues the record that
 * @former continued, if there is one. The caller must not use @former any more. If @later already includes @former,
 * @later does not change.
 *
 * If one of the two records does not know a sum, for example because another version of stint left the sum out, the
 * joined sum is not known.
 *
 * Returns 0. If out of memory, returns -1 with @err set and errno ENOMEM. The caller must then not use @later either,
 * but may read both records again and retry.
 */
int record_join(struct record *former, struct record *later, struct error *err);

/*
 * Adds gaps to @record, which continues a missing record. The gaps say that @record lacks the processes of the missing
 * record.
 */
void record_join_lacking(struct record *record);

#endif
