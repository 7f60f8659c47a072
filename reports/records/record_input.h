/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The node record (docs/record.md): written by the collector, one for each node and job. */
#ifndef STINT_RECORD_INPUT_H
#define STINT_RECORD_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "common/error.h"
#include "reports/records/numbers.h"

#define RECORD_VERSION 1
#define RECORD_BYTES_MAX (512u << 20)

/*
 * The most entries that lists of one record can have: what one node's collector writes, or slightly more.
 * docs/record.md, collector/.
 */
#define RECORD_GAPS_MAX 1024
#define RECORD_STEPS_MAX 4096
#define RECORD_TASKS_MAX 32768 /* of all steps */
#define RECORD_FILES_MAX 8192
#define RECORD_OOM_MAX 64
#define RECORD_POINTS_MAX 4096 /* of the series */
#define RECORD_STALLS_MAX 32
#define RECORD_TOOLS_MAX 2048

struct record_identity {
	uint32_t job_id;
	uint32_t attempt;
	const char *node; /* borrowed from the record */
};

/*
 * Parses a record, and checks that it has this version and identifies its job and node.
 *
 * @name: the file's name, for @err
 * @identity: filled; its texts live as long as the record
 *
 * Returns the record, to be put; NULL with @err set. errno is EPROTONOSUPPORT for a record of another version, which
 * another stint may read; otherwise the record is useless.
 */
struct json_object *record_parse(const char *data, size_t len, const char *name, struct record_identity *identity,
				 struct error *err);

/* Fills @identity from a record that record_parse() returned. Returns 0; -1 with @err and errno set as by record_parse(). */
int record_identify(struct json_object *record, const char *name, struct record_identity *identity,
		    struct error *err);

/*
 * Keeps the @max entries of the record's timeline that took longest, in their order. If there were more, a gap of the
 * record says so. So a report does not grow with the number of nodes.
 */
void record_trim_timeline(struct json_object *record, size_t max);

/* Returns true if the record says that no step of the job ran on its node, so that the job used nothing there. */
bool record_unused(struct json_object *record);

/*
 * Returns how many nodes the job began with, according to its extern step on the record's node; 0 if not known. The job
 * may have given back some of them since (scontrol update NumNodes=).
 */
int64_t record_nodes_at_start(struct json_object *record);

/* Returns the numbers of the whole job on the record's node. @room may hold them. */
const struct numbers *record_numbers(struct json_object *record, struct numbers *room);

/*
 * Returns the record's node, or "?".
 */
const char *record_node(struct json_object *record);

/*
 * Returns this machine's name for the group of the record's user; NULL: none. Valid until the next look-up of a group.
 * May ask a directory service, which can hang.
 */
const char *record_group(struct json_object *record);

#endif
