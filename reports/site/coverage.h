/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many of the jobs that Slurm knows left a record, and why the others did not. */
#ifndef STINT_COVERAGE_H
#define STINT_COVERAGE_H

#include <stdint.h>

#include <json-c/json.h>

/* Why there is no record of a job that Slurm knows. A number never changes: the store's tables have it. */
enum missing_reason {
	MISSING_UNKNOWN, /* its node delivered other records */
	MISSING_NEVER_BEGAN, /* it ended before it started */
	MISSING_NO_STINT, /* its node has never delivered anything */
	MISSING_DROPPED, /* its node had to drop lines then */
	MISSING_NOT_YET, /* its node has delivered nothing since */
	MISSING_REASONS
};

struct coverage {
	int64_t until_us; /* up to when the store was compared with Slurm, since 1970; 0: it was not */
	int64_t untold_s; /* of the time before: Slurm did not tell which jobs ended then */
	int64_t missing[MISSING_REASONS]; /* jobs */
};

/* Returns how many jobs left no record. */
int64_t coverage_missing(const struct coverage *coverage);

/*
 * Returns the sentence that says it of @recorded jobs with a record, to be freed; NULL where it is not known, or memory
 * is short.
 */
char *coverage_sentence(const struct coverage *coverage, int64_t recorded);

/* Adds "coverage" to @to: an object, or null where it is not known. */
void coverage_put(const struct coverage *coverage, int64_t recorded, struct json_object *to);

/* Writes the reasons that there are: "2 never started, 1 was dropped on its node". */
#define COVERAGE_TEXT 256
const char *coverage_reasons(const int64_t missing[MISSING_REASONS], char text[COVERAGE_TEXT]);

#endif
