/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many of the jobs that Slurm knows left a record, and why the others did not. */
#ifndef STINT_COVERAGE_H
#define STINT_COVERAGE_H

#include <stdint.h>

#include <json-c/json.h>

/* Why a job that Slurm knows has no record. The numbers never change: the store's tables contain them. */
enum missing_reason {
	MISSING_UNKNOWN, /* its node delivered other records: only the node may know whether its record waits there */
	MISSING_NEVER_BEGAN, /* it ended before it started */
	MISSING_NO_STINT, /* its node has never delivered anything */
	MISSING_DROPPED, /* its node had to drop lines at that time */
	MISSING_NOT_YET, /* its node has delivered nothing since, or not all of it */
	MISSING_REASONS
};

struct coverage {
	int64_t until_us; /* the store was compared with Slurm up to this time, since 1970; 0: it was not */
	int64_t untold_s; /* length of the times before it for which Slurm did not tell which jobs ended */
	int64_t missing[MISSING_REASONS]; /* jobs */
};

/* Returns how many jobs left no record. */
int64_t coverage_missing(const struct coverage *coverage);

/*
 * Returns a sentence about the coverage, with @recorded as the number of jobs that have a record. Free it. NULL if the coverage is
 * not known, or if out of memory.
 */
char *coverage_sentence(const struct coverage *coverage, int64_t recorded);

/* Adds "coverage" to @to: an object, or null if it is not known. */
void coverage_put(const struct coverage *coverage, int64_t recorded, struct json_object *to);

/* Writes each reason that has jobs: "2 never started, 1 was dropped on its node". */
#define COVERAGE_TEXT 256
const char *coverage_reasons(const int64_t missing[MISSING_REASONS], char text[COVERAGE_TEXT]);

/* Returns the same for one job, in a sentence: "its node had to drop lines at that time". */
const char *coverage_reason(enum missing_reason reason);

#endif
