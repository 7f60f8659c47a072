/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes how many of the jobs that Slurm knows have a record in the store, and why the others have none. */
#ifndef STINT_COVERAGE_H
#define STINT_COVERAGE_H

#include <stdint.h>

#include <json-c/json.h>

/*
 * Says why a job that Slurm knows has no record. The values must never change, because the store's
 * tables contain them.
 */
enum missing_reason {
	MISSING_UNKNOWN, /* the node delivered other records since; only the node may know whether this job's record waits there */
	MISSING_NEVER_BEGAN, /* the job ended before it started */
	MISSING_NO_STINT, /* the job's node has never delivered anything */
	MISSING_DROPPED, /* the job's node had to drop store lines at that time */
	MISSING_NOT_YET, /* the job's node has delivered nothing since the job ended, or only a part of its records */
	MISSING_REASONS
};

struct coverage {
	/*
	 * the store was compared with Slurm up to this time, in microseconds since 1970; 0 if it was
	 * never compared
	 */
	int64_t until_us;
	int64_t untold_s; /* total length of the times before until_us for which Slurm did not say which jobs ended */
	int64_t missing[MISSING_REASONS]; /* jobs */
};

/* Returns how many jobs left no record. */
int64_t coverage_missing(const struct coverage *coverage);

/*
 * Adds the coverage @other of another store to @coverage. The sum is unknown if either is unknown. The
 * sum's untold_s is the sum of both.
 */
void coverage_add(struct coverage *coverage, const struct coverage *other);

/*
 * Returns a sentence about the coverage, which the caller must free. Returns NULL if the coverage is
 * not known, or if out of memory.
 *
 * @recorded: how many jobs have a record
 */
char *coverage_sentence(const struct coverage *coverage, int64_t recorded);

/*
 * Adds the member "coverage" to @to. The member is an object, or null if the coverage is not known.
 *
 * @recorded: how many jobs have a record
 */
void coverage_put(const struct coverage *coverage, int64_t recorded, struct json_object *to);

/*
 * Writes each reason that has jobs, with the number of these jobs: "2 never started, 1 was dropped on
 * its node". Returns @text.
 */
#define COVERAGE_TEXT 256
const char *coverage_reasons(const int64_t missing[MISSING_REASONS], char text[COVERAGE_TEXT]);

/*
 * Returns @reason in words that continue a sentence about one job: "its node had to drop lines at that
 * time".
 */
const char *coverage_reason(enum missing_reason reason);

#endif
