/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the node record (docs/record.md). */
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
	struct topology *topology; /* NULL: not known */
	const char *topology_error;
	bool may_wait; /* for a directory service; never in stintd itself */
};

/*
 * Builds the record of @job. Its processes must have ended, except for a query (job->queried). Sorts and shortens the
 * timeline.
 * Returns a JSON object, which the caller frees; NULL with @err set.
 */
struct json_object *node_record_build(const struct record_source *source, struct job *job, struct error *err);

/* Writes the name of the record's file to @name. Returns 0; -1 if it is too long. */
int node_record_name(const struct job *job, char *name, size_t size);

/* Returns true if an open job continues the record @name, so that the records will be joined. */
bool node_record_is_continued(const struct jobs *jobs, const char *name);

#endif
