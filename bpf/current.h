/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that runs right now, for programs that count what it does itself. */
#ifndef STINT_CURRENT_H
#define STINT_CURRENT_H

#include "bpf/member.h"

/* The thread that runs right now, where it is one of a job's user; NULL for all others. */
static __always_inline struct thread *current_thread(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread *t;

	if (!task->bpf_storage)
		return NULL;
	t = thread_get(task);
	return t && t->job && !t->slurm ? t : NULL;
}

/*
 * Where what the thread @t, which runs right now, uses beyond the kernel's own sums adds up. Nobody else does while it
 * runs, so that the sums grow without atomic steps. NULL when there is no memory.
 */
static __always_inline struct thread_use *current_use(struct thread *t)
{
	struct thread_use *use;

	use = bpf_task_storage_get(&thread_uses, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (use) {
		t->extra = 1;
	} else {
		struct totals *job = totals_get(t->job);

		if (job)
			ADD(job->lost_tasks, 1);
	}
	return use;
}

#endif
