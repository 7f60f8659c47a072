/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the kernel keep more memory for map elements ready on each CPU, because programs cannot wait for memory.
 *
 * A new map has only one large element ready (kernel/bpf/memalloc.c, prefill_mem_cache()). After its first use, there
 * are dozens.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/kernel/programs_internal.h"
#include "common/cleanup.h"

/* Changes no count: no program knows the key. */
static void touch(int map, const void *key, const void *value)
{
	if (bpf_map_update_elem(map, key, value, BPF_NOEXIST) == 0)
		bpf_map_delete_elem(map, key);
}

static void touch_all(const int *storages, const int *hashes, const void *value)
{
	const __u64 nobody = 0;
	int self = syscall(SYS_pidfd_open, getpid(), 0);

	for (int i = 0; self >= 0 && storages[i] >= 0; i++)
		touch(storages[i], &self, value);
	for (int i = 0; hashes[i] >= 0; i++)
		touch(hashes[i], &nobody, value);
	if (self >= 0)
		close(self);
}

void programs__warm(struct bpf_object *object)
{
	const int storages[] = { bpf_object__find_map_fd_by_name(object, "threads"),
				 bpf_object__find_map_fd_by_name(object, "thread_uses"), -1 };
	const int hashes[] = { bpf_object__find_map_fd_by_name(object, "processes"),
			       bpf_object__find_map_fd_by_name(object, "process_uses"), -1 };
	cleanup_free void *value = calloc(1, sizeof(struct tool));
	cpu_set_t before, one;

	if (!value || sched_getaffinity(0, sizeof(before), &before) < 0)
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &before))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (sched_setaffinity(0, sizeof(one), &one) == 0)
			touch_all(storages, hashes, value);
	}
	sched_setaffinity(0, sizeof(before), &before);
}
