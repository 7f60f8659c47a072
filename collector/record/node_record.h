/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds the node record: everything that stintd knows about a job on this node (docs/record.md).
 */
#ifndef STINT_NODE_RECORD_H
#define STINT_NODE_RECORD_H

#include <json-c/json.h>

#include "collector/host/topology.h"
#include "collector/job/job.h"
#include "collector/kernel/programs.h"
#include "common/conf.h"

struct record_source {
	const struct conf *conf;
	struct programs *programs;
	struct topology *topology; /* NULL: hwloc could not read it */
	const char *topology_error;
	bool may_wait; /* true if the build may ask a directory service for names; false if stintd itself builds the record */
};

/*
 * Builds the record of @job. All processes of the job must have ended, unless the record answers a query
 * (job->queried). Sorts and shortens the job's timeline. Returns a JSON object, which the caller frees with
 * json_object_put(). Returns NULL with @err set on failure.
 */
struct json_object *node_record_build(const struct record_source *source, struct job *job, struct error *err);

/* Writes the file name of the job's record to @name. Returns 0; -1 if the name does not fit. */
int node_record_name(const struct job *job, char *name, size_t size);

/*
 * Returns true if an open job continues the job of the record @name. The record of the open job will then be joined
 * with the record @name.
 */
bool node_record_is_continued(const struct jobs *jobs, const char *name);

#endif
