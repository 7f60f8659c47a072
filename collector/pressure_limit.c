/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/pressure_limit.h"

#include "collector/collector.h"
#include "collector/host/log.h"
#include "common/clock.h"

static uint64_t waits_of(const struct pressure *pressure)
{
	uint64_t sum = 0;

	for (int wait = WAIT_NONE + 1; wait < WAITS; wait++)
		sum += pressure->waiting[wait] / PRESSURE_WAIT;
	return sum;
}

/*
 * Returns how many CPUs may have changed the job's shared counts at the same time. This is the highest number of busy
 * threads, but never more than the CPUs that the job used.
 */
static unsigned int cpus_of(struct collector *c, const struct job *job, const struct pressure *pressure)
{
	static uint64_t ns[ABI_CPUS_MAX];
	unsigned int used;

	if (programs__cpu_uses(c->programs, job->slot, job->key, ns, ABI_CPUS_MAX) < 0)
		return 0;
	used = wait_rate_cpus(ns, ABI_CPUS_MAX);
	return used < pressure->busy_peak ? used : pressure->busy_peak;
}

static void look_at(struct collector *c, struct job *job, typeof(wait_rate_note) note)
{
	struct pressure pressure;
	struct error err;
	unsigned int cpus;

	if (programs__pressure(c->programs, job->slot, job->key, &pressure) < 0 ||
	    !note(&job->wait_rate, waits_of(&pressure), clock_ns(CLOCK_MONOTONIC), c->conf.follow_waits_per_s))
		return;
	cpus = cpus_of(c, job, &pressure);
	if (cpus <= c->conf.follow_cpus)
		return;
	if (programs__leave(c->programs, job->slot, job->key, job->wait_rate.per_s, cpus, &err) < 0)
		collector_log_user(job->about.uid, LOG_WARNING,
				   "job %u waits too often, but is still followed as a whole: %s",
				   job->about.job_id, err.text);
	else
		collector_log_user(
			job->about.uid, LOG_NOTICE,
			"job %u waits %llu times a second on %u CPUs: it is not followed as a whole any more",
			job->about.job_id, (unsigned long long)job->wait_rate.per_s, cpus);
}

void pressure_limit_jobs(struct collector *c)
{
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (job->slot && job->phase == JOB_OPEN)
			look_at(c, job, wait_rate_note);
}

void pressure_limit_rush(struct collector *c, uint64_t key)
{
	struct job *job = jobs__find_key(&c->jobs, key);

	if (job && job->slot && job->phase == JOB_OPEN)
		look_at(c, job, wait_rate_note_rush);
}
