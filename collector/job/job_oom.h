/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that the kernel's out-of-memory killer chose. Some kernels show only the victim's pid: then the job is
 * known only when the process has ended.
 */
#ifndef STINT_JOB_OOM_H
#define STINT_JOB_OOM_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/abi.h"

#define OOM_VICTIMS_MAX 64 /* of a job that are stored one by one */
#define OOM_WAITING_MAX 256
#define OOM_WAITING_NS 60000000000ull /* if a process with this pid ends later, it is another one, not the victim */

struct oom_victim {
	uint64_t time_ns; /* CLOCK_BOOTTIME */
	uint64_t tool;
	uint64_t step; /* its cgroup */
	uint64_t rss_bytes; /* 0: not known, for example if the kernel showed only the pid */
	uint64_t used_bytes; /* rss_bytes without the pages of mapped files */
	uint64_t limit_bytes; /* of its own cgroups; 0: not known, or none */
	struct oom_state state;
	uint32_t pid;
	bool along; /* the kernel chose another process, and killed this one with it (memory.oom.group) */
	char comm[ABI_COMM_MAX];
};

/* The victims of a job. */
struct ooms {
	struct oom_victim *victims;
	uint32_t count;
	uint64_t lost;   /* victims beyond OOM_VICTIMS_MAX */
	uint64_t kills;  /* kills that the kernel programs could not count for the job */
};

/* Victims of which only the pid is known. */
struct oom_waiting {
	struct waiting_victim {
		uint32_t pid; /* 0: none */
		uint64_t time_ns;
	} victims[OOM_WAITING_MAX];
};

/* Adds a victim to those of the job: @event is an EVENT_OOM that says whose process it is. */
void oom_add(struct ooms *ooms, const struct event *event);

/* The same for a victim that the kernel programs did not count. */
void oom_add_uncounted(struct ooms *ooms, const struct event *event);

/* Notes that the process @pid, of any job or none, was chosen at @time_ns. */
void oom_wait(struct oom_waiting *waiting, uint32_t pid, uint64_t time_ns);

/*
 * Whether the image that ended with @event, an EVENT_IMAGE, was an expected victim. Then fills *@oom with the EVENT_OOM
 * of that victim.
 */
bool oom_was_victim(struct oom_waiting *waiting, const struct event *event, struct event *oom);

void oom_free(struct ooms *ooms);

#endif
