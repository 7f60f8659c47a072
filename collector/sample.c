/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/sample.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "collector/host/loop.h"
#include "collector/job/job_budget.h"
#include "collector/share_tables.h"
#include "common/cleanup.h"
#include "common/clock.h"

#define TIME_SHARE 200
#define OLD_CPU_NS 1000000000ull /* Slurm's processes use less before stintd knows of a new job */
#define QUERY_PAUSE_NS 100000000ull /* shortest time between two walks for queries */
#define QUERY_WAIT_NS 1000000000ull /* longest wait for a walk; stint retries for 2 s */

struct slab_source {
	struct programs *programs;
	int cgroup_fd;
};

static int64_t slab_bytes(void *data)
{
	const struct slab_source *source = data;

	return source->cgroup_fd < 0 ? -1 : programs__slab_bytes(source->programs, source->cgroup_fd);
}

static void read_memory(const struct collector *c, const char *path, struct cgroup_memory *memory)
{
	bool known = programs__loaded(c->programs, PROGRAM_memory_slab);
	cleanup_close int cgroup = known ? cgroup_open(&c->layout, "memory", path) : -1;
	struct slab_source source = { c->programs, cgroup };
	const struct cgroup_slabs slabs = { slab_bytes, &source };

	cgroup_memory_read(&c->layout, path, known ? &slabs : NULL, memory);
}

void sample_memory(struct collector *c, struct job *job, struct cgroup_memory *memory)
{
	memory->used_bytes = memory->cache_bytes = -1;
	if (!job->key)
		return;
	read_memory(c, job->cgroup.job_path, memory);
	memory_peaks_note(&job->memory, memory);
}

static bool is_open(const struct job *job)
{
	return job->key && job->phase == JOB_OPEN;
}

static uint32_t count_open_steps(const struct collector *c)
{
	uint32_t count = 0;

	for (const struct job *job = c->jobs.first; job; job = job->next)
		for (uint32_t i = 0; is_open(job) && i < job->step_count; i++)
			count += job_step__is_open(&job->steps[i]);
	return count;
}

void sample_step(const struct collector *c, const struct job *job, struct job_step *step)
{
	char path[PATH_MAX + NAME_MAX + 1];
	struct cgroup_memory memory;

	snprintf(path, sizeof(path), "%s/%s", job->cgroup.job_path, step->directory);
	read_memory(c, path, &memory);
	memory_peaks_note(&step->memory, &memory);
}

/* Reads one open step. Returns false if no step is left in this turn of sample_steps(). */
static bool read_next_step(struct collector *c)
{
	struct sampling *s = &c->sampling;

	for (; s->job; s->job = s->job->next, s->step = 0)
		while (is_open(s->job) && s->step < s->job->step_count) {
			struct job_step *step = &s->job->steps[s->step++];

			if (!job_step__is_open(step))
				continue;
			if ((s->at_step++ + s->open_steps - s->first_step) % s->open_steps < SAMPLE_STEPS_MAX) {
				sample_step(c, s->job, step);
				return true;
			}
			s->job->steps_left_out = true;
		}
	return false;
}

void sample_steps(struct collector *c)
{
	struct sampling *s = &c->sampling;

	s->job = c->jobs.first;
	s->step = s->at_step = 0;
	s->open_steps = count_open_steps(c);
	s->first_step = s->open_steps ? c->steps_turn % s->open_steps : 0;
	loop_in_pieces(c->loop, read_next_step);
	c->steps_turn = s->first_step + SAMPLE_STEPS_MAX;
}

/*
 * Reads the totals before the walk. A thread that ends in between is missing in this sample, but never counted twice.
 */
static void read_counted(struct collector *c)
{
	struct totals totals;

	for (struct job *job = c->jobs.first; job; job = job->next) {
		job->slot = 0;
		if (!is_open(job) || programs__totals(c->programs, job->key, &totals) < 0)
			continue;
		job->slot = totals.slot;
		job->user_threads = totals.threads;
		job->started = totals.processes;
		memcpy(job->counted, totals.use, sizeof(job->counted));
	}
}

