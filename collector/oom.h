/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that the kernel's out-of-memory killer chose. Some kernels tell no more than the victim's pid; whose
 * process that was is told when it has ended.
 */
#ifndef STINT_OOM_H
#define STINT_OOM_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/record.h"

#define OOM_VICTIMS_MAX 64 /* of a job that are told one by one */
#define OOM_WAITING_MAX 64
#define OOM_WAITING_NS 60000000000ull /* a victim that has not ended by then is another's, and its pid will be, too */

struct oom_victim {
	uint64_t time_ns; /* CLOCK_BOOTTIME */
	uint64_t tool;
	uint64_t step; /* its cgroup */
	uint64_t rss_bytes; /* 0: not known */
	uint64_t limit_bytes; /* of its own cgroups; 0: not known, or none */
	uint32_t pid;
	char comm[RECORD_COMM_MAX];
};

/* Of a job. */
struct ooms {
	struct oom_victim *victims;
	uint32_t count;
	uint64_t lost;   /* beyond OOM_VICTIMS_MAX */
	uint64_t kills;  /* that the kernel programs could not count for the job */
};

/* Victims of whom the pid alone is known. */
struct oom_waiting {
	struct {
		uint32_t pid; /* 0: none */
		uint64_t time_ns;
	} victims[OOM_WAITING_MAX];
	unsigned int next;
};

/* Notes a victim of the job's: @event is an EVENT_OOM that tells whose process it is. */
void oom_add(struct ooms *ooms, const struct event *event);

/* The same for one that the kernel programs did not count. */
void oom_add_uncounted(struct ooms *ooms, const struct event *event);

/* Notes that the process @pid was chosen at @time_ns, whosever it is. */
void oom_wait(struct oom_waiting *waiting, uint32_t pid, uint64_t time_ns);

/*
 * Whether the image that ended with @event, an EVENT_IMAGE, was a victim that is waited for. Then @event is made the
 * EVENT_OOM that tells of it.
 */
bool oom_was_victim(struct oom_waiting *waiting, const struct event *event, struct event *told);

void oom_free(struct ooms *ooms);

#endif
