/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The job summary of Princeton's jobstats, which reportseff, seff-array and job_defense_shield read in a
 * job's AdminComment: "JS1:" and the base64 of a gzipped, compact JSON object, of which the readers divide
 * by each number, and stop at a field that is absent. So it is told whole or not at all: "JS1:Short" is a
 * job that took no time, "JS1:None" one of which something is not known.
 */
#ifndef STINT_JS1_H
#define STINT_JS1_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "collector/common/error.h"

#define JS1_NONE "JS1:None"
#define JS1_SHORT "JS1:Short"
#define JS1_LENGTH_MAX 60000 /* slurmdbd keeps 65,535 bytes of an AdminComment */

/*
 * The summary as it is in plain JSON: bytes and seconds; "total_time" is wall-clock time, that of a node CPU
 * time. Used memory is the peak of what processes used and not of what the cgroup was charged with. Nodes that left
 * no record are left out.
 *
 * Returns it, to be put; NULL with @err saying what is not known.
 */
struct json_object *js1_summary(struct json_object *report, struct error *err);

/*
 * Returns @report's summary as it stands in AdminComment, to be freed: at most JS1_LENGTH_MAX bytes, the same for
 * the same report. NULL when memory is short.
 */
char *js1_text(struct json_object *report);

/*
 * Whether @text is such a comment: what somebody else wrote is looked at before it is passed on.
 */
bool js1_valid(const char *text);

/*
 * Whether @comment, an AdminComment that stands there, may be replaced: it is empty (or NULL), or a summary.
 */
bool js1_may_replace(const char *comment);

#endif
