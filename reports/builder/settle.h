/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes one node's record small, as soon as it is read: what the report only copies becomes the text of the report, and
 * tools are reduced to their sums. Without that the records of a thousand nodes take gigabytes.
 */
#ifndef STINT_SETTLE_H
#define STINT_SETTLE_H

#include <json-c/json.h>

/*
 * Settles @record for build_report(). The report that has it can be printed, but its timeline, the cores, tasks and
 * most columns of its series cannot be read. Settling it again does nothing.
 *
 * @slurm: stint-slurm-job's answer; may be NULL
 */
void settle_record(struct json_object *record, struct json_object *slurm);

#endif
