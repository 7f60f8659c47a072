/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds new lines to the tables. If a job has a new line, makes its row again from all its lines. */
#ifndef STINT_JOBS_UPDATE_H
#define STINT_JOBS_UPDATE_H

#include "reports/database/database.h"
#include "reports/facts/job_lines.h"
#include "reports/lines/line_pack.h"
#include "reports/facts/names.h"

/* What jobs_update() needs. */
struct jobs_update {
	struct database *db;
	struct names *names;
	struct line_packer *packer;
	const struct rules *rules;
	int oldest;   /* lines of jobs of months before this one are left out; 0 if none are */
	int64_t late; /* how many lines were left out so far */
	int64_t jobs; /* how many rows of jobs were written so far */
};

/*
 * Adds @lines to the tables in the open transaction. The lines must already be read.
 *
 * @clusters: for each line, the number of its cluster
 *
 * Returns 0; -1 with @err set, and then the caller must roll back the transaction.
 */
int jobs_update(struct jobs_update *update, struct job_line **lines, const int64_t *clusters, size_t count,
		struct error *err);

#endif
