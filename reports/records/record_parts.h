/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks up parts of a node record. */
#ifndef STINT_RECORD_PARTS_H
#define STINT_RECORD_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/records/record.h"

/* Returns the step of the job script; NULL if the step did not run on this node. Borrowed. */
const struct record_step *record_batch_step(const struct record *record);

/* Returns the pid of the job script; -1: not known. */
int64_t record_script_pid(const struct record *record);

/* Returns true if @parent is the parent of @entry. The entries must be of one timeline and one step. */
bool record_is_child(const struct record_entry *entry, const struct record_entry *parent);

/*
 * Keeps the @max longest entries of the timeline, to limit what a node adds to a report.
 * Adds a gap if it drops entries.
 */
void record_trim_timeline(struct record *record, size_t max);

/* Returns true if no step ran on the node. */
bool record_unused(const struct record *record);

/* Returns how many nodes the job had at first; 0: not known. A job can give back nodes (scontrol update NumNodes=). */
int64_t record_nodes_at_start(const struct record *record);

/* Returns the node's name; "?" if unknown. */
const char *record_node(const struct record *record);

/*
 * Returns the name of the user's group on this machine; NULL if there is none. Valid until the next look-up. May ask a
 * directory service, which can hang.
 */
const char *record_group(const struct record *record);

#endif
