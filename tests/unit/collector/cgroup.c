/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a job's cgroups are found through its processes, in every layout of Slurm, and never by a name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/host/cgroup.h"

#define SLURMD 10
#define STEPD 20
#define TASK 30
#define TOLD_NS 1000000000000ull

static char root[64];
static struct cgroup_layout layout;

static int set_up(void **state)
{
	(void)state;
	strcpy(root, "/tmp/stint-cgroup-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	memset(&layout, 0, sizeof(layout));
	snprintf(layout.proc, sizeof(layout.proc), "%s/proc", root);
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

static void put(const char *path, const char *text)
{
	char name[512], command[600];
	FILE *file;

	snprintf(command, sizeof(command), "mkdir -p $(dirname %s/%s)", root, path);
	assert_int_equal(system(command), 0);
	snprintf(name, sizeof(name), "%s/%s", root, path);
	file = fopen(name, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void process(int pid, int parent, char state, unsigned long long ticks, const char *cgroups)
{
	char path[64], stat[256];

	snprintf(path, sizeof(path), "proc/%d/stat", pid);
	snprintf(stat, sizeof(stat), "%d (a) b (c) %c %d 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 %llu 1 2\n", pid, state,
		 parent, ticks);
	put(path, stat);
	snprintf(path, sizeof(path), "proc/%d/cgroup", pid);
	put(path, cgroups);
}

static void mount(const char *controllers, const char *directory)
{
	struct cgroup_mount *m = &layout.mounts[layout.count++];

	snprintf(m->controllers, sizeof(m->controllers), "%s", controllers);
	snprintf(m->path, sizeof(m->path), "%s/%s", root, directory);
}

static uint64_t make(const char *directory)
{
	char command[512], path[512];
	struct stat st;

	snprintf(command, sizeof(command), "mkdir -p %s/%s", root, directory);
	assert_int_equal(system(command), 0);
	snprintf(path, sizeof(path), "%s/%s", root, directory);
	assert_int_equal(stat(path, &st), 0);
	return st.st_ino;
}

static const struct cgroup_step step = { .stepd_pid = STEPD, .task_pid = TASK, .seen_ns = TOLD_NS };

static int find(int hierarchy_id, struct cgroup_job *found)
{
	memset(found, 0, sizeof(*found));
	return cgroup_find(&layout, &step, hierarchy_id, found, NULL);
}

/* As Slurm 22.05 leaves a hybrid host at task_post_fork. */
static void v1_host(bool cpuacct)
{
	process(SLURMD, 1, 'S', 5, "6:freezer:/\n4:memory:/\n2:cpuacct:/\n0::/\n");
	process(STEPD, SLURMD, 'S', 50, "6:freezer:/slurm_n1/uid_1/job_2\n4:memory:/slurm_n1/uid_1/job_2/step_0\n"
					"2:cpuacct:/\n0::/\n");
	process(TASK, STEPD, 'S', 51, cpuacct ?
		"6:freezer:/slurm_n1/uid_1/job_2/step_0\n4:memory:/slurm_n1/uid_1/job_2/step_0/task_0\n"
		"2:cpuacct:/slurm_n1/uid_1/job_2/step_0/task_0\n0::/\n" :
		"6:freezer:/slurm_n1/uid_1/job_2/step_0\n4:memory:/slurm_n1/uid_1/job_2/step_0/task_0\n"
		"2:cpuacct:/\n0::/\n");
	mount("freezer", "freezer");
	mount("memory", "memory");
	mount("cpuacct", "cpuacct");
	mount("", "unified");
	put("memory/slurm_n1/uid_1/job_2/step_0/cgroup.procs", "20\n");
}

static void on_v1_cpuacct_tells_membership_and_memory_the_peak(void **state)
{
	struct cgroup_job found;

	(void)state;
	v1_host(true);
	make("memory/slurm_n1/uid_1/job_2/step_0/task_0");
	make("cpuacct/slurm_n1/uid_1/job_2/step_0/task_0");
	assert_int_equal(find(-1, &found), 0);
	assert_string_equal(found.controller, "cpuacct");
	assert_string_equal(found.job_path, "/slurm_n1/uid_1/job_2");
	assert_string_equal(found.step_name, "step_0");
	assert_int_equal(found.hierarchy_id, 2);
	assert_int_equal(found.job_id, make("cpuacct/slurm_n1/uid_1/job_2"));
	assert_int_equal(found.step_id, make("cpuacct/slurm_n1/uid_1/job_2/step_0"));
	assert_int_equal(found.memory_hierarchy_id, 4);
	assert_int_equal(found.memory_job_id, make("memory/slurm_n1/uid_1/job_2"));
	assert_int_equal(found.memory_step_id, make("memory/slurm_n1/uid_1/job_2/step_0"));
}

static void on_v1_without_cpuacct_memory_tells_membership(void **state)
{
	struct cgroup_job found;

	(void)state;
	v1_host(false);
	make("memory/slurm_n1/uid_1/job_2/step_0/task_0");
	assert_int_equal(find(-1, &found), 0);
	assert_string_equal(found.controller, "memory");
	assert_int_equal(found.job_id, make("memory/slurm_n1/uid_1/job_2"));
	assert_int_equal(found.step_id, make("memory/slurm_n1/uid_1/job_2/step_0"));
}

static void a_hierarchy_once_chosen_is_kept_to(void **state)
{
	struct cgroup_job found;

	(void)state;
	v1_host(true);
	make("memory/slurm_n1/uid_1/job_2/step_0/task_0");
	make("cpuacct/slurm_n1/uid_1/job_2/step_0/task_0");
	assert_int_equal(find(4, &found), 0);
	assert_string_equal(found.controller, "memory");
	assert_int_equal(find(2, &found), 0);
	assert_string_equal(found.controller, "cpuacct");
	assert_int_equal(find(17, &found), -1);
}

static void on_v1_with_proctrack_alone_the_freezer_tells_membership(void **state)
{
	struct cgroup_job found;

	(void)state;
	process(SLURMD, 1, 'S', 5, "6:freezer:/\n4:memory:/\n0::/\n");
	process(STEPD, SLURMD, 'S', 50, "6:freezer:/slurm/uid_1/job_2\n4:memory:/\n0::/\n");
	process(TASK, STEPD, 'S', 51, "6:freezer:/slurm/uid_1/job_2/step_batch\n4:memory:/\n0::/\n");
	mount("freezer", "freezer");
	mount("memory", "memory");
	make("freezer/slurm/uid_1/job_2/step_batch");
	assert_int_equal(find(-1, &found), 0);
	assert_string_equal(found.controller, "freezer");
	assert_string_equal(found.job_path, "/slurm/uid_1/job_2");
	assert_string_equal(found.step_name, "step_batch");
	assert_int_equal(found.step_id, make("freezer/slurm/uid_1/job_2/step_batch"));
	assert_int_equal(found.memory_job_id, 0);
}

static void v2_step(const char *job, const char *task)
{
	char stepd_cgroup[256], task_cgroup[256];

	snprintf(stepd_cgroup, sizeof(stepd_cgroup), "0::%s/step_0/slurm\n", job);
	snprintf(task_cgroup, sizeof(task_cgroup), "0::%s/step_0/%s\n", job, task);
	process(SLURMD, 1, 'S', 5, "0::/system.slice/slurmd.service\n");
	process(STEPD, SLURMD, 'S', 50, stepd_cgroup);
	process(TASK, STEPD, 'S', 51, task_cgroup);
	if (!layout.count)
		mount("", "cg");
	snprintf(stepd_cgroup, sizeof(stepd_cgroup), "cg%s/step_0/slurm/cgroup.procs", job);
	put(stepd_cgroup, "20\n");
}

static void on_v2_the_step_is_above_daemon_and_tasks(void **state)
{
	static const char *const tasks[] = { "user/task_0", "user/task_special", "slurm" };
	struct cgroup_job found;

	(void)state;
	make("cg/system.slice/slurmstepd.scope/job_2/step_0/user/task_0");
	for (int i = 0; i < 3; i++) {
		v2_step("/system.slice/slurmstepd.scope/job_2", tasks[i]);
		assert_int_equal(find(-1, &found), 0);
		assert_string_equal(found.controller, "");
		assert_int_equal(found.hierarchy_id, 0);
		assert_string_equal(found.job_path, "/system.slice/slurmstepd.scope/job_2");
		assert_string_equal(found.step_name, "step_0");
		assert_int_equal(found.step_id, make("cg/system.slice/slurmstepd.scope/job_2/step_0"));
		assert_int_equal(found.memory_job_id, found.job_id);
		assert_int_equal(found.memory_step_id, found.step_id);
	}
}

static void a_job_named_by_its_sluid_is_found_as_well(void **state)
{
	struct cgroup_job found;

	(void)state;
	make("cg/system.slice/slurmstepd.scope/s3K2V0A7Q1ZXYB/step_0/user/task_0");
	v2_step("/system.slice/slurmstepd.scope/s3K2V0A7Q1ZXYB", "user/task_0");
	assert_int_equal(find(-1, &found), 0);
	assert_int_equal(found.job_id, make("cg/system.slice/slurmstepd.scope/s3K2V0A7Q1ZXYB"));
}

static void a_step_where_its_slurmd_is_has_no_cgroup(void **state)
{
	struct cgroup_job found;
	struct error err;

	(void)state;
	process(SLURMD, 1, 'S', 5, "4:memory:/slurmd\n0::/\n");
	process(STEPD, SLURMD, 'S', 50, "4:memory:/slurmd\n0::/\n");
	process(TASK, STEPD, 'S', 51, "4:memory:/slurmd\n0::/\n");
	mount("memory", "memory");
	mount("", "unified");
	make("memory/slurmd");
	assert_int_equal(cgroup_find(&layout, &step, -1, &found, &err), -1);
	assert_non_null(strstr(err.text, "ProctrackType=proctrack/cgroup"));
}

static void a_step_in_the_service_of_slurmd_has_no_cgroup(void **state)
{
	struct cgroup_job found;

	(void)state;
	/* slurmstepd has left its parent: init is not in slurmd's cgroup */
	process(1, 0, 'S', 0, "0::/init.scope\n");
	process(SLURMD, 1, 'S', 5, "0::/system.slice/slurmd.service\n");
	process(STEPD, 1, 'S', 50, "0::/system.slice/slurmd.service\n");
	process(TASK, STEPD, 'S', 51, "0::/system.slice/slurmd.service\n");
	mount("", "cg");
	put("cg/system.slice/slurmd.service/cgroup.procs", "10\n20\n30\n");
	assert_int_equal(find(-1, &found), -1);
	put("cg/system.slice/slurmd.service/cgroup.procs", "20\n30\n");
	assert_int_equal(find(-1, &found), 0);
}

static void another_process_with_the_pid_is_not_taken_for_the_step(void **state)
{
	unsigned long long told_ticks = TOLD_NS / (1000000000ull / sysconf(_SC_CLK_TCK));
	const struct cgroup_step unknown = { .stepd_pid = 999, .task_pid = TASK, .seen_ns = TOLD_NS };
	struct cgroup_job found;
	struct error err;

	(void)state;
	v1_host(true);
	make("memory/slurm_n1/uid_1/job_2/step_0/task_0");
	process(STEPD, SLURMD, 'S', told_ticks + 1, "4:memory:/slurm_n1/uid_1/job_2/step_0\n0::/\n");
	assert_int_equal(cgroup_find(&layout, &step, -1, &found, &err), -1);
	assert_non_null(strstr(err.text, "was over"));
	process(STEPD, SLURMD, 'S', told_ticks, "4:memory:/slurm_n1/uid_1/job_2/step_0\n0::/\n");
	assert_int_equal(find(-1, &found), 0);
	process(STEPD, SLURMD, 'Z', 50, "4:memory:/\n0::/\n");
	assert_int_equal(find(-1, &found), -1);
	assert_int_equal(cgroup_find(&layout, &unknown, -1, &found, &err), -1);
}

/* The answers for what is in slabs, one after another. The last one repeats. */
static int64_t told[16];
static int told_count, told_next;

static int64_t tell_slabs(void *data)
{
	(void)data;
	return told[told_next < told_count - 1 ? told_next++ : told_count - 1];
}

static const struct cgroup_slabs *slabs_of(int64_t bytes)
{
	static const struct cgroup_slabs slabs = { tell_slabs, NULL };

	told[0] = bytes;
	told_count = 1;
	told_next = 0;
	return &slabs;
}

static void memory_is_read_from_both_layouts(void **state)
{
	struct cgroup_memory memory;

	(void)state;
	mount("memory", "memory");
	put("memory/j/memory.stat", "cache 9\nrss 1\ntotal_cache 900\ntotal_rss 1000\ntotal_shmem 20\ntotal_swap 30\n");
	put("memory/j/memory.kmem.usage_in_bytes", "3\n");
	put("memory/j/memory.max_usage_in_bytes", "5000\n");
	put("memory/j/memory.limit_in_bytes", "9223372036854771712\n");
	cgroup_memory_read(&layout, "/j", NULL, &memory);
	assert_int_equal(memory.used_bytes, 1023);
	assert_int_equal(memory.cache_bytes, 880);
	assert_int_equal(memory.swap_bytes, 30);
	assert_int_equal(memory.charged_peak_bytes, 5000);
	assert_int_equal(memory.limit_bytes, -1);
	put("memory/j/memory.limit_in_bytes", "4096\n");
	cgroup_memory_read(&layout, "/j", NULL, &memory);
	assert_int_equal(memory.limit_bytes, 4096);
	/* no file of v1 has names and inodes: the kernel programs report them */
	put("memory/j/memory.kmem.usage_in_bytes", "507\n");
	cgroup_memory_read(&layout, "/j", NULL, &memory);
	assert_int_equal(memory.used_bytes, 1527);
	cgroup_memory_read(&layout, "/j", slabs_of(-1), &memory);
	assert_int_equal(memory.used_bytes, -1); /* too much is worse than nothing */
	cgroup_memory_read(&layout, "/j", slabs_of(500), &memory);
	assert_int_equal(memory.used_bytes, 1027);
	cgroup_memory_read(&layout, "/j", slabs_of(600), &memory); /* at most the kernel's memory */
	assert_int_equal(memory.used_bytes, 1020);
	put("memory/j/memory.stat", "");
	cgroup_memory_read(&layout, "/j", slabs_of(500), &memory);
	assert_int_equal(memory.used_bytes, -1);

	layout.count = 0;
	mount("", "cg");
	put("cg/j/memory.stat", "anon 1000\nfile 900\nkernel 7\nshmem 20\n");
	put("cg/j/memory.peak", "6000\n");
	put("cg/j/memory.max", "max\n");
	cgroup_memory_read(&layout, "/j", NULL, &memory);
	assert_int_equal(memory.used_bytes, 1027);
	assert_int_equal(memory.cache_bytes, 880);
	assert_int_equal(memory.swap_bytes, -1);
	assert_int_equal(memory.charged_peak_bytes, 6000);
	assert_int_equal(memory.limit_bytes, -1);
	put("cg/j/memory.max", "4096\n");
	cgroup_memory_read(&layout, "/j", NULL, &memory);
	assert_int_equal(memory.limit_bytes, 4096);
	put("cg/j/user/memory.max", "max\n");
	cgroup_memory_read(&layout, "/j", NULL, &memory);
	assert_int_equal(memory.limit_bytes, 4096);
	put("cg/j/user/memory.max", "2048\n");
	cgroup_memory_read(&layout, "/j", NULL, &memory);
	assert_int_equal(memory.limit_bytes, 2048);
	/* find and rsync fill any limit with dentries and inodes, which make room */
	put("cg/j/memory.stat", "anon 1000\nfile 900\nkernel 507\nshmem 20\nslab_reclaimable 500\nslab_unreclaimable 3\nslab 503\n");
	cgroup_memory_read(&layout, "/j", NULL, &memory);
	assert_int_equal(memory.used_bytes, 1027);
	cgroup_memory_read(&layout, "/j", slabs_of(-1), &memory); /* they are out already */
	assert_int_equal(memory.used_bytes, 1027);
	put("cg/j/memory.stat", "anon 1000\nshmem 20\nkernel_stack 1\npagetables 2\npercpu 4\nslab 8\n"); /* before 5.18 */
	cgroup_memory_read(&layout, "/j", NULL, &memory);
	put("cg/j/memory.swap.current", "40\n");
	assert_int_equal(memory.used_bytes, 1035);
	assert_int_equal(memory.cache_bytes, -1);
	cgroup_memory_read(&layout, "/j", NULL, &memory);
	assert_int_equal(memory.swap_bytes, 40);
	cgroup_memory_read(&layout, "/nowhere", NULL, &memory);
	assert_int_equal(memory.used_bytes, -1);
	assert_int_equal(memory.cache_bytes, -1);
	assert_int_equal(memory.swap_bytes, -1);
	assert_int_equal(memory.charged_peak_bytes, -1);
}

/*
 * A job that fills its limit with names changes both files by 100 MB a second.
 * A difference of two moments then means nothing.
 */
static void slabs_that_change_meanwhile_are_read_again(void **state)
{
	const int64_t mib = 1 << 20, all = 64 * mib;
	const struct cgroup_slabs *slabs = slabs_of(0);
	struct cgroup_memory memory;

	(void)state;
	mount("memory", "memory");
	put("memory/j/memory.stat", "total_rss 0\ntotal_shmem 0\n");
	put("memory/j/memory.kmem.usage_in_bytes", "67108864\n");
	memcpy(told, (const int64_t[]){ 36 * mib, 60 * mib, 61 * mib }, 3 * sizeof(*told));
	told_count = 3;
	cgroup_memory_read(&layout, "/j", slabs, &memory);
	assert_int_equal(memory.used_bytes, all - 61 * mib);
	/* never at rest: not known */
	for (told_count = 0; told_count < 16; told_count++)
		told[told_count] = (told_count % 2 ? 30 : 60) * mib;
	told_next = 0;
	cgroup_memory_read(&layout, "/j", slabs, &memory);
	assert_int_equal(memory.used_bytes, -1);
	assert_true(told_next >= 15);
	/* unknown in between */
	memcpy(told, (const int64_t[]){ 36 * mib, -1 }, 2 * sizeof(*told));
	told_count = 2;
	told_next = 0;
	cgroup_memory_read(&layout, "/j", slabs, &memory);
	assert_int_equal(memory.used_bytes, -1);
}

static void processors_and_cpu_time_are_read_from_both_layouts(void **state)
{
	char list[16];

	(void)state;
	mount("cpuset", "cpuset");
	mount("cpuacct", "cpuacct");
	put("cpuset/j/cpuset.cpus", "0-3,8\n");
	put("cpuacct/j/cpuacct.usage", "123456789\n");
	assert_int_equal(cgroup_cpus(&layout, "/j", list, sizeof(list)), 0);
	assert_string_equal(list, "0-3,8");
	assert_int_equal(cgroup_cpu_ns(&layout, "/j"), 123456789);
	put("cpuset/j/cpuset.cpus", "\n");
	assert_int_equal(cgroup_cpus(&layout, "/j", list, sizeof(list)), -1);

	layout.count = 0;
	mount("", "cg");
	put("cg/j/cpuset.cpus.effective", "1\n");
	put("cg/j/cpu.stat", "usage_usec 42\nuser_usec 40\n");
	assert_int_equal(cgroup_cpus(&layout, "/j", list, sizeof(list)), 0);
	assert_string_equal(list, "1");
	assert_int_equal(cgroup_cpu_ns(&layout, "/j"), 42000);
	assert_int_equal(cgroup_cpu_ns(&layout, "/nowhere"), -1);
}

static struct cgroup_job job_2(const char *controller)
{
	struct cgroup_job job = { 0 };

	strcpy(job.controller, controller);
	strcpy(job.job_path, "/slurm_n1/uid_1/job_2");
	return job;
}

static void the_processes_of_a_job_are_those_of_all_its_cgroups(void **state)
{
	const struct cgroup_job job = job_2("cpuacct");
	int sum = 0;
	pid_t pids[4];

	(void)state;
	mount("freezer", "freezer");
	mount("cpuacct", "cpuacct");
	put("freezer/slurm_n1/uid_1/job_2/cgroup.procs", "99\n");
	put("cpuacct/slurm_n1/uid_1/cgroup.procs", "98\n");
	put("cpuacct/slurm_n1/uid_1/job_2/cgroup.procs", "");
	put("cpuacct/slurm_n1/uid_1/job_2/step_0/cgroup.procs", "1\n");
	put("cpuacct/slurm_n1/uid_1/job_2/step_0/task_0/cgroup.procs", "2\n4\n");
	put("cpuacct/slurm_n1/uid_1/job_2/step_0/task_1/cgroup.procs", "8\n");
	assert_int_equal(cgroup_processes(&layout, &job, pids, 4), 4);
	for (int i = 0; i < 4; i++)
		sum += pids[i];
	assert_int_equal(sum, 15);
	assert_int_equal(cgroup_processes(&layout, &job, pids, 3), -1);
}

static void processes_that_cannot_all_be_listed_are_not_listed(void **state)
{
	struct cgroup_job job = job_2("");
	char name[64];
	pid_t pids[4];

	(void)state;
	assert_int_equal(cgroup_processes(&layout, &job, pids, 4), -1);
	mount("", "unified");
	assert_int_equal(cgroup_processes(&layout, &job, pids, 4), -1);
	put("unified/slurm_n1/uid_1/job_2/cgroup.procs", "1\n");
	assert_int_equal(cgroup_processes(&layout, &job, pids, 4), 1);
	make("unified/slurm_n1/uid_1/job_2/threaded");
	assert_int_equal(cgroup_processes(&layout, &job, pids, 4), -1);
	put("unified/slurm_n1/uid_1/job_2/threaded/cgroup.procs", "");
	for (int i = 0; i < 62; i++) {
		snprintf(name, sizeof(name), "unified/slurm_n1/uid_1/job_2/%d/cgroup.procs", i);
		put(name, "");
	}
	assert_int_equal(cgroup_processes(&layout, &job, pids, 4), 1);
	put("unified/slurm_n1/uid_1/job_2/one_too_many/cgroup.procs", "");
	assert_int_equal(cgroup_processes(&layout, &job, pids, 4), -1);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(on_v1_cpuacct_tells_membership_and_memory_the_peak),
		TEST(on_v1_without_cpuacct_memory_tells_membership),
		TEST(a_hierarchy_once_chosen_is_kept_to),
		TEST(on_v1_with_proctrack_alone_the_freezer_tells_membership),
		TEST(on_v2_the_step_is_above_daemon_and_tasks),
		TEST(a_job_named_by_its_sluid_is_found_as_well),
		TEST(a_step_where_its_slurmd_is_has_no_cgroup),
		TEST(a_step_in_the_service_of_slurmd_has_no_cgroup),
		TEST(another_process_with_the_pid_is_not_taken_for_the_step),
		TEST(memory_is_read_from_both_layouts),
		TEST(slabs_that_change_meanwhile_are_read_again),
		TEST(processors_and_cpu_time_are_read_from_both_layouts),
		TEST(the_processes_of_a_job_are_those_of_all_its_cgroups),
		TEST(processes_that_cannot_all_be_listed_are_not_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
