/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Store lines with what slurmdbd says now. They are batches like those of nodes and go into the archive, so that a
 * rebuild knows of it too.
 */
#ifndef STINT_AMEND_H
#define STINT_AMEND_H

#include <stdint.h>

#include "reports/lines/line_pack.h"
#include "reports/ingest/ingest.h"

/* Begins as all zero, but what is set by the caller. */
struct amend {
	struct ingest *ingest;
	struct line_packer *packer;
	const char *cluster;
	int64_t began_ms, now_s; /* since 1970 */

	int64_t lines; /* that were made */
	int sequence;
	char *text; /* of the batch that is being made, without its head */
	size_t size;
	int count;
};

/* The job of the tables that slurmdbd says something else of. */
struct amend_job {
	int64_t cluster, job_id, submit, attempt;
	int month;
	const struct record_slurm_job *slurm; /* as slurmdbd has it */
};

/*
 * Makes the leading line of @job anew, unless it says this already, and takes a batch of them into the tables whenever
 * it is full.
 *
 * Returns 0; -1 with @err set.
 */
int amend_add(struct amend *amend, const struct amend_job *job, struct error *err);

/* Takes the rest. Returns as amend_add(). */
int amend_finish(struct amend *amend, struct error *err);

void amend_free(struct amend *amend);

#endif
