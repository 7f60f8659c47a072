/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The node record: all that is known about a job on this node, as docs/record.md describes it. */
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
	bool may_wait; /* a directory service may be asked for names: the record is not built within stintd itself */
};

/*
 * Builds the record of @job, whose processes have all ended, unless the record answers a
 * query (job->queried). Sorts and shortens its timeline. Returns a JSON object that the
 * caller frees (json_object_put()); NULL with @err set.
 */
struct json_object *node_record_build(const struct record_source *source, struct job *job, struct error *err);

/* Writes the file name of the record into @name. Returns 0; -1 if it is too long. */
int node_record_name(const struct job *job, char *name, size_t size);

/* Whether an open job continues the record @name: its own record will be joined with that one. */
bool node_record_is_continued(const struct jobs *jobs, const char *name);

#endif
