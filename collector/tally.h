/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts for the status file what stintd and all its children have done since stintd started.
 */
#ifndef STINT_TALLY_H
#define STINT_TALLY_H

#include <stdint.h>

#include "common/json_writer.h"

#define TALLY_NAMES 64 /* the most names of gaps or losses; there are about forty */

struct tally_count {
	uint32_t state; /* state of the member name; 0: free, 1: being written, 2: written */
	char name[60];
	uint64_t count;
};

struct tally {
	uint64_t written; /* reports, and parts of reports, that are on disk in their job's directory */
	uint64_t forgotten; /* jobs whose report was given up before their record was in the spool */
	struct tally_count gaps[TALLY_NAMES];
	struct tally_count lost[TALLY_NAMES];
};

/* Returns a tally that children forked later share. Returns NULL if out of memory, and then nothing is counted. */
struct tally *tally_open(void);

/* The functions below do nothing if the tally is NULL. */

void tally_add_written(struct tally *tally);
void tally_add_forgotten(struct tally *tally);

/* Counts the gaps of the node record @record by name, and its losses by kind. */
void tally_add_record(struct tally *tally, struct json_object *record);

/* Adds two objects to @status, "gaps" and "lost". Each object has a count for each name. */
void tally_put(const struct tally *tally, struct json_object *status);

#endif
