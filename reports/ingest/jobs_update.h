/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds new lines to the tables. A job with a new line is made again from all its lines. */
#ifndef STINT_JOBS_UPDATE_H
#define STINT_JOBS_UPDATE_H

#include "reports/database/database.h"
#include "reports/facts/job_lines.h"
#include "reports/lines/line_pack.h"
#include "reports/facts/names.h"

struct jobs_update {
	struct database *db;
	struct names *names;
	struct line_packer *packer;
	const struct rules *rules;
	int oldest;   /* lines of jobs of earlier months are left out; 0 to take all lines */
	int64_t late; /* how many lines were left out so far */
	int64_t jobs; /* how many rows of jobs were written so far */
};

/*
 * Adds @lines, which must be read already, in the open transaction.
 *
 * @clusters: the number of each line's cluster
 *
 * Returns 0; -1 with @err set, and the caller must roll back.
 */
int jobs_update(struct jobs_update *update, struct job_line **lines, const int64_t *clusters, size_t count,
		struct error *err);

#endif
