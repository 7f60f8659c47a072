/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/read/slurm_reports.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/pattern.h"
#include "common/time_text.h"
#include "reports/json/field.h"

#define CLOCKS_DIFFER_US (5 * US_PER_S) /* between the node, which says when a job ended, and slurmctld */

static uint32_t number(struct json_object *job, const char *name)
{
	int64_t value;

	return field_count(job, name, &value) && value > 0 && value < UINT32_MAX ? (uint32_t)value : 0;
}

/*
 * Returns the path of the report of @job by @pattern, to be freed, if there is such a file; else NULL. A pattern with
 * the node's name does not name a single file.
 */
static char *path_by(const char *pattern, struct json_object *job, struct reach *reach)
{
	const struct pattern_values values = {
		.job_id = number(job, "job_id"),
		.array_job_id = number(job, "array_job_id"),
		.array_task_id = number(job, "array_task_id"),
		.job_name = field_text(job, "name") ? field_text(job, "name") : "",
		.user = field_text(job, "user") ? field_text(job, "user") : "",
		.node = "",
	};
	const char *directory = field_text(job, "work_dir");
	char name[PATH_MAX], *path = NULL;
	struct error err;

	if (strstr(pattern, "%N") || !directory || pattern_expand(pattern, &values, name, sizeof(name), &err) < 0)
		return NULL;
	if (asprintf(&path, "%s%s%s", *name == '/' ? "" : directory, *name == '/' ? "" : "/", name) < 0)
		return NULL;
	if (reach_look(reach, path) == 1)
		return path;
	free(path);
	return NULL;
}

char *slurm_report_path(struct json_object *job, const struct conf *conf, struct reach *reach)
{
	const char *const patterns[] = { conf->output, strcmp(conf->output, PATTERN_DEFAULT) == 0 ? NULL : PATTERN_DEFAULT,
					 PATTERN_LINK };
	size_t silent = reach->silent;
	char *path = NULL;

	for (size_t i = 0; !path && reach->silent == silent && i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (patterns[i])
			path = path_by(patterns[i], job, reach);
	return path;
}

bool slurm_report_is_of(struct json_object *job, int64_t id, int64_t uid, int64_t end_us)
{
	int64_t job_id, user, submit_s;

	if (!field_count(job, "job_id", &job_id) || job_id != id)
		return false;
	if (uid >= 0 && field_count(job, "user_id", &user) && user != uid)
		return false;
	return end_us < 0 || !field_count(job, "submit_unix_s", &submit_s) || end_us + CLOCKS_DIFFER_US >= submit_s * US_PER_S;
}
