/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Victims of the kernel's OOM killer. Some kernels show only the pid, so stintd learns the job when the victim ends. */
#ifndef STINT_JOB_OOM_H
#define STINT_JOB_OOM_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/abi.h"

#define OOM_VICTIMS_MAX 64 /* of a job, stored separately */
#define OOM_WAITING_MAX 256
#define OOM_WAITING_NS 60000000000ull /* later, the pid is another process */

struct oom_victim {
	uint64_t time_ns; /* CLOCK_BOOTTIME */
	uint64_t tool;
	uint64_t step; /* its cgroup */
	uint64_t rss_bytes; /* 0: not known */
	uint64_t used_bytes; /* rss_bytes without mapped files */
	uint64_t limit_bytes; /* of the victim's cgroups; 0: not known */
	struct oom_state state;
	uint32_t pid;
	/* Killed with its group (memory.oom.group), because the kernel chose another process of the group. */
	bool along;
	char comm[ABI_COMM_MAX];
};

struct ooms {
	struct oom_victim *victims;
	uint32_t count;
	uint64_t lost;   /* beyond OOM_VICTIMS_MAX */
	uint64_t kills;  /* not counted for the job */
};

/* Victims of which only the pid is known. */
struct oom_waiting {
	struct waiting_victim {
		uint32_t pid; /* 0: none */
		uint64_t time_ns;
	} victims[OOM_WAITING_MAX];
};

/* Adds a victim to the job's list. @event: the EVENT_OOM */
void oom_add(struct ooms *ooms, const struct event *event);

/* Works like oom_add(), for a process that was not counted for the job. */
void oom_add_uncounted(struct ooms *ooms, const struct event *event);

/* Remembers that @pid was killed at @time_ns (CLOCK_BOOTTIME). The process may belong to no job. */
void oom_wait(struct oom_waiting *waiting, uint32_t pid, uint64_t time_ns);

/* Returns true if @event, an EVENT_IMAGE, is the end of a remembered victim. Sets *@oom to the victim's EVENT_OOM. */
bool oom_was_victim(struct oom_waiting *waiting, const struct event *event, struct event *oom);

void oom_free(struct ooms *ooms);

#endif
