/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes store lines again with what slurmdbd says now. Puts them into batches in the same form as those of nodes.
 * The batches go into the archive, so that a rebuild finds these lines, too.
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
 * Makes the leading line of @job again with what slurmdbd says now, unless the line already says so. The leading
 * line is the one that has Slurm's answer. Adds the line to a batch, and ingests the batch when it is full.
 *
 * Returns 0; -1 with @err set.
 */
int amend_add(struct amend *amend, const struct amend_job *job, struct error *err);

/* Ingests the last batch, which is not full. Return values are those of amend_add(). */
int amend_finish(struct amend *amend, struct error *err);

void amend_free(struct amend *amend);

#endif
