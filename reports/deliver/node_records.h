/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the records for a report: this node's record, and the parts that other nodes leave beside the report. Reads
 * each part only once, because a job may have a thousand nodes.
 */
#ifndef STINT_NODE_RECORDS_H
#define STINT_NODE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/builder/build_report.h"
#include "reports/files/part_set.h"

/* All pointers are borrowed. */
struct node_source {
	int dirfd; /* the directory of the report */
	const struct record_identity *own; /* this node and job */
	struct record *record; /* this node's */
	const struct report_texts *nodes; /* all nodes, the leading node first */
	const struct record_slurm_job *slurm; /* NULL: Slurm gave no answer */
	struct proof_wanted wanted; /* what a part must belong to */
	bool shrink; /* keep only copies of the records, with the entries that the verdict needs */
	char (*proofs)[PROOF_MAX]; /* set to the parts' credentials; may be NULL */
};

struct node_records;

/* Returns an empty set; NULL if out of memory. */
struct node_records *node_records_begin(const struct node_source *source);
void node_records_free(struct node_records *all);

/*
 * Waits for the parts of the other nodes until @end_ms (CLOCK_MONOTONIC), and reads them. If a part was refused, waits
 * for another part of the same node.
 *
 * @poll_ms: time between two looks
 *
 * Returns true if all parts are there.
 */
bool node_records_wait(struct node_records *all, int64_t end_ms, long poll_ms);

/* Reads parts that have arrived. Returns 0; -1 if out of memory. */
int node_records_read(struct node_records *all);

/* Sets records, missing nodes and Slurm's answer in @input, valid until node_records_read() or node_records_free(). */
void node_records_list(struct node_records *all, struct build_input *input);

/* Frees the records of a complete report. Afterwards, call only node_records_remove_parts() and node_records_free(). */
void node_records_spend(struct node_records *all);

void node_records_remove_parts(const struct node_records *all);

/*
 * Trims a record to its share of a report of @nodes nodes. Call before reading the next record, because a thousand
 * timelines do not fit into memory.
 * Returns 0; -1 if out of memory, and the record is damaged.
 */
int node_records_trim(struct record *record, size_t nodes);

#endif
