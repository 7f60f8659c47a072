/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The node record, docs/record.md: what the collector hands over, one a node and job. */
#ifndef STINT_RECORD_H
#define STINT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "collector/common/error.h"

#define RECORD_VERSION 1
#define RECORD_BYTES_MAX (512u << 20)

struct record_identity {
	uint32_t job_id;
	uint32_t attempt;
	const char *node; /* borrowed from the record */
};

/*
 * Parses a record and checks that it is of this version and says whose it is.
 *
 * @name: of the file, for the error
 * @identity: filled; its texts live as long as the record
 *
 * Returns the record, to be put; NULL with @err set: errno is EPROTONOSUPPORT when it is of another version, which
 * another stint may read, and else of no use to anyone.
 */
struct json_object *record_parse(const char *data, size_t len, const char *name, struct record_identity *identity,
				 struct error *err);

/*
 * Fills @identity of a record that record_parse() once took. Returns 0; -1
 * with @err and errno set as by record_parse().
 */
int record_identify(struct json_object *record, const char *name, struct record_identity *identity,
		    struct error *err);

/*
 * Keeps the @max entries of the record's timeline that took longest, in their
 * order, and says so in its gaps when there were more: what a report holds
 * must not grow with the number of nodes.
 */
void record_trim_timeline(struct json_object *record, size_t max);

/*
 * Returns true when no step of the job ran on the record's node: it used nothing, which is known.
 */
bool record_unused(struct json_object *record);

/*
 * Returns the record's node, or "?".
 */
const char *record_node(struct json_object *record);

#endif
