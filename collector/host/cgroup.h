/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the cgroups of a job and reads their files. Finds each cgroup through the processes in it (the step daemon and
 * a task), and never makes its path from names. Supports cgroup v2, and cgroup v1 with or without an empty v2 tree
 * beside it ("hybrid").
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
	char path[256];       /* mount point */
};

struct cgroup_layout {
	char proc[256]; /* directory in which to look up processes: /proc */
	struct cgroup_mount mounts[CGROUP_CONTROLLERS_MAX];
	int count;
};

struct cgroup_job {
	int hierarchy_id;   /* the kernel's number of the hierarchy; 0 is cgroup v2 */
	char controller[32]; /* the controller whose hierarchy decides which threads belong to the job; empty for cgroup v2 */
	/* Path of the job's cgroup, "/slurm_n1/uid_1/job_2"; this path is the same in each v1 hierarchy. */
	char job_path[PATH_MAX];
	char step_name[NAME_MAX + 1]; /* name of the step's directory, directly below job_path */
	uint64_t job_id;    /* 64-bit id of the job's cgroup, because the kernel reuses paths but not ids */
	uint64_t step_id;
	int memory_hierarchy_id; /* number of the hierarchy that has the memory controller; -1: none */
	uint64_t memory_job_id;  /* ids of the job's and the step's cgroups in the memory hierarchy; 0: none */
	uint64_t memory_step_id;
	uint64_t stepd_start_ns; /* CLOCK_BOOTTIME when slurmd started the step daemon, accurate to a clock tick; 0: not known */
};

struct cgroup_memory {
	int64_t used_bytes;    /* anon + shmem + kernel, without reclaimable slabs; -1: not known */
	int64_t cache_bytes;   /* file pages without shmem; -1: not known */
	int64_t swap_bytes;    /* -1: not accounted */
	int64_t charged_peak_bytes; /* -1 not known */
	int64_t limit_bytes;   /* -1: none, or not known */
};

/* Finds the mounted cgroup hierarchies. Returns 0; -1 with @err set if there is none. */
int cgroup_layout_read(struct cgroup_layout *layout, struct error *err);

/*
 * Finds the path of the cgroup that contains the process @pid, in the hierarchy of @controller ("" for cgroup v2).
 * Returns 0; -1 if the process is not in this hierarchy.
 */
int cgroup_of_process(const struct cgroup_layout *layout, pid_t pid, const char *controller, char path[PATH_MAX]);

/* Returns the mount of the hierarchy of @controller ("" for cgroup v2); NULL if it is not mounted. */
const struct cgroup_mount *cgroup_find_mount(const struct cgroup_layout *layout, const char *controller);

/*
 * Lists the processes in the job's cgroup and in the cgroups below it. Reads the hierarchy that decides which threads
 * belong to the job. A process that moves during the call may be listed twice.
 *
 * @pids: receives at most @max pids
 *
 * Returns the number of processes. Returns -1 if there are more than @max processes or too many cgroups, or if the
 * cgroups cannot be read.
 */
int cgroup_processes(const struct cgroup_layout *layout, const struct cgroup_job *job, pid_t *pids, int max);

/* The processes of a step that the plugin's messages name. */
struct cgroup_step {
	pid_t stepd_pid; /* pid of the step daemon */
	pid_t task_pid; /* 0: not known */
	/*
	 * CLOCK_BOOTTIME when the pids were right; a process with one of these pids that started later is another
	 * process.
	 */
	uint64_t seen_ns;
};

/*
 * Finds the cgroups of the job and of the step. The step's cgroup is the deepest one that contains both the step daemon
 * and the task. The job's cgroup is the parent of the step's cgroup.
 *
 * Skips a hierarchy if the step daemon is in the same cgroup as its parent or as processes that are older (slurmd).
 * Also skips a hierarchy if the job's cgroup would contain slurmd or the caller.
 *
 * If the job has a cgroup of cpuacct on cgroup v1, the hierarchy of cpuacct decides which threads belong to the job,
 * because stint then counts the same threads as that cgroup. Slurm's step daemon is not in that cgroup.
 *
 * @hierarchy_id: the hierarchy that already decides which threads belong to jobs; -1 if none is chosen yet
 *
 * Returns 0; -1 with @err set if no hierarchy has a cgroup for the step, or if the step is over.
 */
int cgroup_find(const struct cgroup_layout *layout, const struct cgroup_step *step, int hierarchy_id, struct cgroup_job *found,
		struct error *err);

/* Returns true if the process @pid is alive and already existed at @seen_ns (CLOCK_BOOTTIME). */
bool cgroup_process_lives(const struct cgroup_layout *layout, pid_t pid, uint64_t seen_ns);

/*
 * Returns the index of @controller in the kernel's enum cgroup_subsys_id, as BTF shows it. Returns -1 if the kernel
 * does not have this controller.
 */
int cgroup_subsys_index(const char *controller);

/* A callback that returns the size of a cgroup's reclaimable slabs on cgroup v1, where no file shows this size. */
struct cgroup_slabs {
	int64_t (*bytes)(void *data); /* -1: not known */
	void *data;
};

/*
 * Reads the memory values of the cgroup @path, all at one moment. Sets values that are not known to -1.
 *
 * @slabs: reads the size of the cgroup's reclaimable slabs on v1. NULL if this size cannot be read, so the memory used
 * includes the slabs. If @slabs does not know the size, or if the size changes too quickly, the memory used is set to
 * -1. Otherwise the memory used would be too high, and its peak would stay too high.
 */
void cgroup_memory_read(const struct cgroup_layout *layout, const char *path, const struct cgroup_slabs *slabs,
			struct cgroup_memory *memory);

/* Returns the value of @key in @text, which has lines such as "shmem 4096". Returns -1 if @text does not have @key. */
int64_t cgroup_stat_value(const char *text, const char *key);

/*
 * Opens the directory of @path in the hierarchy of @controller. Returns a descriptor; -1 if the directory does not
 * exist.
 */
int cgroup_open(const struct cgroup_layout *layout, const char *controller, const char *path);

/* Returns the CPU time that the cgroup @path has used, in ns; -1 if nothing counts it. */
int64_t cgroup_cpu_ns(const struct cgroup_layout *layout, const char *path);

/* Writes the CPUs of the cgroup @path ("0-3,8") to @list. Returns 0; -1 if no cpuset limits the CPUs. */
int cgroup_cpus(const struct cgroup_layout *layout, const char *path, char *list, size_t size);

#endif
