/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds things in a node record: its node and steps, the job script, and the parents of processes.
 * reports/ending/parts.h finds the same in a report.
 */
#ifndef STINT_RECORD_PARTS_H
#define STINT_RECORD_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/records/record.h"

/* Returns the step of the job script, borrowed; NULL if the job has no script, or if the script ran on another node. */
const struct record_step *record_batch_step(const struct record *record);

/* Returns the pid of the task of the batch step, which is the job script; -1 if not known. */
int64_t record_script_pid(const struct record *record);

/* Returns true if @parent is the parent of @entry. Both are entries of the record's timeline, and of the same step. */
bool record_is_child(const struct record_entry *entry, const struct record_entry *parent);

/*
 * Keeps the @max entries of the record's timeline that took longest, and leaves their order unchanged. If there were
 * more entries, adds a gap to the record. This bounds how much each node adds to a report.
 */
void record_trim_timeline(struct record *record, size_t max);

/* Returns true if the record says that no step of the job ran on its node. The job used nothing on that node then. */
bool record_unused(const struct record *record);

/*
 * Returns how many nodes the job had when it began, according to the extern step on the record's node; 0 if not known.
 * The job may have given back some of these nodes since (scontrol update NumNodes=).
 */
int64_t record_nodes_at_start(const struct record *record);

/* Returns the record's node, or "?". */
const char *record_node(const struct record *record);

/*
 * Returns this machine's name for the group of the record's user; NULL if there is none. The name is valid until the
 * next look-up of a group. The look-up may ask a directory service, and may hang.
 */
const char *record_group(const struct record *record);

#endif
