/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the job script in a node record, and the parents of processes. reports/ending/parts.h does so in a report. */
#ifndef STINT_RECORD_PARTS_H
#define STINT_RECORD_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

/* Returns the step of the job script, borrowed; NULL: the job has no script, or it ran on another node. */
struct json_object *record_batch_step(struct json_object *record);

/* Returns the pid of the task of the batch step, which is the job script; -1: not known. */
int64_t record_script_pid(struct json_object *record);

/* Returns true if @parent is the parent of @entry. Both are entries of the record's timeline, and of the same step. */
bool record_is_child(struct json_object *entry, struct json_object *parent);

#endif
