/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes store lines again with what slurmdbd says now. Puts the new lines into batches, so that a rebuild finds them in
 * the archive.
 */
#ifndef STINT_AMEND_H
#define STINT_AMEND_H

#include <stdint.h>

#include "reports/lines/line_pack.h"
#include "reports/ingest/ingest.h"

/* Initialize to all zero, except for the members that the caller must set. */
struct amend {
	struct ingest *ingest;
	struct line_packer *packer;
	const char *cluster;
	int64_t began_ms, now_s; /* since 1970 */

	int64_t lines; /* that were made */
	int sequence;
	char *text; /* lines of the batch that is being made, without its head */
	size_t size;
	int count;
};

/* A job of the store about which slurmdbd now says something else. */
struct amend_job {
	int64_t cluster, job_id, submit, attempt;
	int month;
	const struct record_slurm_job *slurm; /* what slurmdbd says about the job now */
};

/*
 * Makes the leading line of @job (the line with Slurm's answer) again, unless it already says what slurmdbd says.
 * Ingests the batch of new lines when the batch is full.
 *
 * Returns 0; -1 with @err set.
 */
int amend_add(struct amend *amend, const struct amend_job *job, struct error *err);

/* Ingests the last batch. Returns 0; -1 with @err set. */
int amend_finish(struct amend *amend, struct error *err);

void amend_free(struct amend *amend);

#endif
