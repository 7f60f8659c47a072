/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/slurm/slurm_jobs.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/process/subprocess.h"
#include "reports/slurm/slurm_job.h"

#define ANSWER_MAX (64u << 20) /* stint-slurm-job prints at most 10,000 jobs */

void slurm_jobs_free(struct slurm_jobs *jobs)
{
	slurm_answer_free(jobs->answer);
	jobs->answer = NULL;
}

struct slurm_answer *slurm_jobs_read(char *text, const char *name, struct error *err)
{
	size_t len = strlen(text);
	char *list = realloc(text, len + sizeof("[]"));

	if (!list) {
		free(text);
		error_set(err, "%s: out of memory", name);
		return NULL;
	}
	/* JSON escapes a newline within a string, so each newline ends an object. */
	len -= len && list[len - 1] == '\n';
	memmove(list + 1, list, len);
	list[0] = '[';
	strcpy(list + 1 + len, "]");
	for (char *at = list; (at = strchr(at, '\n'));)
		*at = ',';
	return slurm_answer_read(list, len + strlen("[]"), name, err);
}

static void take_left_out(struct slurm_jobs *jobs)
{
	struct record_slurm_job_list *list = &jobs->answer->jobs;

	if (list->count && take_count(list->items[list->count - 1].left_out, &jobs->left_out))
		list->count--;
}

static int ask(const char *whom, const struct slurm_jobs_question *question, struct slurm_jobs *jobs, struct error *err)
{
	char path[PATH_MAX], since[24], until[24], uid[24] = "-";
	const char *argv[] = { path, "--jobs", whom, since, until, uid, NULL };
	char *answer;

	if (slurm_job_helper(path, err) < 0)
		return -1;
	snprintf(since, sizeof(since), "%" PRId64, question->since_s);
	snprintf(until, sizeof(until), "%" PRId64, question->until_s);
	if (question->uid != SLURM_JOBS_EVERYBODY)
		snprintf(uid, sizeof(uid), "%" PRId64, question->uid);
	answer = subprocess_output(argv, SLURM_JOBS_WAIT_MS, ANSWER_MAX, NULL, err);
	jobs->answer = answer ? slurm_jobs_read(answer, SLURM_JOB_HELPER, err) : NULL;
	if (!jobs->answer)
		return -1;
	take_left_out(jobs);
	return 0;
}

int slurm_jobs_ask(const struct slurm_jobs_question *question, struct slurm_jobs *jobs, struct error *err)
{
	memset(jobs, 0, sizeof(*jobs));
	if (ask("accounting", question, jobs, &jobs->why) == 0)
		return 0;
	jobs->of_controller = true;
	return ask("controller", question, jobs, err);
}