static void add_up(const struct job *job, const struct sample *sample, __u64 use[ABI_USES_SENT])
{
	/*
	 * A sum can be negative: if bytes are truncated before they are written out, the kernel programs subtract them.
	 */
	for (int i = 0; i < ABI_USES_SENT; i++) {
		use[i] = job->counted[i] + sample->use[i];
		if ((int64_t)use[i] < 0)
			use[i] = 0;
	}
	use[USE_CPU] += job->counting.before_cpu_ns;
}

void sample_add_to_node(struct collector *c, struct job *job, const __u64 use[ABI_USES_SENT], uint64_t processes)
{
	__u64 now[ABI_USES_SENT];

	memcpy(now, use, sizeof(now));
	if (job->counting.before_cpu_ns > OLD_CPU_NS)
		now[USE_CPU] -= job->counting.before_cpu_ns;
	node_sums_add(&c->sums, &job->part, now, processes);
}

static void keep_so_far(struct collector *c, struct job *job, const struct sample *sample)
{
	add_up(job, sample, job->so_far);
	sample_add_to_node(c, job, job->so_far, job->started);
	job->so_far_ns = clock_ns(CLOCK_BOOTTIME);
	job->so_far_known = true;
}

static void note_huge_pages(struct job *job, const struct sample *sample)
{
	int64_t bytes = (int64_t)sample->huge_bytes;

	if (bytes > job->memory.huge_bytes)
		job->memory.huge_bytes = bytes;
}

/* Memory that was not read since the last sample keeps its value. */
static void note_latest(struct job *job, const int64_t level[SERIES_LEVELS])
{
	for (int i = 0; i < SERIES_LEVELS; i++)
		if (!job->latest_known || level[i] != SERIES_UNKNOWN)
			job->latest[i] = level[i];
	job->latest_known = true;
}

/*
 * Uses the highest memory values since the last sample, because stintd reads memory more often than it samples threads.
 */
static void add_sample(struct collector *c, struct job *job, const struct sample *sample)
{
	const int64_t level[SERIES_LEVELS] = {
		[SERIES_MEMORY_USED] = job->was_read ? job->highest.used_bytes : SERIES_UNKNOWN,
		[SERIES_MEMORY_CACHE] = job->was_read ? job->highest.cache_bytes : SERIES_UNKNOWN,
		[SERIES_PROCESSES] = sample->processes,
		[SERIES_THREADS] = sample->threads,
	};
	uint64_t from_ns = job->series.end_ns;
	bool summary = job_mode(job, c->conf.mode) == CONTROL_MODE_SUMMARY;
	__u64 before[ABI_USES_SENT];

	memcpy(before, job->series.total, sizeof(before));
	series_add(&job->series, job->so_far_ns, job->so_far, level, summary ? 0 : budget_series(&c->jobs, job));
	progress_note(&job->progress, from_ns, job->so_far_ns, before, job->series.total);
	note_latest(job, level);
	job->was_read = false;
}

static void note_highest(struct job *job, const struct cgroup_memory *memory)
{
	struct cgroup_memory *highest = &job->highest;

	if (!job->was_read)
		*highest = *memory;
	job->was_read = true;
	if (memory->used_bytes > highest->used_bytes)
		highest->used_bytes = memory->used_bytes;
	if (memory->cache_bytes > highest->cache_bytes)
		highest->cache_bytes = memory->cache_bytes;
}

static bool any_open(const struct collector *c)
{
	for (const struct job *job = c->jobs.first; job; job = job->next)
		if (is_open(job))
			return true;
	return false;
}

static bool is_due(const struct pace *pace)
{
	return clock_ns(CLOCK_MONOTONIC) >= pace->after_ns;
}

/* Uses the mean cost, because one slow time may be chance. @began: CLOCK_THREAD_CPUTIME_ID */
static void set_next(struct pace *pace, uint64_t began)
{
	pace->cost_ns = (3 * pace->cost_ns + clock_ns(CLOCK_THREAD_CPUTIME_ID) - began) / 4;
	pace->after_ns = clock_ns(CLOCK_MONOTONIC) + pace->cost_ns * TIME_SHARE;
}

static struct job *read_next(struct collector *c, struct cgroup_memory *memory)
{
	struct sampling *s = &c->sampling;
	struct job *job;

