/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the thread that runs now, for programs that count its work.
 */
#ifndef STINT_CURRENT_H
#define STINT_CURRENT_H

#include "bpf/member.h"

/* Returns NULL if @task belongs to no job, or is Slurm's own. */
static __always_inline struct thread *thread_of_current(struct task_struct *task)
{
	struct thread *t;

	if (!task->bpf_storage)
		return NULL;
	t = thread_get(task);
	return t && t->job && !t->slurm ? t : NULL;
}

static __always_inline struct thread *current_thread(void)
{
	return thread_of_current(bpf_get_current_task_btf());
}

/* Returns NULL if out of memory. Only the running thread adds to its sums, so no atomics are needed. */
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
