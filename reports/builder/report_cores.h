/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the cores in a node's record. The record may be a whole one, or the part that a store line keeps. */
#ifndef STINT_REPORT_CORES_H
#define STINT_REPORT_CORES_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report_make.h"
#include "reports/records/record.h"

/* Counts the cores of the record's node to which the job was bound. Returns false if the cores are not known. */
bool cores_count(const struct record *record, int64_t *count);

/* Counts the cores of the record's node that the job used. Returns false if that is not known for each core. */
bool cores_count_used(const struct record *record, int64_t *used);

/*
 * Counts the loaded cores of the record's node. A core is loaded if the job's threads used at least a twentieth as
 * much CPU time on it as on the busiest core of the node. Returns false if the CPU time of a core is not known.
 */
bool cores_count_loaded(const struct record *record, int64_t *loaded);

/*
 * Like cores_count_used(), but also adds the cores that the job did not use to the list @unused, and makes that list
 * known. If the use of a core is not known, returns false and does nothing else.
 */
bool cores_put_unused(const struct record *record, struct report *report, struct report_unused_core_list *unused, int64_t *used);

/*
 * Fills @cores with the cores of the record, for the report's list of nodes. Leaves @cores unchanged if the record's
 * cores are not known.
 */
void cores_put(const struct record *record, struct report *report, struct report_core_list *cores);


#endif
