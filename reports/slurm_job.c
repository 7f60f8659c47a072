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

/* @argv[0]: is filled in */
static struct json_object *ask(const char *argv[], unsigned int wait_ms, enum json_type type, struct error *err)
{
	cleanup_free char *answer = NULL;
	char path[PATH_MAX];
	size_t len;

	find_helper(path);
	argv[0] = path;
	answer = process_output(argv, wait_ms, ANSWER_MAX, &len, err);
	if (!answer)
		return NULL;
	return field_parse(answer, len, HELPER, type, err);
}

struct json_object *slurm_job(const char *id, struct error *err)
{
	const char *argv[] = { NULL, id, NULL };

	return ask(argv, SLURM_JOB_WAIT_MS, json_type_object, err);
}

struct json_object *slurm_job_expand(const char *node_list, struct error *err)
{
	const char *argv[] = { NULL, "--expand", node_list, NULL };

	return ask(argv, SLURM_JOB_WAIT_MS, json_type_array, err);
}

int slurm_job_comment(const char *cluster, const char *job, const char *text, struct error *err)
{
	const char *argv[] = { NULL, "--comment", cluster, job, text, NULL };
	struct json_object *answer = ask(argv, SLURM_JOB_COMMENT_WAIT_MS, json_type_boolean, err);
	int result = answer ? 0 : -1;

	json_object_put(answer);
	return result;
}
