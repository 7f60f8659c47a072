/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes one node's record small, as soon as it is read: what the report only copies becomes what the report has
 * (records/settled.h), and tools are reduced to their sums. Without that the records of a thousand nodes take gigabytes.
 */
#ifndef STINT_SETTLE_H
#define STINT_SETTLE_H

#include <stddef.h>

#include <json-c/json.h>

/*
 * Settles @record for build_report(), which makes the same report of it. The record's timeline, cores, tasks and series cannot be
 * read by their names any more. Settling it again does nothing.
 *
 * @slurm: stint-slurm-job's answer; may be NULL
 */
void settle_record(struct json_object *record, struct json_object *slurm);

/* Returns how many bytes of memory @record takes, about, with what was settled of it. */
size_t settle_weight(struct json_object *record);

#endif
