/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands in the kernel programs' maps: settings, totals, tools, the ring. */
#include "collector/programs_own.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/cgroup.h"

int programs__write_settings(struct programs *p, struct error *err)
{
	__u32 zero = 0;

	if (bpf_map_update_elem(p->maps[SETTINGS], &zero, &p->settings, BPF_ANY) < 0)
		return error_errno(err, "the kernel programs' settings");
	return 0;
}

int programs__iterate(int program_fd, struct error *err)
{
	int link = bpf_link_create(program_fd, 0, BPF_TRACE_ITER, NULL);
	int iterator, n;
	char buffer[256];

	if (link < 0)
		return error_errno(err, "a look through the kernel's tables");
	iterator = bpf_iter_create(link);
	close(link);
	if (iterator < 0)
		return error_errno(err, "a look through the kernel's tables");
	while ((n = read(iterator, buffer, sizeof(buffer))) > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		;
	close(iterator);
	return n < 0 ? error_errno(err, "a look through the kernel's tables") : 0;
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

static int add_totals(struct programs *p, uint64_t id, const struct totals *fresh, bool *existed, struct error *err)
{
	if (bpf_map_update_elem(p->maps[TOTALS], &id, fresh, BPF_NOEXIST) == 0) {
		*existed = false;
		return 0;
	}
	*existed = errno == EEXIST;
	return *existed ? 0 : error_errno(err, "the kernel's table of totals");
}

int programs__add_job(struct programs *p, uint64_t job, uint64_t cgroup, bool *existed, struct error *err)
{
	struct totals fresh = { .job = job };

	if (add_totals(p, job, &fresh, existed, err) < 0)
		return -1;
	if (bpf_map_update_elem(p->maps[JOB_CGROUPS], &cgroup, &job, BPF_ANY) < 0)
		return error_errno(err, "the kernel's table of jobs");
	return 0;
}

int programs__add_step(struct programs *p, uint64_t job, uint64_t step, bool is_extern, struct error *err)
{
	struct totals fresh = { .job = job };
	bool existed;

	if (is_extern && bpf_map_update_elem(p->maps[EXTERN_STEPS], &step, &job, BPF_ANY) < 0)
		return error_errno(err, "the kernel's table of extern steps");
	return add_totals(p, step, &fresh, &existed, err);
}

int programs__add_memory(struct programs *p, uint64_t memory_id, uint64_t job, uint64_t id, struct error *err)
{
	struct memory_cgroup memory = { .job = job, .id = id };

	if (bpf_map_update_elem(p->maps[MEMORY_CGROUPS], &memory_id, &memory, BPF_ANY) < 0)
		return error_errno(err, "the kernel's table of memory cgroups");
	return 0;
}

int programs__scan(struct programs *p, struct error *err)
{
	return programs__iterate(p->scan_fd, err);
}

int programs__totals(struct programs *p, uint64_t id, struct totals *totals)
{
	return bpf_map_lookup_elem(p->maps[TOTALS], &id, totals);
}

/* bpf/maps.h has the whole structure; user space needs its first member alone. */
#define PROCESS_VALUE_MAX 256

int programs__live_processes(struct programs *p, uint64_t job)
{
	__u64 value[PROCESS_VALUE_MAX / 8], key, *previous = NULL;
	int count = 0;

	while (bpf_map_get_next_key(p->maps[PROCESSES], previous, &key) == 0) {
		if (bpf_map_lookup_elem(p->maps[PROCESSES], &key, value) == 0 && value[0] == job)
			count++;
		previous = &key;
	}
	return count;
}

int programs__tools(struct programs *p, uint64_t job, void (*take)(uint64_t id, const struct tool *tool, void *data),
		    void *data)
{
	struct tool *tool = malloc(sizeof(*tool));
	struct tool_key key, *previous = NULL;

	if (!tool)
		return -1;
	while (bpf_map_get_next_key(p->maps[TOOLS], previous, &key) == 0) {
		if (key.job == job && bpf_map_lookup_elem(p->maps[TOOLS], &key, tool) == 0)
			take(key.tool, tool, data);
		previous = &key;
	}
	free(tool);
	return 0;
}

/*
 * Deletes the entries of a map that @belongs says are @job's. The next key is
 * asked for before its predecessor goes.
 */
static void forget_entries(int map_fd, size_t key_size, uint64_t job,
			   bool (*belongs)(int map_fd, const void *key, uint64_t job))
{
	char key[sizeof(struct tool_key)], next[sizeof(struct tool_key)];
	bool more = bpf_map_get_next_key(map_fd, NULL, key) == 0;

	while (more) {
		more = bpf_map_get_next_key(map_fd, key, next) == 0;
		if (belongs(map_fd, key, job))
			bpf_map_delete_elem(map_fd, key);
		memcpy(key, next, key_size);
	}
}

static bool tool_belongs(int map_fd, const void *key, uint64_t job)
{
	(void)map_fd;
	return ((const struct tool_key *)key)->job == job;
}

static bool totals_belong(int map_fd, const void *key, uint64_t job)
{
	struct totals totals;

	return bpf_map_lookup_elem(map_fd, key, &totals) == 0 && totals.job == job;
}

static bool memory_belongs(int map_fd, const void *key, uint64_t job)
{
	struct memory_cgroup memory;

	return bpf_map_lookup_elem(map_fd, key, &memory) == 0 && memory.job == job;
}

static bool value_is_job(int map_fd, const void *key, uint64_t job)
{
	__u64 of;

	return bpf_map_lookup_elem(map_fd, key, &of) == 0 && of == job;
}

void programs__forget(struct programs *p, uint64_t job)
{
	forget_entries(p->maps[JOB_CGROUPS], sizeof(__u64), job, value_is_job);
	forget_entries(p->maps[TOTALS], sizeof(__u64), job, totals_belong);
	forget_entries(p->maps[MEMORY_CGROUPS], sizeof(__u64), job, memory_belongs);
	forget_entries(p->maps[EXTERN_STEPS], sizeof(__u64), job, value_is_job);
	forget_entries(p->maps[TOOLS], sizeof(struct tool_key), job, tool_belongs);
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
	ring_buffer__consume(p->ring);
}
