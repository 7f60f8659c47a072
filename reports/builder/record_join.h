/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joins two node records of one job on one node. Such records exist because the collector closes the job's record if
 * a user ends the extern step of a job. Steps that begin later get another record, which says "continues"
 * (docs/record.md).
 */
#ifndef STINT_RECORD_JOIN_H
#define STINT_RECORD_JOIN_H

#include "common/error.h"
#include "reports/records/record.h"

/*
 * Adds the record @former to @later, which continues it. Sums are added up, the higher of two peaks is kept, and
 * lists are appended as far as they fit into one record. If @former continues an earlier record, @later then
 * continues that record. If @later already includes @former, leaves @later unchanged. The caller must not use @former
 * any more.
 *
 * If one of the two records does not know a sum, the joined sum is not known. For example, another version of stint
 * may have left that sum out.
 *
 * Returns 0. If out of memory, returns -1 with @err set and errno ENOMEM. The caller must then not use @later either,
 * but may read both records again and retry.
 */
int record_join(struct record *former, struct record *later, struct error *err);

/*
 * Adds a gap to @record, because the record that it continues is missing. The gap says that the processes of the
 * missing record are missing here.
 */
void record_join_lacking(struct record *record);

#endif
