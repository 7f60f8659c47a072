/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/follow/gpu_watch.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector/collector.h"

#define PROGRAM "stint-gpu"

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

/* Returns true if @pid is in the cgroup of @job, or below it. */
static bool is_of(const struct collector *c, const struct job *job, uint32_t pid)
{
	size_t length = strlen(job->cgroup.job_path);
	char path[PATH_MAX];

	return length && cgroup_of_process(&c->layout, (pid_t)pid, job->cgroup.controller, path) == 0 &&
	       strncmp(path, job->cgroup.job_path, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static void take_sample(const struct gpu_device *device, const struct gpu_sample *sample, void *data)
{
	bool owned[GPU_PROCESSES_MAX], taken[GPU_PROCESSES_MAX] = { false };
	struct collector *c = data;

	for (struct job *job = c->jobs.first; job; job = job->next) {
		if (!is_open(job))
			continue;
		memset(owned, 0, sizeof(owned));
		for (uint32_t i = 0; i < sample->processes; i++)
			if (!taken[i])
				taken[i] = owned[i] = is_of(c, job, sample->process[i].pid);
		job_gpus_add(&job->gpus, device, sample, job->opened_ns, owned);
	}
}

void gpu_watch(struct collector *c)
{
	int open = count_open(c);
	bool present = (open || c->gpus.pid) && node_has_gpus(c);

	if (!c->gpus.program[0])
		snprintf(c->gpus.program, sizeof(c->gpus.program), "%s/" PROGRAM, c->libexec_dir);
	gpu_helper_tick(&c->gpus, open && present, take_sample, c);
	if (!present)
		return;
	for (struct job *job = c->jobs.first; job; job = job->next) {
		if (!is_open(job))
			continue;
		job->gpus.watched = true;
		job->gpus.shared |= open > 1;
		if (c->gpus.why[0])
			snprintf(job->gpus.why, sizeof(job->gpus.why), "%s", c->gpus.why);
	}
}

bool gpu_watch_ended(struct collector *c, int pid, int status)
{
	return gpu_helper_ended(&c->gpus, pid, status);
}
