/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/sample.h"

#include <string.h>

#include "collector/budget.h"
#include "collector/clock.h"
#include "collector/follow.h"

#define TIME_SHARE 200
#define SHOW_PAUSE_NS 100000000ull /* users who ask in a loop have stintd fork no more often */

static void raise(int64_t *peak, int64_t value)
{
	if (value > *peak)
		*peak = value;
}

void sample_memory(struct collector *c, struct job *job, struct cgroup_memory *memory)
{
	memory->used_bytes = memory->cache_bytes = -1;
	if (!job->key)
		return;
	cgroup_memory_read(&c->layout, job->cgroup.job_path, memory);
	raise(&job->sampled_peak_bytes, memory->used_bytes);
	raise(&job->swap_peak_bytes, memory->swap_bytes);
	raise(&job->charged_peak_bytes, memory->charged_peak_bytes);
	if (memory->limit_bytes >= 0)
		job->limit_bytes = memory->limit_bytes;
}

static bool is_open(const struct job *job)
{
	return job->key && !job->closing;
}

/*
 * What the totals have is read before the walk over the live threads: one that ends meanwhile is then in neither, and
 * told of the next time. Nothing is ever in both.
 */
static void read_counted(struct collector *c)
{
	struct totals totals;

	for (struct job *job = c->jobs.first; job; job = job->next) {
		job->slot = 0;
		if (!is_open(job) || programs__totals(c->programs, job->key, &totals) < 0)
			continue;
		job->slot = totals.slot;
		memcpy(job->counted, totals.use, sizeof(job->counted));
	}
}

/* What the job has used by now, in @use. */
static void add_up(const struct job *job, const struct sample *sample, __u64 use[RECORD_USES_TOLD])
{
	/* What was truncated before it was written can be more than what was written since. */
	for (int i = 0; i < RECORD_USES_TOLD; i++) {
		use[i] = job->counted[i] + sample->use[i];
		if ((int64_t)use[i] < 0)
			use[i] = 0;
	}
	use[USE_CPU] += job->before_cpu_ns;
}

static void add_sample(struct collector *c, struct job *job, const struct sample *sample,
		       const struct cgroup_memory *memory)
{
	const int64_t level[SERIES_LEVELS] = {
		[SERIES_MEMORY_USED] = memory->used_bytes,
		[SERIES_MEMORY_CACHE] = memory->cache_bytes,
		[SERIES_PROCESSES] = sample->processes,
		[SERIES_THREADS] = sample->threads,
	};
	__u64 before[RECORD_USES_TOLD], use[RECORD_USES_TOLD];
	uint64_t from_ns = job->series.end_ns, now = clock_ns(CLOCK_BOOTTIME);
	bool summary = follow_mode(c, job) == CONTROL_MODE_SUMMARY;

	memcpy(before, job->series.total, sizeof(before));
	add_up(job, sample, use);
	series_add(&job->series, now, use, level, summary ? 0 : budget_series(&c->jobs, job));
	progress_note(&job->progress, from_ns, now, before, job->series.total);
}

static void look_at(struct collector *c, struct job *job, bool walked)
{
	struct cgroup_memory memory;
	struct sample sample;

	if (!is_open(job))
		return;
	sample_memory(c, job, &memory);
	if (walked && programs__sample(c->programs, job->slot, &sample) == 0 && sample.job == job->key)
		add_sample(c, job, &sample, &memory);
}

static bool any_open(const struct collector *c)
{
	for (const struct job *job = c->jobs.first; job; job = job->next)
		if (is_open(job))
			return true;
	return false;
}

/* A single look that takes long is chance; when most do, there are fewer. */
static void pace(struct collector *c, uint64_t cost_ns)
{
	c->sample_cost_ns = (3 * c->sample_cost_ns + cost_ns) / 4;
	c->sample_after_ns = clock_ns(CLOCK_MONOTONIC) + c->sample_cost_ns * TIME_SHARE;
}

void sample_jobs(struct collector *c)
{
	uint64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	bool walked = false;
	struct error err;

	if (!any_open(c) || clock_ns(CLOCK_MONOTONIC) < c->sample_after_ns)
		return;
	if (programs__loaded(c->programs, PROGRAM_sample_tasks)) {
		read_counted(c);
		walked = programs__take_samples(c->programs, &err) == 0;
		if (!walked)
			collector_log("%s", err.text);
	}
	for (struct job *job = c->jobs.first; job; job = job->next)
		look_at(c, job, walked);
	pace(c, clock_ns(CLOCK_THREAD_CPUTIME_ID) - began);
}

bool sample_now(struct collector *c)
{
	uint64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID), cost_ns;
	struct cgroup_memory memory;
	struct sample sample;
	struct error err;
	bool walked;

	if (clock_ns(CLOCK_MONOTONIC) < c->show_after_ns)
		return false;
	read_counted(c);
	walked = programs__loaded(c->programs, PROGRAM_sample_tasks) && programs__take_samples(c->programs, &err) == 0;
	for (struct job *job = c->jobs.first; job; job = job->next) {
		job->so_far_known = is_open(job) && walked &&
				    programs__sample(c->programs, job->slot, &sample) == 0 && sample.job == job->key;
		if (job->so_far_known)
			add_up(job, &sample, job->so_far);
		if (is_open(job))
			sample_memory(c, job, &memory);
	}
	cost_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - began;
	c->show_after_ns = clock_ns(CLOCK_MONOTONIC) + SHOW_PAUSE_NS + cost_ns * TIME_SHARE;
	return true;
}
