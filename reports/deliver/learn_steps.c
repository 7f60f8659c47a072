/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/deliver/learn_steps.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "common/control.h"
#include "common/time_text.h"
#include "reports/slurm/slurm_job.h"

#define SHORTEST_LIMIT_NS (59 * NS_PER_S) /* a minute, minus one second, because clocks may differ */

/* Returns true if @step may have reached a limit of its own. */
static bool is_suspect(const struct record_step *step)
{
	return step->step_id >= 0 && step->step_id < STEPS_OF_SRUN && step->exit_status > 0 && step->start_unix_ns >= 0 &&
	       step->end_unix_ns >= 0 && step->end_unix_ns - step->start_unix_ns >= SHORTEST_LIMIT_NS;
}

static const struct slurm_step *find_step(const struct slurm_steps *known, int64_t id)
{
	for (size_t i = 0; i < known->count; i++)
		if (known->list[i].id == id)
			return &known->list[i];
	return NULL;
}

static size_t count_unknown(const struct writer_job *job, const struct slurm_steps *known)
{
	const struct record_step_list *steps = &job->record->steps;
	size_t unknown = 0;

	for (size_t i = 0; i < steps->count; i++)
		unknown += is_suspect(&steps->items[i]) && !find_step(known, steps->items[i].step_id);
	return unknown;
}

static void put_timed_out(struct writer_job *job, const struct slurm_steps *known)
{
	const struct record_step_list *steps = &job->record->steps;

	job->slurm->steps_timed_out = (struct report_counts){ .known = true };
	for (size_t i = 0; i < steps->count; i++) {
		const struct slurm_step *step = is_suspect(&steps->items[i]) ? find_step(known, steps->items[i].step_id) : NULL;

		if (step && step->timed_out)
			report_add_value(job->answer->memory, &job->slurm->steps_timed_out, step->id);
	}
}

/* Returns true if the job of this attempt ended by itself. If Slurm ended the job, no step ended at its own limit. */
static bool ended_by_itself(const struct writer_job *job)
{
	if (!report_text_is(job->slurm->state, "COMPLETED") && !report_text_is(job->slurm->state, "FAILED"))
		return false;
	return job->slurm->restarts < 0 || job->slurm->restarts + 1 == job->identity.attempt;
}

void learn_steps(struct writer_job *job)
{
	static const time_t pauses_s[] = { 0, 1, 2, 4 };
	const char *cluster = job->record->identity.cluster;
	struct slurm_steps steps = { 0 };
	bool answered = false;
	struct error why;

	if (!job->slurm || !cluster || !writer_leads(job) || !ended_by_itself(job) || count_unknown(job, &steps) == 0)
		return;
	for (size_t i = 0; i < sizeof(pauses_s) / sizeof(*pauses_s); i++) {
		nanosleep(&(struct timespec){ .tv_sec = pauses_s[i] }, NULL);
		free(steps.list);
		steps = (struct slurm_steps){ 0 };
		answered = slurm_job_steps(cluster, job->slurm, &steps, &why) == 0;
		if (!answered || count_unknown(job, &steps) == 0)
			break;
	}
	if (answered)
		put_timed_out(job, &steps);
	free(steps.list);
}
