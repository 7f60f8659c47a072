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
	int64_t task;    /* -1: not given */
	int64_t offset;  /* of the component; -1: not given */
	int64_t attempt; /* 0: the last */
	const char *cluster; /* the job's cluster; NULL: any that has such a job */
	const char *local; /* if several clusters have one: use this one, if it has one */
	enum site_lack lack; /* set if there is no report */
};

/*
 * Slurm gives an array's tasks and the components of a heterogeneous job later numbers than the first one's. The store is searched
 * for them from that number on, in this many numbers.
 */
#define SITE_LATER_IDS (INT64_C(1) << 20)

/*
 * Makes the report of the job's attempt. If the id was reused, it is that of the latest job. The report's gaps name what the store
 * does not keep.
 *
 * Returns it; free it with report_free(). NULL with @err and @question->lack set; @err names the clusters if several have such a
 * job, and says why a job has no record.
 */
struct report *site_report(struct database *db, struct site_question *question, const struct rules *rules,
			   struct error *err);

#endif
