/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The job summary of Princeton's jobstats, which reportseff, seff-array and job_defense_shield read in a job's
 * AdminComment: "JS1:" and the base64 of a gzipped, compact JSON object. The readers divide by each number, and stop at
 * a missing field. So the summary is either complete or not given: "JS1:Short" is a job that took no time, and
 * "JS1:None" is a job with an unknown value.
 */
#ifndef STINT_JS1_H
#define STINT_JS1_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "common/error.h"
#include "common/js1_form.h"
#include "reports/model/report.h"

/*
 * The summary in plain JSON, in bytes and seconds. "total_time" is wall-clock time for the job, and CPU time for a
 * node. Used memory is the peak that processes used, not the peak that the cgroup was charged with. Nodes that left no
 * record are left out.
 *
 * Returns the summary, to be put; NULL with @err set to what is not known.
 */
struct json_object *js1_summary(const struct report *report, struct error *err);

/*
 * Returns @report's summary in the form of AdminComment, to be freed: at most JS1_LENGTH_MAX bytes. The same report
 * always gives the same text. NULL if out of memory.
 */
char *js1_text(const struct report *report);

#endif
