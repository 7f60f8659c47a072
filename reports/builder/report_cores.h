/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the cores in a node's record, or in the part of the record that a store line has. */
#ifndef STINT_REPORT_CORES_H
#define STINT_REPORT_CORES_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/model/report_make.h"
#include "reports/records/record.h"

/* Counts the cores that the job was bound to. Returns false if they are not known. */
bool cores_count(const struct record *record, int64_t *count);

/* Counts the cores that the job used. Returns false if a core's use is not known. */
bool cores_count_used(const struct record *record, int64_t *used);

/*
 * Counts the loaded cores: those with at least a twentieth of the CPU time of the node's busiest core.
 * Returns false if the CPU time of a core is not known.
 */
bool cores_count_loaded(const struct record *record, int64_t *loaded);

/* Works like cores_count_used(), and adds unused cores to @unused. If it returns false, it adds no core. */
bool cores_put_unused(const struct record *record, struct report *report, struct report_unused_core_list *unused, int64_t *used);

/* Fills @cores, for the report's list of nodes. Does nothing if the record's cores are not known. */
void cores_put(const struct record *record, struct report *report, struct report_core_list *cores);

#endif
