/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/slurm/slurm_jobs.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/process/subprocess.h"
#include "reports/json/field.h"
#include "reports/slurm/slurm_job.h"

#define ANSWER_MAX (64u << 20) /* stint-slurm-job prints 10,000 jobs at most */

void slurm_jobs_free(struct slurm_jobs *jobs)
{
	json_object_put(jobs->list);
	jobs->list = NULL;
}

/* Adds the job of one line. The last line may have the number of those that were left out. */
static int add_line(struct slurm_jobs *jobs, const char *line, size_t length, struct error *err)
{
	struct json_object *job = field_parse(line, length, SLURM_JOB_HELPER, json_type_object, err);
	int64_t left_out;

	if (!job)
		return -1;
	if (field_count(job, "left_out", &left_out)) {
		jobs->left_out = left_out;
		json_object_put(job);
	} else {
		json_object_array_add(jobs->list, job);
	}
	return 0;
}

static int read_lines(struct slurm_jobs *jobs, const char *text, struct error *err)
{
	jobs->list = json_object_new_array();
	for (const char *line = text; *line;) {
		size_t length = strcspn(line, "\n");

		length += line[length] == '\n';
		if (add_line(jobs, line, length, err) < 0) {
			slurm_jobs_free(jobs);
			return -1;
		}
		line += length;
	}
	return 0;
}

static int ask(const char *whom, const struct slurm_jobs_question *question, struct slurm_jobs *jobs, struct error *err)
{
	char path[PATH_MAX], since[24], until[24], uid[24] = "-";
	const char *argv[] = { path, "--jobs", whom, since, until, uid, NULL };
	cleanup_free char *answer = NULL;

	if (slurm_job_helper(path, err) < 0)
		return -1;
	snprintf(since, sizeof(since), "%" PRId64, question->since_s);
	snprintf(until, sizeof(until), "%" PRId64, question->until_s);
	if (question->uid != SLURM_JOBS_EVERYBODY)
		snprintf(uid, sizeof(uid), "%" PRId64, question->uid);
	answer = subprocess_output(argv, SLURM_JOBS_WAIT_MS, ANSWER_MAX, NULL, err);
	return answer ? read_lines(jobs, answer, err) : -1;
}

int slurm_jobs_ask(const struct slurm_jobs_question *question, struct slurm_jobs *jobs, struct error *err)
{
	memset(jobs, 0, sizeof(*jobs));
	if (ask("accounting", question, jobs, &jobs->why) == 0)
		return 0;
	jobs->of_controller = true;
	return ask("controller", question, jobs, err);
}
