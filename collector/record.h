/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The node record: all that is known of a closed job on this node, as docs/record.md describes it. */
#ifndef STINT_NODE_RECORD_H
#define STINT_NODE_RECORD_H

#include <json-c/json.h>

#include "collector/common/conf.h"
#include "collector/job.h"
#include "collector/programs.h"
#include "collector/topology.h"

struct record_source {
	const struct conf *conf;
	struct programs *programs;
	struct topology *topology; /* NULL: hwloc could not read it */
	const char *topology_error;
};

/*
 * Builds the record of @job, whose processes have all ended. Sorts and shortens
 * its timeline. Returns a JSON object to be put by the caller; NULL with @err set.
 */
struct json_object *record_build(const struct record_source *source, struct job *job, struct error *err);

/*
 * Writes the file name of the record into @name. Returns 0; -1 when it is too long.
 */
int record_name(const struct job *job, char *name, size_t size);

#endif
