/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the store for a job whose report is in no directory. */
#ifndef STINT_STORED_H
#define STINT_STORED_H

#include <stdint.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/read/rows.h"

struct stored_question {
	const char *who;  /* begins each message, such as "stint report" */
	const char *what; /* what the user named; the store is asked only if this is a job */
	int64_t attempt;  /* 0: the last */
	const char *cluster, *site, *config; /* NULL: not given */
};

/*
 * Asks the store for the report, if this host has a store and question->what is a job.
 *
 * @unfound: why find_rows() did not find the report
 *
 * Returns the report, which the caller must release with report_free().
 * Without a report, prints @unfound and the store's answer, and returns NULL.
 */
struct report *stored_find(const struct stored_question *question, const struct error *unfound);

/*
 * Adds the job from the store to @rows. Returns 0; -1 after a message if the store does not have it, or if out of
 * memory.
 *
 * @unfound: as for stored_find()
 */
int stored_add(const struct stored_question *question, const struct error *unfound, struct rows *rows);

#endif
