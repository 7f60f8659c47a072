/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stintd and its children have counted together since stintd started, for the status file. */
#ifndef STINT_TALLY_H
#define STINT_TALLY_H

#include <stdint.h>

#include "common/json_writer.h"

#define TALLY_NAMES 64 /* of gaps and losses; there are some forty */

struct tally_count {
	uint32_t state; /* of name: 0 free, 1 being written, 2 written */
	char name[60];
	uint64_t count;
};

struct tally {
	uint64_t written; /* reports, and parts of reports, that are on the disk of their job */
	uint64_t forgotten; /* jobs whose report was given up before the spool had a record */
	struct tally_count gaps[TALLY_NAMES];
	struct tally_count lost[TALLY_NAMES];
};

/* Returns a tally that later children share; NULL if out of memory: then nothing is counted. */
struct tally *tally_open(void);

/* Each of the following accepts NULL as the tally, and then does nothing. */

void tally_add_written(struct tally *tally);
void tally_add_forgotten(struct tally *tally);

/* Adds the gaps of the node record @record, by their names, and the losses, by their kinds. */
void tally_add_record(struct tally *tally, struct json_object *record);

/* Puts "gaps" and "lost" into @status: an object each, with a count for each name. */
void tally_put(const struct tally *tally, struct json_object *status);

#endif
