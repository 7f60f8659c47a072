/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joins two node records of one job on one node.
 * If a user ends the extern step, the collector closes the record.
 * Later steps get another record, which "continues" the first one (docs/record.md).
 */
#ifndef STINT_RECORD_JOIN_H
#define STINT_RECORD_JOIN_H

#include "common/error.h"
#include "reports/records/record.h"

/*
 * Adds the record @former to the record @later, which continues @former.
 * Sums are added up. Of two peaks, keeps the higher. Lists are appended as far as they fit.
 * If one record lacks a sum, the joined sum is unknown: a version of stint may not have counted it.
 *
 * If @former continues an earlier record, @later then continues that record.
 * If @later already includes @former, @later does not change.
 * The caller must not use @former any more.
 *
 * Returns 0. If out of memory, returns -1 with @err set and errno ENOMEM, and @later is unusable.
 * The caller may then read both records again.
 */
int record_join(struct record *former, struct record *later, struct error *err);

/* Adds a gap: the record that @record continues is missing. */
void record_join_lacking(struct record *record);

#endif
