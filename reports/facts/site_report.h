/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rebuilds the report of a job from what the store has about the job. */
#ifndef STINT_SITE_REPORT_H
#define STINT_SITE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/database/database.h"
#include "reports/model/report.h"
#include "reports/rules/rules.h"

/* Why there is no report. */
enum site_lack {
	SITE_FAILED, /* the store cannot be read */
	SITE_SEVERAL, /* several clusters have such a job */
	SITE_NO_RECORD, /* Slurm knows the job, and it left no record */
	SITE_NO_JOB, /* the store has no such job that the reader may see */
	SITE_LACKS
};

struct site_question {
	const char *name; /* the job as the user named it: "12", "10_2", "12+1"; for messages */
	int64_t id;      /* of the job, of the array, or of a heterogeneous job's first component */
	int64_t task;    /* the task of the array; -1 if not given */
	int64_t offset;  /* of the component; -1 if not given */
	int64_t attempt; /* 0 for the last attempt */
	const char *cluster; /* the job's cluster; NULL for any cluster that has such a job */
	const char *local; /* if several clusters have such a job, prefer this cluster */
	enum site_lack lack; /* why there is no report; set by site_report() */
};

/*
 * Slurm gives the tasks of an array, and the components of a heterogeneous job, ids that are larger than the first one's.
 * The store is searched from the first id on, up to this many ids further.
 */
#define SITE_LATER_IDS (INT64_C(1) << 20)

/*
 * Makes the report of an attempt of a job. If the id was reused, reports the latest job. The report's gaps name what the
 * store does not keep.
 *
 * Returns the report, for report_free(). NULL with @err and @question->lack set. If several clusters have such a job,
 * @err names them. If the job has no record, @err says why.
 */
struct report *site_report(struct database *db, struct site_question *question, const struct rules *rules,
			   struct error *err);

#endif
