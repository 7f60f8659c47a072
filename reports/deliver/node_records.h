/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records that one report is made from: this node's own, and those of the parts that the other nodes leave beside
 * the report. Each part is read once, as soon as it is there. So the file system of a job on a thousand nodes is asked
 * as little as possible.
 */
#ifndef STINT_NODE_RECORDS_H
#define STINT_NODE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/builder/build_report.h"
#include "reports/files/part_set.h"

/* Where the records come from. All pointers are borrowed. */
struct node_source {
	int dirfd; /* the directory of the report */
	const struct record_identity *own; /* the node and job of this process */
	struct record *record; /* its record */
	const struct report_texts *nodes; /* the names of all; the first leads */
	const struct record_slurm_job *slurm; /* what Slurm says of the job; NULL: nothing */
	struct proof_wanted wanted; /* the job, user and cluster that each part must belong to */
	bool shrink; /* choose what the verdict looks at, and copy each record, as soon as it is read (kept_choose(), record_copy()) */
	char (*proofs)[PROOF_MAX]; /* set to each node's credential, if its part is among the records; or NULL */
};

struct node_records;

/* Returns an empty set of records, to be freed by node_records_free(); NULL if out of memory. */
struct node_records *node_records_begin(const struct node_source *source);
void node_records_free(struct node_records *all);

/*
 * Waits until the parts of all other nodes are there, and reads them as they arrive, until @end_ms (CLOCK_MONOTONIC) at
 * the latest. After node_records_read() has returned, a refused part is waited for like a missing one: the true one may
 * still arrive.
 *
 * @poll_ms: the pause between two looks
 *
 * Returns whether all are there.
 */
bool node_records_wait(struct node_records *all, int64_t end_ms, long poll_ms);

/* Reads the parts that are there and were not read yet. Returns 0; -1 if out of memory. */
int node_records_read(struct node_records *all);

/*
 * Fills @input's records, missing nodes and Slurm's answer. The pointers are valid until node_records_read() or
 * node_records_free().
 */
void node_records_list(struct node_records *all, struct build_input *input);

/*
 * Frees the memory of the records, once the report is made and none is missing. After that, only
 * node_records_remove_parts() and node_records_free() may be called.
 */
void node_records_spend(struct node_records *all);

/*
 * Removes the parts that were read.
 */
void node_records_remove_parts(const struct node_records *all);

/*
 * Trims the record of a node of a job on @nodes nodes to its share of the report, before the next one is read: the
 * timelines of a thousand nodes would not fit in memory. Returns 0; -1 if out of memory, and the record is then
 * damaged.
 */
int node_records_trim(struct record *record, size_t nodes);

#endif
