/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the thread that runs now, for programs that count its work.
 */
#ifndef STINT_CURRENT_H
#define STINT_CURRENT_H

#include "bpf/member.h"

/*
 * Returns the thread of @task, which runs now. Returns NULL if the thread belongs to no job, or if it is Slurm's own.
 */
static __always_inline struct thread *thread_of_current(struct task_struct *task)
{
	struct thread *t;

	if (!task->bpf_storage)
		return NULL;
	t = thread_get(task);
	return t && t->job && !t->slurm ? t : NULL;
}

/* Works like thread_of_current(), for a caller that does not need the task otherwise. Finding the task costs a call. */
static __always_inline struct thread *current_thread(void)
{
	return thread_of_current(bpf_get_current_task_btf());
}

/*
 * Returns the sums of the thread @t of @task, which runs now. These sums are for amounts that the kernel does not count
 * itself. While the thread runs, nothing else adds to these sums, so they need no atomic operations. Returns NULL if
 * out of memory.
 */
static __always_inline struct thread_use *use_of_current(struct task_struct *task, struct thread *t)
{
	struct thread_use *use = STORAGE_MAKE(&thread_uses, task, 0);

	if (use) {
		t->extra = 1;
	} else {
		struct totals *job = totals_get(t->job);

		if (job)
			ADD(job->lost_tasks, 1);
	}
	return use;
}

static __always_inline struct thread_use *current_use(struct thread *t)
{
	return use_of_current(bpf_get_current_task_btf(), t);
}

#endif
