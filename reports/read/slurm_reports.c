/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/read/slurm_reports.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/pattern.h"
#include "common/time_text.h"

#define CLOCKS_DIFFER_US (5 * US_PER_S) /* between the clocks of slurmctld and of the node; the node says when a job ended */

static uint32_t number(int64_t value)
{
	return value > 0 && value < UINT32_MAX ? (uint32_t)value : 0;
}

/*
 * Returns the path that @pattern gives the report of @job, which the caller must free.
 * NULL if there is no such file.
 * Returns NULL also if the pattern has the node's name, because such a pattern does not name a single file.
 */
static char *path_by(const char *pattern, const struct record_slurm_job *job, struct reach *reach)
{
	const struct pattern_values values = {
		.job_id = number(job->job_id),
		.array_job_id = number(job->array_job_id),
		.array_task_id = number(job->array_task_id),
		.job_name = job->name ? job->name : "",
		.user = job->user ? job->user : "",
		.node = "",
	};
	char name[PATH_MAX], *path = NULL;
	struct error err;

	if (strstr(pattern, "%N") || !job->work_dir || pattern_expand(pattern, &values, name, sizeof(name), &err) < 0)
		return NULL;
	if (asprintf(&path, "%s%s%s", *name == '/' ? "" : job->work_dir, *name == '/' ? "" : "/", name) < 0)
		return NULL;
	if (reach_look(reach, path) == 1)
		return path;
	free(path);
	return NULL;
}

char *slurm_report_path(const struct record_slurm_job *job, const struct conf *conf, struct reach *reach)
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

bool slurm_report_is_of(const struct record_slurm_job *job, int64_t id, int64_t uid, int64_t end_us)
{
	if (job->job_id < 0 || job->job_id != id)
		return false;
	if (uid >= 0 && job->user_id >= 0 && job->user_id != uid)
		return false;
	return end_us < 0 || job->submit_unix_s < 0 || end_us + CLOCKS_DIFFER_US >= job->submit_unix_s * US_PER_S;
}
