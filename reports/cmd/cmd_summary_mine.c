/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/cmd/cmd_summary_mine.h"

#include <inttypes.h>
#include <unistd.h>

#include "common/time_text.h"
#include "reports/read/find_messages.h"
#include "reports/site/slurm_summary.h"
#include "reports/slurm/slurm_jobs.h"

static void say_what_is_missing(const struct jobs_summary *summary, const struct slurm_jobs *jobs)
{
	if (jobs->of_controller)
		fprintf(stderr, "%s: only jobs that slurmctld still remembers: accounting does not answer\n", summary->who);
	if (jobs->left_out)
		fprintf(stderr, "%s: %" PRId64 " older jobs are left out, because Slurm cannot list so many at once: choose a shorter "
					       "time to see all of its jobs\n",
			summary->who, jobs->left_out);
}

int summary_mine(struct jobs_summary *summary, const struct conf *conf, int64_t now_us, struct error *err)
{
	int64_t until_us = summary->period.until_us ? summary->period.until_us : now_us;
	const struct slurm_jobs_question question = {
		.since_s = summary->previous.since_us > 0 ? summary->previous.since_us / US_PER_S : 0,
		.until_s = until_us / US_PER_S + 1,
		.uid = getuid(),
	};
	struct reach reach = REACH_NONE;
	struct slurm_jobs jobs;
	int result;

	if (slurm_jobs_ask(&question, &jobs, err) < 0)
		return -1;
	say_what_is_missing(summary, &jobs);
	result = slurm_summary_add(summary, &jobs.answer->jobs, conf, isatty(STDERR_FILENO), &reach, err);
	if (reach.silent)
		find_say_silent(summary->who, &reach);
	summary->damaged += reach.silent;
	reach_end(&reach);
	slurm_jobs_free(&jobs);
	return result;
}
