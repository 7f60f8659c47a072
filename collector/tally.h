/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts what stintd and its children have done, for the status file. */
#ifndef STINT_TALLY_H
#define STINT_TALLY_H

#include <stdint.h>

#include "common/json_writer.h"

#define TALLY_NAMES 64 /* there are about forty */

struct tally_count {
	uint32_t state; /* of name: FREE, WRITING or THERE */
	char name[60];
	uint64_t count;
};

struct tally {
	uint64_t written; /* reports, and parts of reports, on disk */
	uint64_t forgotten; /* jobs without a record */
	struct tally_count gaps[TALLY_NAMES];
	struct tally_count lost[TALLY_NAMES];
};

/* Returns a tally that is shared with later children; NULL if out of memory. */
struct tally *tally_open(void);

/* If @tally is NULL, these functions do nothing. */

void tally_add_written(struct tally *tally);
void tally_add_forgotten(struct tally *tally);

/* Counts the gaps and the losses in @record by name. */
void tally_add_record(struct tally *tally, struct json_object *record);

struct tally_sums {
	uint64_t gaps; /* of all names */
	uint64_t lost; /* of all kinds */
};

struct tally_sums tally_sums(const struct tally *tally);

/* Adds the counts as "gaps" and "lost" to @status. */
void tally_put(const struct tally *tally, struct json_object *status);

#endif
