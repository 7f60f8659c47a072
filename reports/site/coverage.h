/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many of the jobs that Slurm knows have a record in the store, and why the other jobs have no record. */
#ifndef STINT_COVERAGE_H
#define STINT_COVERAGE_H

#include <stdint.h>

#include <json-c/json.h>

/* Why a job has no record. The store's tables have these values, so never change them. */
enum missing_reason {
	MISSING_UNKNOWN, /* the node has delivered other records since then; the job's record may wait on the node */
	MISSING_NEVER_BEGAN, /* it ended before it started */
	MISSING_NO_STINT, /* its node never delivered anything */
	MISSING_DROPPED, /* the job's node dropped store lines at that time */
	MISSING_NOT_YET, /* since the job's end, its node delivered nothing, or only a part of its records */
	MISSING_REASONS
};

struct coverage {
	/* the store was compared with Slurm up to this time, in microseconds since 1970; 0 if never */
	int64_t until_us;
	int64_t untold_s; /* seconds before until_us for which Slurm did not say which jobs ended */
	int64_t missing[MISSING_REASONS]; /* jobs */
};

/* Returns how many jobs left no record. */
int64_t coverage_missing(const struct coverage *coverage);

/* Adds the coverage of another store. The sum is unknown if one of the two is unknown. */
void coverage_add(struct coverage *coverage, const struct coverage *other);

/*
 * Returns a sentence, which the caller must free; NULL if the coverage is not known, or if out of memory.
 *
 * @recorded: how many jobs have a record
 */
char *coverage_sentence(const struct coverage *coverage, int64_t recorded);

/*
 * Adds the member "coverage": an object, or null if not known.
 *
 * @recorded: how many jobs have a record
 */
void coverage_put(const struct coverage *coverage, int64_t recorded, struct json_object *to);

/* Writes the reasons: "2 never started, 1 was dropped on its node". Returns @text. */
#define COVERAGE_TEXT 256
const char *coverage_reasons(const int64_t missing[MISSING_REASONS], char text[COVERAGE_TEXT]);

/* Returns words that continue a sentence about one job: "its node had to drop lines at that time". */
const char *coverage_reason(enum missing_reason reason);

#endif
