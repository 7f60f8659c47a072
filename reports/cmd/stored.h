/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks in the cluster's store for a job whose report was not found in any directory. */
#ifndef STINT_STORED_H
#define STINT_STORED_H

#include <stdint.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/read/rows.h"

struct stored_question {
	const char *who;  /* "stint report": begins each message on standard error */
	const char *what; /* what the user named: the store is asked if that is a job */
	int64_t attempt;  /* 0: the last */
	const char *cluster, *site, *config; /* NULL: not given */
};

/*
 * Asks the store, if this host has one.
 *
 * @unfound: why find_rows() found nothing
 *
 * Returns the report, for report_free(). NULL after a message: @unfound, and what the store said.
 */
struct report *stored_find(const struct stored_question *question, const struct error *unfound);

/* Fills @row from such a report, which it shares. Its path is a name that the report's file could have. */
void stored_row(const struct stored_question *question, struct report *report, struct summary *row);

#endif
