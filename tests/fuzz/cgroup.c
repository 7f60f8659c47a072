/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes the kernel's files about a step's processes and cgroup.
 * The texts of an input: stat and cgroup of the step daemon, of its parent and of the task,
 * cgroup.procs, memory.stat, cpuset.cpus, and a file with one number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/host/cgroup.h"
#include "tests/fuzz/fuzz.h"

static const char *const files[] = {
	"proc/20/stat", "proc/20/cgroup", "proc/10/stat", "proc/10/cgroup", "proc/30/stat", "proc/30/cgroup",
	"h/j/s/cgroup.procs", "h/j/memory.stat", "h/j/cpuset.cpus", "h/j/memory.max_usage_in_bytes",
};

#define FILES (sizeof(files) / sizeof(files[0]))

static const char *root;
static struct cgroup_layout layouts[2];

static void make_directory(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	HOLDS(mkdir(path, 0700) == 0);
}

static void mount(struct cgroup_layout *layout, const char *controllers)
{
	struct cgroup_mount *m = &layout->mounts[layout->count++];

	snprintf(m->controllers, sizeof(m->controllers), "%s", controllers);
	snprintf(m->path, sizeof(m->path), "%s/h", root);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char *const directories[] = { "proc", "proc/10", "proc/20", "proc/30", "h", "h/j", "h/j/s", "h/j/s/slurm" };

	(void)argc;
	(void)argv;
	root = fuzz_directory();
	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		make_directory(directories[i]);
	for (int i = 0; i < 2; i++)
		snprintf(layouts[i].proc, sizeof(layouts[i].proc), "%s/proc", root);
	mount(&layouts[0], "");
	mount(&layouts[1], "memory");
	mount(&layouts[1], "cpuset");
	mount(&layouts[1], "cpuacct,cpu");
	return 0;
}

static void put(const char *name, const char *text, size_t len)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	unlink(path);
	if (!text)
		return;
	file = fopen(path, "we");
	HOLDS(file && fwrite(text, 1, len, file) == len && fclose(file) == 0);
}

/* The slabs change from one look to the next by as much as a job can change them. */
static int64_t tell_slabs(void *data)
{
	int64_t *bytes = data;

	return *bytes = *bytes * 7 % 1000003 - 1;
}

static void check(const struct cgroup_layout *layout)
{
	int64_t bytes = 5;
	const struct cgroup_slabs slabs = { tell_slabs, &bytes };
	const struct cgroup_step step = { .stepd_pid = 20, .task_pid = 30, .seen_ns = UINT64_MAX };
	struct cgroup_memory memory;
	struct cgroup_job found;
	struct error err = { "" };
	char list[64];

	memset(&found, 0, sizeof(found));
	if (cgroup_find(layout, &step, -1, &found, &err) == 0)
		HOLDS(found.job_id && found.step_id && found.job_path[0] == '/');
	else
		HOLDS(err.text[0]);
	cgroup_memory_read(layout, "/j", &slabs, &memory);
	HOLDS(memory.limit_bytes >= -1 && memory.cache_bytes >= -1);
	HOLDS(cgroup_cpu_ns(layout, "/j") >= -1);
	if (cgroup_cpus(layout, "/j", list, sizeof(list)) == 0)
		HOLDS(list[0] && !strchr(list, '\n'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < FILES; i++) {
		size_t len = 0;
		char *text = fuzz_text(&data, &size, &len);

		put(files[i], text, len);
		if (i == 6)
			put("h/j/s/slurm/cgroup.procs", text, len);
		if (i == 8)
			put("h/j/cpuset.cpus.effective", text, len);
		if (i == 9) {
			put("h/j/memory.peak", text, len);
			put("h/j/memory.limit_in_bytes", text, len);
			put("h/j/cpuacct.usage", text, len);
		}
		if (i == 7)
			put("h/j/cpu.stat", text, len);
		free(text);
	}
	check(&layouts[0]);
	check(&layouts[1]);
	return 0;
}
