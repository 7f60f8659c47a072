/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that the kernel's out-of-memory killer chose. Some kernels show only the victim's pid. With such a
 * kernel, stintd learns the victim's job only when the process has ended.
 */
#ifndef STINT_JOB_OOM_H
#define STINT_JOB_OOM_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/abi.h"

#define OOM_VICTIMS_MAX 64 /* the most victims of a job that are stored separately */
#define OOM_WAITING_MAX 256
#define OOM_WAITING_NS 60000000000ull /* time after the kill; a process with the victim's pid that ends later is another process */

struct oom_victim {
	uint64_t time_ns; /* CLOCK_BOOTTIME */
	uint64_t tool;
	uint64_t step; /* its cgroup */
	uint64_t rss_bytes; /* 0: not known, for example because the kernel showed only the pid */
	uint64_t used_bytes; /* rss_bytes without the pages of mapped files */
	uint64_t limit_bytes; /* memory limit of the victim's own cgroups; 0: not known, or none */
	struct oom_state state;
	uint32_t pid;
	/*
	 * The kernel chose another process, and killed this one because both are in the same group (memory.oom.group).
	 */
	bool along;
	char comm[ABI_COMM_MAX];
};

/* The OOM victims of a job. */
struct ooms {
	struct oom_victim *victims;
	uint32_t count;
	uint64_t lost;   /* victims beyond OOM_VICTIMS_MAX */
	uint64_t kills;  /* kills that the kernel programs could not count for the job */
};

/* OOM victims whose job is not known yet, because the kernel showed only their pids. */
struct oom_waiting {
	struct waiting_victim {
		uint32_t pid; /* 0: none */
		uint64_t time_ns;
	} victims[OOM_WAITING_MAX];
};

/* Adds a victim to the job's list. @event is an EVENT_OOM that identifies the process. */
void oom_add(struct ooms *ooms, const struct event *event);

/* Works like oom_add(), for a victim that the kernel programs did not count. */
void oom_add_uncounted(struct ooms *ooms, const struct event *event);

/*
 * Remembers that the out-of-memory killer chose the process @pid at @time_ns (CLOCK_BOOTTIME). The job of this process
 * is not known yet, and the process may belong to no job.
 */
void oom_wait(struct oom_waiting *waiting, uint32_t pid, uint64_t time_ns);

/*
 * Returns true if the image that ended with @event, an EVENT_IMAGE, was a victim that oom_wait() remembered. In this
 * case fills *@oom with an EVENT_OOM for this victim.
 */
bool oom_was_victim(struct oom_waiting *waiting, const struct event *event, struct event *oom);

void oom_free(struct ooms *ooms);

#endif
