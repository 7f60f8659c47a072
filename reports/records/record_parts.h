/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks up parts of a node record: its node, its steps, the job script, and the parents of processes.
 * reports/ending/parts.h does the same for a report.
 */
#ifndef STINT_RECORD_PARTS_H
#define STINT_RECORD_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/records/record.h"

/* Returns the step of the job script; borrowed. Returns NULL if the job has no script, or if the script ran on another node. */
const struct record_step *record_batch_step(const struct record *record);

/* Returns the pid of the job script, which is the task of the batch step; -1 if not known. */
int64_t record_script_pid(const struct record *record);

/* Returns true if @parent is the parent of @entry. Both must be entries of the record's timeline, and of the same step. */
bool record_is_child(const struct record_entry *entry, const struct record_entry *parent);

/*
 * Keeps the @max entries of the record's timeline that took longest, in their order, and drops all others. If it
 * drops any, adds a gap to the record. This limits how much each node adds to a report.
 */
void record_trim_timeline(struct record *record, size_t max);

/* Returns true if the record says that no step of the job ran on its node, so that the job used nothing there. */
bool record_unused(const struct record *record);

/*
 * Returns how many nodes the job had when it began, according to the extern step on the record's node; 0 if not
 * known. The job may have given back some of these nodes since then (scontrol update NumNodes=).
 */
int64_t record_nodes_at_start(const struct record *record);

/* Returns the name of the record's node; "?" if not known. */
const char *record_node(const struct record *record);

/*
 * Returns the name that this machine has for the group of the record's user; NULL if there is none. The name is valid
 * until a group is looked up again. The look-up may ask a directory service, and may hang.
 */
const char *record_group(const struct record *record);

#endif
