/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/slurm_job.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "collector/common/cleanup.h"
#include "reports/field.h"
#include "reports/process.h"

#define HELPER "stint-slurm-job"
#define ANSWER_MAX (1u << 20)

static void find_helper(char path[PATH_MAX])
{
	const char *directory = secure_getenv("STINT_LIBEXEC");

	snprintf(path, PATH_MAX, "%s/" HELPER, directory ? directory : LIBEXECDIR);
}

static struct json_object *ask(const char *first, const char *second, enum json_type type, struct error *err)
{
	char path[PATH_MAX];
	const char *argv[] = { path, first, second, NULL };
	cleanup_free char *answer = NULL;
	size_t len;

	find_helper(path);
	answer = process_output(argv, SLURM_JOB_WAIT_MS, ANSWER_MAX, &len, err);
	if (!answer)
		return NULL;
	return field_parse(answer, len, HELPER, type, err);
}

struct json_object *slurm_job(const char *id, struct error *err)
{
	return ask(id, NULL, json_type_object, err);
}

struct json_object *slurm_job_expand(const char *node_list, struct error *err)
{
	return ask("--expand", node_list, json_type_array, err);
}
