/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the cores in a node's record, or in the part of the record that a store line keeps. */
#ifndef STINT_REPORT_CORES_H
#define STINT_REPORT_CORES_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report_make.h"
#include "reports/records/record.h"

/* Counts the cores to which the job was bound on the record's node. Returns false if the cores are not known. */
bool cores_count(const struct record *record, int64_t *count);

/* Counts the cores that the job used on the record's node. Returns false if the use of a core is not known. */
bool cores_count_used(const struct record *record, int64_t *used);

/*
 * Counts the loaded cores: those on which the job's threads used at least a twentieth of the CPU time of the node's
 * busiest core. Returns false if the use of a core is not known.
 */
bool cores_count_loaded(const struct record *record, int64_t *loaded);

/*
 * Like cores_count_used(), but also adds the unused cores to the list @unused, which becomes known. Returns false, and
 * does nothing, if the use of a core is not known.
 */
bool cores_put_unused(const struct record *record, struct report *report, struct report_unused_core_list *unused, int64_t *used);

/*
 * Fills @cores with the cores of the record, as the report's nodes list them. Leaves @cores unchanged if the record's
 * cores are not known.
 */
void cores_put(const struct record *record, struct report *report, struct report_core_list *cores);


#endif
