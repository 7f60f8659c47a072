/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cores that a node's record has. */
#ifndef STINT_REPORT_CORES_H
#define STINT_REPORT_CORES_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

/*
 * Counts the cores to which the job was bound on the record's node. Returns false when they are not known.
 */
bool cores_count(struct json_object *record, int64_t *count);

/*
 * Counts the cores that the job used there. Returns false when the use of one is not known.
 */
bool cores_count_used(struct json_object *record, int64_t *used);

/*
 * Counts the cores on which its threads had a twentieth or more of the CPU time of the node's busiest core. Returns false when the use of
 * one is not known.
 */
bool cores_count_loaded(struct json_object *record, int64_t *loaded);

/*
 * As cores_count_used(), and adds the others to the list @unused. Returns false, with nothing done,
 * when the use of one is not known.
 */
bool cores_put_unused(struct json_object *record, struct json_object *unused, int64_t *used);

/*
 * Adds the cores, as the report's nodes have them, to @allocated.
 */
void cores_put(struct json_object *record, struct json_object *allocated);

/*
 * Makes text of the record's cores. The functions above then know them as before.
 */
void cores_settle(struct json_object *record);

#endif
