/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the job summary of Princeton's jobstats: "JS1:" and the base64 of gzipped, compact JSON. reportseff, seff-array
 * and job_defense_shield read it in AdminComment.
 *
 * These tools fail if a number is missing. So a job that took no time gets "JS1:Short", and a job with an unknown value
 * gets "JS1:None".
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
 * Makes the summary as JSON, in bytes and seconds. "total_time" is wall-clock time for the job, and CPU time for a
 * node. Used memory is the memory of the processes. Nodes without a record are left out. If the job had whole GPUs and
 * the use of all of them is known, the nodes have these; otherwise "gpus" is 0.
 *
 * Returns the summary, for json_object_put(); NULL with @err set to the unknown value.
 */
struct json_object *js1_summary(const struct report *report, struct error *err);

/*
 * Returns the summary as in AdminComment, at most JS1_LENGTH_MAX bytes, which the caller frees; NULL if out of memory.
 * A report always has the same text.
 */
char *js1_text(const struct report *report);

#endif
