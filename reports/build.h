/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report of a job, made of its node records and of what Slurm says of it.
 * Pure: it reads no file, no clock and no account database.
 */
#ifndef STINT_BUILD_H
#define STINT_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "reports/rules.h"

#define REPORT_SCHEMA "stint-report/1"

struct build_missing {
	const char *node;
	const char *reason; /* one line */
};

struct build_input {
	struct json_object *const *records; /* as record_parse() took them, the leading node's first; one at least */
	size_t record_count;
	const struct build_missing *missing; /* nodes without a record */
	size_t missing_count;
	struct json_object *slurm; /* what stint-slurm-job said, or NULL */
	const char *slurm_reason;  /* why @slurm is NULL, one line */
	const char *group;         /* name of the job's group, or NULL */
	const struct rules *rules; /* the site's thresholds; NULL: the defaults */
	int64_t now_unix_ns;       /* an end that Slurm foretells is told from one that was */
};

/*
 * Returns the report, to be put; NULL when memory is short. A value that is not known is
 * absent, and stands in the report's gaps with the reason.
 */
struct json_object *build_report(const struct build_input *input);

#endif
