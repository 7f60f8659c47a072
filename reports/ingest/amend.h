/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes store lines with what slurmdbd says now. They are batches like those of nodes, and go into the archive. So a
 * rebuild also finds these lines.
 */
#ifndef STINT_AMEND_H
#define STINT_AMEND_H

#include <stdint.h>

#include "reports/lines/line_pack.h"
#include "reports/ingest/ingest.h"

/* Initialize to all zero, except for the members that the caller sets. */
struct amend {
	struct ingest *ingest;
	struct line_packer *packer;
	const char *cluster;
	int64_t began_ms, now_s; /* since 1970 */

	int64_t lines; /* that were made */
	int sequence;
	char *text; /* text of the batch that is being made, without its head */
	size_t size;
	int count;
};

/* A job in the tables about which slurmdbd now says something else. */
struct amend_job {
	int64_t cluster, job_id, submit, attempt;
	int month;
	const struct record_slurm_job *slurm; /* what slurmdbd says about the job */
};

/*
 * Makes the leading line of @job again with what slurmdbd says, unless the line already says this. Whenever a batch
 * of such lines is full, adds the batch to the tables.
 *
 * Returns 0; -1 with @err set.
 */
int amend_add(struct amend *amend, const struct amend_job *job, struct error *err);

/* Adds the last batch, which is not full, to the tables. Returns as amend_add() does. */
int amend_finish(struct amend *amend, struct error *err);

void amend_free(struct amend *amend);

#endif
