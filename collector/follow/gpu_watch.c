/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/gpu_watch.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector/collector.h"
#include "common/clock.h"

#define PROGRAM "stint-gpu"
#define LATE_NS 5000000000ull /* stintd sees a new job within 1 s */
#define WHY_LATE "stintd was restarted, or the driver was loaded later; what was read before is lost"

static bool is_open(const struct job *job)
{
	return job->key && job->phase == JOB_OPEN && job->opened_ns;
}

static int count_open(const struct collector *c)
{
	int count = 0;

	for (const struct job *job = c->jobs.first; job; job = job->next)
		count += is_open(job);
	return count;
}

/* Counts the jobs whose processes may live. */
static int count_running(const struct collector *c)
{
	int count = 0;

	for (const struct job *job = c->jobs.first; job; job = job->next)
		count += job->phase == JOB_OPEN || job->phase == JOB_ENDING;
	return count;
}

static bool node_has_gpus(const struct collector *c)
{
	static const char *const names[] = { "nvidiactl", "kfd" };
	char path[PATH_MAX + 16];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", c->dev_dir, names[i]);
		if (access(path, F_OK) == 0)
			return true;
	}
	return false;
}

/* Returns true if @path is the cgroup of @job, or below it. */
static bool is_in(const struct job *job, const char *path)
{
	size_t length = strlen(job->cgroup.job_path);

	return length && strncmp(path, job->cgroup.job_path, length) == 0 &&
	       (path[length] == '/' || path[length] == '\0');
}

/* Returns the job of the process @pid; NULL if it is no open job's. Reads the process's cgroup once for all jobs of a hierarchy. */
static const struct job *find_owner(const struct collector *c, uint32_t pid)
{
	const char *controller = NULL;
	char path[PATH_MAX];
	bool known = false;

	for (const struct job *job = c->jobs.first; job; job = job->next) {
		if (!is_open(job))
			continue;
		if (!controller || strcmp(controller, job->cgroup.controller) != 0) {
			controller = job->cgroup.controller;
			known = cgroup_of_process(&c->layout, (pid_t)pid, controller, path) == 0;
		}
		if (known && is_in(job, path))
			return job;
	}
	return NULL;
}

static void add_to_node(struct collector *c, const struct gpu_device *device, const struct gpu_sample *sample)
{
	uint64_t ns = sample->to_ns > sample->from_ns ? sample->to_ns - sample->from_ns : 0;
	uint64_t busy;

	if (gpu_helper_is_divided(&c->gpus, device) || !gpu_number_get(&sample->values[GPU_BUSY], &busy))
		return;
	c->sums.gpu_known_ns += ns;
	c->sums.gpu_busy_ns += busy * (ns / 1000) / (GPU_SHARE_ALL / 1000);
}

static void take_sample(const struct gpu_device *device, const struct gpu_sample *sample, void *data)
{
	const struct job *owners[GPU_PROCESSES_MAX];
	bool owned[GPU_PROCESSES_MAX];
	struct collector *c = data;
	bool known = true;

	add_to_node(c, device, sample);
	for (uint32_t i = 0; i < sample->processes; i++) {
		owners[i] = find_owner(c, sample->process[i].pid);
		known = known && owners[i];
	}
	for (struct job *job = c->jobs.first; job; job = job->next) {
		if (!is_open(job))
			continue;
		for (uint32_t i = 0; i < sample->processes; i++)
			owned[i] = owners[i] == job;
		job_gpus_add(&job->gpus, device, sample, job->opened_ns, owned, known);
	}
}

static void watch_job(struct collector *c, struct job *job, bool alone, uint64_t now_ns)
{
	struct job_gpus *gpus = &job->gpus;

	if (!c->conf.gpus) {
		job_gpus_miss(gpus, "gpus = off in stint.conf");
		return;
	}
	if (!gpus->watched && now_ns > job->opened_ns + LATE_NS)
		job_gpus_miss(gpus, WHY_LATE);
	gpus->watched = true;
	gpus->shared |= !alone;
	if (c->gpus.why[0])
		job_gpus_miss(gpus, c->gpus.why);
}

void gpu_watch(struct collector *c)
{
	uint64_t now_ns = clock_ns(CLOCK_BOOTTIME);
	bool alone;
	int open = count_open(c);
	bool present = (open || c->gpus.pid) && node_has_gpus(c);

	if (!c->gpus.program[0])
		snprintf(c->gpus.program, sizeof(c->gpus.program), "%s/" PROGRAM, c->libexec_dir);
	gpu_helper_tick(&c->gpus, open && present && c->conf.gpus, take_sample, c);
	if (!present)
		return;
	alone = count_running(c) == 1;
	for (struct job *job = c->jobs.first; job; job = job->next)
		if (is_open(job))
			watch_job(c, job, alone, now_ns);
}

void gpu_watch_closed(struct collector *c)
{
	if (!count_open(c))
		gpu_helper_stop(&c->gpus);
}

bool gpu_watch_ended(struct collector *c, int pid, int status)
{
	return gpu_helper_ended(&c->gpus, pid, status);
}
