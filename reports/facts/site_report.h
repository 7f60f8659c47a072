/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the report of a job from its lines in the store. */
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
	SITE_NO_RECORD, /* Slurm knows the job, but the job left no record */
	SITE_NO_JOB, /* the store has no such job that the reader may see */
	SITE_LACKS
};

struct site_question {
	const char *name; /* the job in the form in which the user named it, for messages: "12", "10_2", "12+1" */
	int64_t id;      /* id of the job, of the array, or of the first component of a heterogeneous job */
	int64_t task;    /* number of the task in the array; -1 if the user gave none */
	int64_t offset;  /* number of the component; -1 if the user gave none */
	int64_t attempt; /* 0 for the last attempt */
	const char *cluster; /* only this cluster; NULL for any cluster that has such a job */
	const char *local; /* the cluster to prefer if several clusters have such a job */
	enum site_lack lack; /* set by site_report() if it returns NULL: why there is no report */
};

/* How many ids to search for a task or a component. Slurm gives them larger ids than the first task or component. */
#define SITE_LATER_IDS (INT64_C(1) << 20)

/*
 * Makes the report of one attempt of the latest job with this id. The report's gaps name the data that the store does
 * not keep.
 *
 * Returns the report, which the caller must release with report_free(). Returns NULL with @err and question->lack set
 * if there is no report.
 */
struct report *site_report(struct database *db, struct site_question *question, const struct rules *rules,
			   struct error *err);

#endif
