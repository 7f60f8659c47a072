/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/slurm/slurm_ended.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "common/process/subprocess.h"
#include "reports/slurm/slurm_job.h"

#define ANSWER_MAX (256u << 20)
#define WAIT_MS 630000 /* longer than stint-slurm-job waits for slurmdbd */

static char *ask(const char *argv[], struct error *err)
{
	char path[PATH_MAX];

	if (slurm_job_helper(path, err) < 0)
		return NULL;
	argv[0] = path;
	return subprocess_output(argv, WAIT_MS, ANSWER_MAX, NULL, err);
}

char *slurm_ended(const char *cluster, int64_t since_s, int64_t until_s, struct error *err)
{
	char since[24], until[24];
	const char *argv[] = { NULL, "--ended", cluster ? cluster : "-", since, until, NULL };

	snprintf(since, sizeof(since), "%" PRId64, since_s);
	snprintf(until, sizeof(until), "%" PRId64, until_s);
	return ask(argv, err);
}

char *slurm_people(struct error *err)
{
	const char *argv[] = { NULL, "--people", NULL };

	return ask(argv, err);
}
