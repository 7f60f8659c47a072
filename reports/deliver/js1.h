/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the job summary of Princeton's jobstats. The tools reportseff, seff-array and job_defense_shield read this
 * summary in a job's AdminComment. It is "JS1:" followed by the base64 of a gzipped, compact JSON object.
 *
 * These tools divide by each number, and stop if a field is missing. So the summary is either complete or left out. A
 * job that took no time gets "JS1:Short" instead, and a job with an unknown value gets "JS1:None".
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
 * Makes the summary in plain JSON, in bytes and seconds. "total_time" is wall-clock time for the job, and CPU time for
 * a node. Used memory is the peak that processes used, not the peak that the cgroup was charged with. Nodes that left
 * no record are left out.
 *
 * Returns the summary, which the caller must release by json_object_put(). If a value is not known, returns NULL with
 * @err set to a text that says which one.
 */
struct json_object *js1_summary(const struct report *report, struct error *err);

/*
 * Returns @report's summary in the form of AdminComment, which has at most JS1_LENGTH_MAX bytes. The caller must free
 * it. The same report always gives the same text. Returns NULL if out of memory.
 */
char *js1_text(const struct report *report);

#endif