	while (s->job && !is_open(s->job))
		s->job = s->job->next;
	job = s->job;
	if (!job)
		return NULL;
	sample_memory(c, job, memory);
	s->job = job->next;
	return job;
}

static bool read_next_job(struct collector *c)
{
	struct cgroup_memory memory;
	struct job *job = read_next(c, &memory);

	if (job)
		note_highest(job, &memory);
	return job;
}

static bool share(struct collector *c)
{
	share_tables(c, NULL);
	return false;
}

static void read_memories(struct collector *c)
{
	uint64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	if (!is_due(&c->readings))
		return;
	c->sampling.job = c->jobs.first;
	loop_in_pieces(c->loop, read_next_job);
	sample_steps(c);
	loop_in_pieces(c->loop, share);
	set_next(&c->readings, began);
}

static bool begin_walk(struct collector *c)
{
	struct sampling *s = &c->sampling;

	s->walk = programs__samples_begin(c->programs, &s->err);
	return false;
}

static bool walk_on(struct collector *c)
{
	struct sampling *s = &c->sampling;
	int more = programs__samples_go_on(s->walk, &s->err);

	s->walked = more == 0;
	return more > 0;
}

static bool walk_all(struct collector *c)
{
	struct sampling *s = &c->sampling;

	s->walked = false;
	loop_in_pieces(c->loop, begin_walk);
	if (s->walk >= 0)
		loop_in_pieces(c->loop, walk_on);
	return s->walked;
}

static bool was_walked(const struct collector *c, const struct job *job, struct sample *sample)
{
	return is_open(job) && programs__sample(c->programs, job->slot, sample) == 0 && sample->job == job->key;
}

static void leave_out(struct collector *c)
{
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (is_open(job))
			series_leave_out(&job->series);
}

/*
 * Walks over all threads, if a walk is due. Walks and readings of memory have separate limits: many threads of one user
 * must not delay the readings.
 */
static void walk(struct collector *c)
{
	uint64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	struct sample sample;

	if (!programs__loaded(c->programs, PROGRAM_sample_tasks))
		return;
	if (!is_due(&c->walks)) {
		leave_out(c);
		return;
	}
	read_counted(c);
	if (!walk_all(c))
		collector_log(LOG_WARNING, "cannot sample the jobs: %s", c->sampling.err.text);
	else
		for (struct job *job = c->jobs.first; job; job = job->next)
			if (was_walked(c, job, &sample)) {
				keep_so_far(c, job, &sample);
				note_huge_pages(job, &sample);
				add_sample(c, job, &sample);
			}
	set_next(&c->walks, began);
}

void sample_jobs(struct collector *c)
{
	if (!any_open(c))
		return;
	read_memories(c);
	walk(c);
}

/* Makes a query use the data of the last walk. Returns true if the caller should not wait for the next walk. */
static bool answer_by_last(struct collector *c)
{
	for (struct job *job = c->jobs.first; job; job = job->next)
		job->so_far_old = true;
	return c->query_after_ns > clock_ns(CLOCK_MONOTONIC) + QUERY_WAIT_NS;
}

static bool read_next_peak(struct collector *c)
{
	struct cgroup_memory memory;

	return read_next(c, &memory);
}

bool sample_now(struct collector *c)
{
	uint64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID), cost_ns;
	struct sample sample;
	bool walked;

	if (clock_ns(CLOCK_MONOTONIC) < c->query_after_ns)
		return answer_by_last(c);
	read_counted(c);
	walked = programs__loaded(c->programs, PROGRAM_sample_tasks) && walk_all(c);
	for (struct job *job = c->jobs.first; job; job = job->next) {
		job->so_far_known = job->so_far_old = false;
		if (walked && was_walked(c, job, &sample)) {
			keep_so_far(c, job, &sample);
			note_huge_pages(job, &sample);
		}
	}
	c->sampling.job = c->jobs.first;
	loop_in_pieces(c->loop, read_next_peak);
	sample_steps(c);
	cost_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - began;
	c->query_after_ns = clock_ns(CLOCK_MONOTONIC) + QUERY_PAUSE_NS + cost_ns * TIME_SHARE;
	return true;
}
