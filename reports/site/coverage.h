/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes how many of the jobs that Slurm knows left a record, and why the others left none. */
#ifndef STINT_COVERAGE_H
#define STINT_COVERAGE_H

#include <stdint.h>

#include <json-c/json.h>

/*
 * Why a job that Slurm knows has no record. These numbers must never change, because the store's tables contain them.
 */
enum missing_reason {
	MISSING_UNKNOWN, /* its node delivered other records; only the node may know whether its record waits there */
	MISSING_NEVER_BEGAN, /* the job ended before it started */
	MISSING_NO_STINT, /* the job's node has never delivered anything */
	MISSING_DROPPED, /* the job's node had to drop lines at that time */
	MISSING_NOT_YET, /* the job's node has delivered nothing since then, or only a part */
	MISSING_REASONS
};

struct coverage {
	int64_t until_us; /* the store was compared with Slurm up to this time, in microseconds since 1970; 0 if it was not compared */
	int64_t untold_s; /* length of the times before until_us for which Slurm did not tell which jobs ended */
	int64_t missing[MISSING_REASONS]; /* jobs */
};

/* Returns how many jobs left no record. */
int64_t coverage_missing(const struct coverage *coverage);

/*
 * Adds the coverage of another store. If the coverage of either is not known, that of both is not. Times that Slurm did
 * not tell of are those of both.
 */
void coverage_add(struct coverage *coverage, const struct coverage *other);

/*
 * Returns a sentence about the coverage, which the caller must free. NULL if the coverage is not known, or if out of
 * memory.
 *
 * @recorded: how many jobs have a record
 */
char *coverage_sentence(const struct coverage *coverage, int64_t recorded);

/* Adds the member "coverage" to @to: an object, or null if the coverage is not known. @recorded: as above */
void coverage_put(const struct coverage *coverage, int64_t recorded, struct json_object *to);

/*
 * Writes the reasons that apply to any job, each with its number of jobs: "2 never started, 1 was dropped on its
 * node". Returns @text.
 */
#define COVERAGE_TEXT 256
const char *coverage_reasons(const int64_t missing[MISSING_REASONS], char text[COVERAGE_TEXT]);

/* Returns a reason as part of a sentence about one job: "its node had to drop lines at that time". */
const char *coverage_reason(enum missing_reason reason);

#endif
