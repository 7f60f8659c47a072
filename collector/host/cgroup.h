/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cgroups of a job: where they are, and what their files show. They are found through the processes in them (the
 * step daemon and a task), never by a path made from names. Supports cgroup v1 (also beside an empty v2 tree, "hybrid")
 * and v2.
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
	char path[256];       /* where it is mounted */
};

struct cgroup_layout {
	char proc[256]; /* where processes are looked up: /proc */
	struct cgroup_mount mounts[CGROUP_CONTROLLERS_MAX];
	int count;
};

struct cgroup_job {
	int hierarchy_id;   /* the kernel's number; 0 is cgroup v2 */
	char controller[32]; /* its hierarchy decides which threads are the job's; empty for cgroup v2 */
	char job_path[PATH_MAX];  /* in the hierarchy, "/slurm_n1/uid_1/job_2"; the same in every v1 hierarchy */
	char step_name[NAME_MAX + 1]; /* of the step's directory, right below */
	uint64_t job_id;    /* the cgroups' own 64-bit ids: paths are reused, these are not */
	uint64_t step_id;
	int memory_hierarchy_id; /* -1: none has the memory controller */
	uint64_t memory_job_id;  /* the ids of the job's and the step's cgroups in that one; 0: not there */
	uint64_t memory_step_id;
	uint64_t stepd_start_ns; /* CLOCK_BOOTTIME when slurmd started the step's daemon, to a clock tick; 0: not known */
};

struct cgroup_memory {
	int64_t used_bytes;    /* anon + shmem + kernel, without reclaimable slabs; -1 not known */
	int64_t cache_bytes;   /* file pages without shmem; -1 not known */
	int64_t swap_bytes;    /* -1: not accounted */
	int64_t charged_peak_bytes; /* -1 not known */
	int64_t limit_bytes;   /* -1: none, or not known */
};

/* Reads which hierarchies are mounted where. Returns 0; -1 with @err set if there is none. */
int cgroup_layout_read(struct cgroup_layout *layout, struct error *err);

/*
 * Finds the path of the cgroup of process @pid in the hierarchy of @controller ("" for cgroup v2). Returns 0; -1 if it
 * is in none.
 */
int cgroup_of_process(const struct cgroup_layout *layout, pid_t pid, const char *controller, char path[PATH_MAX]);

/* Returns where the hierarchy of @controller ("" for cgroup v2) is mounted; NULL: nowhere. */
const struct cgroup_mount *cgroup_find_mount(const struct cgroup_layout *layout, const char *controller);

/*
 * Lists the processes in the job's cgroup @job or below it, in the hierarchy that decides which threads are the job's.
 * A process that moves meanwhile may be listed twice.
 *
 * @pids: filled; room for @max
 *
 * Returns how many there are; -1: more than @max, or in too many cgroups, or they cannot be read.
 */
int cgroup_processes(const struct cgroup_layout *layout, const struct cgroup_job *job, pid_t *pids, int max);

/* The processes of a step, from the plugin's messages. */
struct cgroup_step {
	pid_t stepd_pid; /* its daemon */
	pid_t task_pid; /* 0: not known */
	uint64_t seen_ns; /* CLOCK_BOOTTIME when the pids were right; a process that started later is another one */
};

/*
 * Finds the job's and the step's cgroup. The step's is the deepest one that holds both its daemon and its task; the
 * job's is its parent. A hierarchy is skipped if the step daemon is in the same cgroup as its parent or as older
 * processes (slurmd), or if the job's cgroup would hold slurmd or the caller. If the job has a cgroup of cpuacct on
 * cgroup v1, that hierarchy decides membership: stint then counts the same as that cgroup. Slurm's step daemon is not
 * in it there.
 *
 * @hierarchy_id: the one that decides membership already; -1 if none was chosen yet
 *
 * Returns 0; -1 with @err set if no hierarchy scopes the step, or it is over.
 */
int cgroup_find(const struct cgroup_layout *layout, const struct cgroup_step *step, int hierarchy_id, struct cgroup_job *found,
		struct error *err);

/* Whether the process @pid is alive, and had this number at @seen_ns (CLOCK_BOOTTIME). */
bool cgroup_process_lives(const struct cgroup_layout *layout, pid_t pid, uint64_t seen_ns);

/* Index of @controller among the kernel's own (enum cgroup_subsys_id), by BTF; -1 if it has none. */
int cgroup_subsys_index(const char *controller);

/* Knows a cgroup's reclaimable slabs on cgroup v1, if no file has them. */
struct cgroup_slabs {
	int64_t (*bytes)(void *data); /* -1: not known */
	void *data;
};

/*
 * Reads the memory figures of the cgroup @path; unknown figures become -1. All figures are from one moment.
 *
 * @slabs: on v1, the cgroup's; NULL: they cannot be read, and they stay in the memory used. If it does not know
 * them, or they change too quickly to be separated, the memory used is not known either: it would be too high, and
 * would stay as a peak.
 */
void cgroup_memory_read(const struct cgroup_layout *layout, const char *path, const struct cgroup_slabs *slabs,
			struct cgroup_memory *memory);

/* Returns the value of @key in @text, a file of lines such as "shmem 4096"; -1: it has none. */
int64_t cgroup_stat_value(const char *text, const char *key);

/* Opens the directory of @path in the hierarchy of @controller; -1 if it does not exist. */
int cgroup_open(const struct cgroup_layout *layout, const char *controller, const char *path);

/* Returns the CPU time that the cgroup @path has used, in nanoseconds; -1 if nothing counts it. */
int64_t cgroup_cpu_ns(const struct cgroup_layout *layout, const char *path);

/* Writes the processors of the cgroup @path ("0-3,8") to @list. Returns 0, or -1 if no cpuset limits it. */
int cgroup_cpus(const struct cgroup_layout *layout, const char *path, char *list, size_t size);

#endif
