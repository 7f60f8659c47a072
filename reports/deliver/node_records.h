/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the records for one report. These are this node's own record, and the records in the parts that the other
 * nodes leave beside the report. Reads each part only once, as soon as it is there, so that a job on a thousand nodes
 * asks the file system as little as possible.
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
	const struct report_texts *nodes; /* the names of all nodes; the first one leads */
	const struct record_slurm_job *slurm; /* Slurm's answer about the job; NULL if there is none */
	struct proof_wanted wanted; /* the job, user and cluster that each part must belong to */
	bool shrink; /* after reading each record, choose the entries that the verdict looks at, and replace the record by a
		      * copy (kept_choose(), record_copy()) */
	char (*proofs)[PROOF_MAX]; /* NULL, or an array with an entry for each node. If the node's part is among the records,
				    * the entry is set to the part's credential */
};

struct node_records;

/* Returns an empty set of records, for node_records_free(); NULL if out of memory. */
struct node_records *node_records_begin(const struct node_source *source);
void node_records_free(struct node_records *all);

/*
 * Waits until the parts of all other nodes are there, but not longer than until @end_ms (CLOCK_MONOTONIC). Reads the
 * parts as they arrive. If an earlier node_records_read() refused a part, also waits for another part of that node,
 * because the true part may still arrive.
 *
 * @poll_ms: the pause between two look-ups, in milliseconds
 *
 * Returns true if all parts are there.
 */
bool node_records_wait(struct node_records *all, int64_t end_ms, long poll_ms);

/* Reads the parts that are there and were not read yet. Returns 0; -1 if out of memory. */
int node_records_read(struct node_records *all);

/*
 * Fills in the records, the missing nodes and Slurm's answer of @input. The pointers are valid until
 * node_records_read() or node_records_free() is called.
 */
void node_records_list(struct node_records *all, struct build_input *input);

/*
 * Frees the memory of the records. Call this when the report is made and no record is missing. After that, only
 * node_records_remove_parts() and node_records_free() may be called.
 */
void node_records_spend(struct node_records *all);

/*
 * Removes the parts that were read.
 */
void node_records_remove_parts(const struct node_records *all);

/*
 * Trims the record of one node to this node's share of a report of @nodes nodes. Call this before the next record is
 * read, because the timelines of a thousand nodes would not fit in memory. Returns 0. If out of memory, returns -1, and
 * the record is damaged.
 */
int node_records_trim(struct record *record, size_t nodes);

#endif
