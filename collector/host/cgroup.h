/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the cgroups of a job through the processes in them, never by name. Reads the files of cgroups. Supports cgroup
 * v1, v2, and v1 with an empty v2 tree ("hybrid").
 */
#ifndef STINT_CGROUP_H
#define STINT_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

#define CGROUP_CONTROLLERS_MAX 16

struct cgroup_mount {
	char controllers[64]; /* "memory", "cpu,cpuacct"; empty for cgroup v2 */
	char path[256];
};

struct cgroup_layout {
	char proc[256]; /* /proc */
	struct cgroup_mount mounts[CGROUP_CONTROLLERS_MAX];
	int count;
};

struct cgroup_job {
	int hierarchy_id;   /* number of the hierarchy; 0: cgroup v2 */
	char controller[32]; /* decides which threads belong to the job; empty: cgroup v2 */
	/* "/slurm_n1/uid_1/job_2", the same in each v1 hierarchy */
	char job_path[PATH_MAX];
	char step_name[NAME_MAX + 1]; /* directory in job_path */
	uint64_t job_id;    /* of the job's cgroup; never reused, unlike paths */
	uint64_t step_id;
	int memory_hierarchy_id; /* hierarchy with the memory controller; -1: none */
	uint64_t memory_job_id;  /* ids in the memory hierarchy; 0: none */
	uint64_t memory_step_id;
	uint64_t stepd_start_ns; /* CLOCK_BOOTTIME, to a clock tick; 0: not known */
};

struct cgroup_memory {
	int64_t used_bytes;    /* anon + shmem + kernel - reclaimable slabs; -1: not known */
	int64_t cache_bytes;   /* file pages without shmem; -1: not known */
	int64_t swap_bytes;    /* -1: not accounted */
	int64_t charged_peak_bytes; /* -1: not known */
	int64_t limit_bytes;   /* -1: none, or not known */
};

/* Finds the mounted cgroup hierarchies. Returns 0; -1 with @err set if none is mounted. */
int cgroup_layout_read(struct cgroup_layout *layout, struct error *err);

/*
 * Finds the path of the cgroup of @pid. @controller: "" for v2
 * Returns 0; -1 if @pid is not in this hierarchy.
 */
int cgroup_of_process(const struct cgroup_layout *layout, pid_t pid, const char *controller, char path[PATH_MAX]);

/* Returns the mount of @controller ("" for v2); NULL if it is not mounted. */
const struct cgroup_mount *cgroup_find_mount(const struct cgroup_layout *layout, const char *controller);

/*
 * Lists the processes in the job's cgroup and below it. A process that moves meanwhile may be listed twice.
 *
 * @pids: receives at most @max pids
 *
 * Returns the number of pids. Returns -1 if there are too many, or if the cgroup cannot be read.
 */
int cgroup_processes(const struct cgroup_layout *layout, const struct cgroup_job *job, pid_t *pids, int max);

/* Processes of a step, as the plugin names them. */
struct cgroup_step {
	pid_t stepd_pid;
	pid_t task_pid; /* 0: not known */
	/* CLOCK_BOOTTIME when the plugin named the pids. If a process started later, its pid was reused. */
	uint64_t seen_ns;
};

/*
 * Finds the cgroups of a job and a step. The step's cgroup is the deepest one that contains the step daemon and the
 * task. The job's cgroup is the parent of the step's cgroup.
 *
 * Skips a hierarchy if the step daemon shares its cgroup with slurmd or another older process. Also skips a hierarchy
 * if the job's cgroup would contain slurmd or the caller.
 *
 * On v1, if the job has a cgroup of cpuacct, cpuacct decides which threads belong to the job. stint then counts the
 * same threads as this cgroup.
 *
 * @hierarchy_id: the hierarchy that was chosen for the jobs; -1: none yet
 *
 * Returns 0; -1 with @err set if no hierarchy has the step, or if the step is over.
 */
int cgroup_find(const struct cgroup_layout *layout, const struct cgroup_step *step, int hierarchy_id, struct cgroup_job *found,
		struct error *err);

/* Returns true if @pid is alive and existed at @seen_ns (CLOCK_BOOTTIME). */
bool cgroup_process_lives(const struct cgroup_layout *layout, pid_t pid, uint64_t seen_ns);

/* Returns the index of @controller in the kernel's enum cgroup_subsys_id; -1 if the kernel lacks it. */
int cgroup_subsys_index(const char *controller);

/* Reads the size of a cgroup's reclaimable slabs. cgroup v1 has no file for it. */
struct cgroup_slabs {
	int64_t (*bytes)(void *data); /* -1: not known */
	void *data;
};

/*
 * Reads the memory values of the cgroup @path. Unknown values are -1.
 *
 * @slabs: for v1; NULL: the memory used includes reclaimable slabs
 * If @slabs fails, the memory used is -1, because a value that is too high would stay as the peak.
 */
void cgroup_memory_read(const struct cgroup_layout *layout, const char *path, const struct cgroup_slabs *slabs,
			struct cgroup_memory *memory);

/* Returns the value of @key in lines like "shmem 4096"; -1 if there is none. */
int64_t cgroup_stat_value(const char *text, const char *key);

/* Opens the directory of the cgroup @path. Returns a descriptor; -1 if there is none. */
int cgroup_open(const struct cgroup_layout *layout, const char *controller, const char *path);

/* Returns the CPU time of the cgroup @path in ns; -1 if it is not counted. */
int64_t cgroup_cpu_ns(const struct cgroup_layout *layout, const char *path);

/* Writes the CPUs of the cgroup @path to @list, like "0-3,8". Returns 0; -1 without a cpuset. */
int cgroup_cpus(const struct cgroup_layout *layout, const char *path, char *list, size_t size);

#endif
