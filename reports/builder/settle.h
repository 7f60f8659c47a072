/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes one node's record small, as soon as it is read. Data that the report only copies is converted to the report's
 * form (records/settled.h), and tools are reduced to their sums. Otherwise the records of a thousand nodes would take
 * gigabytes.
 */
#ifndef STINT_SETTLE_H
#define STINT_SETTLE_H

#include <stddef.h>

#include <json-c/json.h>

/*
 * Settles @record for build_report(), which makes the same report from it. After this, the record's timeline, cores,
 * tasks and series can no longer be read by their names. Settling it again does nothing.
 *
 * @slurm: stint-slurm-job's answer; may be NULL
 */
void settle_record(struct json_object *record, struct json_object *slurm);

/* Returns roughly how many bytes of memory @record takes, including its settled part. */
size_t settle_weight(struct json_object *record);

#endif
