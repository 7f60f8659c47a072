/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of stintd and all its children since stintd started, for the status file. */
#ifndef STINT_TALLY_H
#define STINT_TALLY_H

#include <stdint.h>

#include "common/json_writer.h"

#define TALLY_NAMES 64 /* the most names of gaps or losses; there are about forty */

struct tally_count {
	uint32_t state; /* of name; 0: free, 1: being written, 2: written */
	char name[60];
	uint64_t count;
};

struct tally {
	uint64_t written; /* reports, and parts of reports, that are on disk in their job's directory */
	uint64_t forgotten; /* jobs whose report was given up before their record was spooled */
	struct tally_count gaps[TALLY_NAMES];
	struct tally_count lost[TALLY_NAMES];
};

/* Returns a tally that later children share. NULL if out of memory: then nothing is counted. */
struct tally *tally_open(void);

/* All functions below accept NULL as the tally, and then do nothing. */

void tally_add_written(struct tally *tally);
void tally_add_forgotten(struct tally *tally);

/* Counts the gaps of the node record @record by their names, and its losses by their kinds. */
void tally_add_record(struct tally *tally, struct json_object *record);

/* Adds "gaps" and "lost" to @status: two objects, each with a count for each name. */
void tally_put(const struct tally *tally, struct json_object *status);

#endif
