/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands in the kernel programs' maps: settings, totals, samples, tools, files, the ring. */
#include "collector/programs_own.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collector/cgroup.h"

#define SCANS_MAX 4 /* walks for one scan, when forks are under way */

int programs__write_settings(struct programs *p, struct error *err)
{
	__u32 zero = 0;

	if (bpf_map_update_elem(p->maps[SETTINGS], &zero, &p->settings, BPF_ANY) < 0)
		return error_errno(err, "the kernel programs' settings");
	return 0;
}

int programs__begin_walk(int program_fd, struct error *err)
{
	int link = bpf_link_create(program_fd, 0, BPF_TRACE_ITER, NULL);
	int iterator;

	if (link < 0)
		return error_errno(err, "a look through the kernel's tables");
	iterator = bpf_iter_create(link);
	close(link);
	return iterator < 0 ? error_errno(err, "a look through the kernel's tables") : iterator;
}

/* *@told: bytes that the program has written */
static int iterate(int program_fd, size_t *told, struct error *err)
{
	int iterator = programs__begin_walk(program_fd, err), n;
	char buffer[256];

	if (iterator < 0)
		return -1;
	*told = 0;
	while ((n = read(iterator, buffer, sizeof(buffer))) > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		*told += n > 0 ? n : 0;
	close(iterator);
	return n < 0 ? error_errno(err, "a look through the kernel's tables") : 0;
}

int programs__iterate(int program_fd, struct error *err)
{
	size_t told;

	return iterate(program_fd, &told, err);
}

int programs__set_hierarchy(struct programs *p, int hierarchy_id, const char *controller, int memory_hierarchy_id,
			    struct error *err)
{
	int index = *controller ? cgroup_subsys_index(controller) : 0;

	if (index < 0)
		return error_set(err, "the kernel's BTF does not tell the controller '%s'", controller);
	p->settings.hierarchy_id = hierarchy_id;
	p->settings.subsys = index;
	p->settings.memory_hierarchy_id = memory_hierarchy_id;
	return programs__write_settings(p, err);
}

int programs__learn_stepd(struct programs *p, pid_t pid, struct error *err)
{
	char name[64];
	struct stat st;
	__u32 zero = 0;
	int status;

	snprintf(name, sizeof(name), "/proc/%d/exe", (int)pid);
	/* What stat() tells is good enough to see that the file is still the same one. */
	if (stat(name, &st) < 0 || (p->stepd.st_ino == st.st_ino && p->stepd.st_dev == st.st_dev))
		return 0;
	p->settings.stepd_pid = pid;
	status = programs__write_settings(p, err);
	if (status == 0)
		status = programs__iterate(p->scan_fd, err);
	if (status == 0 && bpf_map_lookup_elem(p->maps[SETTINGS], &zero, &p->settings) < 0)
		status = error_errno(err, "the kernel programs' settings");
	if (status == 0)
		p->stepd = st;
	p->settings.stepd_pid = 0;
	return programs__write_settings(p, err) < 0 ? -1 : status;
}

int programs__scan(struct programs *p, struct error *err)
{
	const struct timespec moment = { .tv_nsec = 1000000 };

	for (int i = 0; i < SCANS_MAX; i++) {
		size_t early;

		if (iterate(p->scan_fd, &early, err) < 0)
			return -1;
		if (!early)
			break;
		nanosleep(&moment, NULL);
	}
	return 0;
}

int programs__totals(struct programs *p, uint64_t id, struct totals *totals)
{
	return bpf_map_lookup_elem(p->maps[TOTALS], &id, totals);
}

int programs__take_samples(struct programs *p, struct error *err)
{
	if (p->sample_fd < 0)
		return error_set(err, "%s is not loaded", programs__name(PROGRAM_sample_tasks));
	for (__u32 slot = 1; slot < RECORD_SLOTS; slot++) {
		struct sample sample = { .job = p->slots.jobs[slot] };

		if (sample.job && bpf_map_update_elem(p->maps[SAMPLES], &slot, &sample, BPF_ANY) < 0)
			return error_errno(err, "the kernel's table of samples");
	}
	return programs__iterate(p->sample_fd, err);
}

int programs__sample(struct programs *p, unsigned int slot, struct sample *sample)
{
	return slot ? bpf_map_lookup_elem(p->maps[SAMPLES], &slot, sample) : -1;
}

int programs__pressure(struct programs *p, unsigned int slot, uint64_t job, struct pressure *pressure)
{
	if (!slot || bpf_map_lookup_elem(p->maps[PRESSURES], &slot, pressure) < 0)
		return -1;
	return pressure->job == job ? 0 : -1;
}

int programs__cpu_uses(struct programs *p, unsigned int slot, uint64_t job, uint64_t *ns, unsigned int cpus)
{
	unsigned int possible = libbpf_num_possible_cpus();
	struct cpu_use *uses = calloc(possible, sizeof(*uses));
	int status = -1;

	if (uses && slot && bpf_map_lookup_elem(p->maps[CPU_USES], &slot, uses) == 0)
		status = 0;
	for (unsigned int cpu = 0; status == 0 && cpu < cpus; cpu++)
		ns[cpu] = cpu < possible && uses[cpu].job == job ? uses[cpu].cpu_ns : 0;
	free(uses);
	return status;
}

int programs__cpu_ns(struct programs *p, uint64_t job, uint64_t *ns, struct error *err)
{
	struct totals before, after;

	if (!p->change)
		return error_set(err, "these are not the programs of this stintd");
	p->change->kind = CHANGE_SUM;
	if (programs__totals(p, job, &before) < 0 || programs__iterate(p->change_fd, err) < 0 ||
	    programs__totals(p, job, &after) < 0)
		return error_set(err, "the job has no totals");
	*ns = after.use[USE_CPU] + after.found_cpu_ns - before.found_cpu_ns;
	return 0;
}

int programs__give(struct programs *p, uint64_t job, uint64_t cpu_ns, uint64_t replaced_ns, struct error *err)
{
	if (!p->change)
		return error_set(err, "these are not the programs of this stintd");
	p->change->kind = CHANGE_GIVE;
	p->change->job = job;
	p->change->cpu_ns = cpu_ns;
	p->change->replaced_ns = replaced_ns;
	p->change->given = 0;
	return programs__iterate(p->change_fd, err);
}

struct tool_taker {
	uint64_t job;
	void (*take)(uint64_t id, const struct tool *tool, void *data);
	void *data;
};

static bool take_tool(const void *key, const void *value, void *data)
{
	const struct tool_key *tool = key;
	const struct tool_taker *taker = data;

	if (tool->job == taker->job)
		taker->take(tool->tool, value, taker->data);
	return false;
}

int programs__tools(struct programs *p, uint64_t job, void (*take)(uint64_t id, const struct tool *tool, void *data),
		    void *data)
{
	struct tool_taker taker = { job, take, data };

	return programs__walk(p->maps[TOOLS], take_tool, &taker);
}

struct file_system_taker {
	uint64_t job;
	void (*take)(uint64_t magic, const struct file_system *fs, void *data);
	void *data;
};

static bool take_file_system(const void *key, const void *value, void *data)
{
	const struct file_system_key *fs = key;
	const struct file_system_taker *taker = data;

	if (fs->job == taker->job)
		taker->take(fs->magic, value, taker->data);
	return false;
}

int programs__file_systems(struct programs *p, uint64_t job,
			   void (*take)(uint64_t magic, const struct file_system *fs, void *data), void *data)
{
	struct file_system_taker taker = { job, take, data };

	return programs__walk(p->maps[FILE_SYSTEMS], take_file_system, &taker);
}

struct file_taker {
	uint64_t job;
	void (*take)(const struct file_use *file, void *data);
	void *data;
};

static bool take_file(const void *key, const void *value, void *data)
{
	const struct file_key *file = key;
	const struct file_taker *taker = data;

	if (file->job == taker->job)
		taker->take(value, taker->data);
	return false;
}

int programs__files(struct programs *p, uint64_t job, void (*take)(const struct file_use *file, void *data),
		    void *data)
{
	struct file_taker taker = { job, take, data };

	return programs__walk(p->maps[FILES], take_file, &taker);
}

static int hand_over(void *data, void *record, size_t size)
{
	struct programs *p = data;

	if (size >= sizeof(struct event))
		p->take(record, p->take_data);
	return 0;
}

int programs__on_event(struct programs *p, void (*take)(const struct event *event, void *data), void *data,
		       struct error *err)
{
	p->take = take;
	p->take_data = data;
	p->ring = ring_buffer__new(p->maps[EVENTS], hand_over, p, NULL);
	if (!p->ring)
		return error_errno(err, "the ring of events");
	return 0;
}

int programs__events_fd(struct programs *p)
{
	return ring_buffer__epoll_fd(p->ring);
}

void programs__drain(struct programs *p)
{
	for (size_t i = 0; i < p->left_count; i++)
		p->take(&p->left[i], p->take_data);
	free(p->left);
	p->left = NULL;
	p->left_count = 0;
	ring_buffer__consume(p->ring);
}
