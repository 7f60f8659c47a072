/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread's true end. sched_process_exit comes too early for CPU time: there
 * sum_exec_runtime is as old as the last tick, and taskstats reads it earlier
 * still. When a dead thread is switched out for good, all is counted.
 */
#include "bpf/account.h"

static __always_inline void thread_end(struct task_struct *task)
{
	struct thread *t = thread_get(task);
	struct process *p;

	if (!t || !t->job)
		return;
	p = process_get(task);
	thread_count(task, t, p, task->se.sum_exec_runtime);
	t->job = 0;
	process_thread_ended(p, (u64)task->signal);
}

/* io_uring's workers are made without a fork event; their process' entry tells whose they are. */
static __noinline void worker_enter(struct task_struct *task)
{
	struct thread fresh = {};
	struct member member;
	struct process *p;
	bool first;

	p = process_get(task);
	if (!p)
		return;
	member.job = p->job;
	member.step = p->step;
	thread_enter(task, &member, &fresh, p, &first);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(thread_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct thread *t;

	if (prev->__state == TASK_DEAD)
		thread_end(prev);
	if (next->flags & PF_KTHREAD)
		return 0;
	t = thread_get(next);
	if (!t) {
		if (!(next->flags & PF_IO_WORKER))
			return 0;
		worker_enter(next);
		t = thread_get(next);
		if (!t)
			return 0;
	}
	t->in_cpu = next->se.sum_exec_runtime;
	t->in_ns = bpf_ktime_get_ns();
	return 0;
}
