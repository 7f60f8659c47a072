/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds threads that were in a job's cgroup before the kernel programs knew it.
 *
 * A walk over all threads of the node would take long. So this looks only at the cgroup's processes.
 */
#include "collector/kernel/programs_internal.h"

#include <time.h>

#include "collector/host/cgroup.h"

/* with more processes in the cgroup, all threads are scanned */
#define PROCESSES_MAX 64
#define ROUNDS_MAX 8

struct looked_at {
	pid_t pids[PROCESSES_MAX];
	int count;
};

static bool has(const struct looked_at *looked_at, pid_t pid)
{
	for (int i = 0; i < looked_at->count; i++)
		if (looked_at->pids[i] == pid)
			return true;
	return false;
}

/*
 * Scans the processes that are not in @looked_at, and adds them. Does not add a process that is still creating a
 * thread.
 * Returns how many were scanned; -1 if all threads of the node must be scanned.
 */
static int look_at_new(struct programs *p, const struct cgroup_layout *layout, const struct cgroup_job *cgroup,
		       struct looked_at *looked_at)
{
	pid_t pids[PROCESSES_MAX];
	int count = cgroup_processes(layout, cgroup, pids, PROCESSES_MAX), fresh = 0;

	for (int i = 0; i < count; i++) {
		struct error why;
		bool early;

		if (has(looked_at, pids[i]))
			continue;
		if (looked_at->count == PROCESSES_MAX || programs__scan_process(p, pids[i], &early, &why) < 0)
			return -1;
		if (!early)
			looked_at->pids[looked_at->count++] = pids[i];
		fresh++;
	}
	return count < 0 ? -1 : fresh;
}

int programs__scan_cgroup(struct programs *p, const struct cgroup_layout *layout, const struct cgroup_job *cgroup,
			  struct error *err)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	struct looked_at looked_at = { .count = 0 };

	/*
	 * A process may fork before it is scanned, and its child is then not counted. So repeat until a round finds no
	 * new process.
	 */
	for (int i = 0; i < ROUNDS_MAX; i++) {
		int before = looked_at.count, fresh = look_at_new(p, layout, cgroup, &looked_at);

		if (fresh == 0)
			return 0;
		if (fresh < 0)
			break;
		if (looked_at.count - before < fresh)
			nanosleep(&moment, NULL);
	}
	return programs__scan(p, err);
}
