/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores signals by which another process ends a process on purpose. Such an end is no failure.
 *
 * The sender is an ancestor, such as mpirun or timeout, or the step daemon at the end of a step.
 */
#include "bpf/current.h"
#include "bpf/enter.h"

#define SIGCHLD 17
#define SIGNALS 32
#define ANCESTORS_MAX 8

/*
 * Returns true if a program sent the signal. If the kernel sent it, @info is 0 or 1, or si_code is above 0.
 * Some kernels (6.12.117) treat @info as a number, so only a helper can read it (btf_ctx_access() in kernel/bpf/btf.c).
 */
static __always_inline bool is_programs(const struct kernel_siginfo *info)
{
	return (u64)info > 1 && BPF_CORE_READ(info, si_code) <= 0;
}

/* Returns true if the sender is an ancestor of @task in the same job, and not Slurm's own. */
static __noinline bool comes_from_above(struct task_struct *task, u64 job)
{
	struct thread *sender = current_thread();
	struct signal_struct *process = bpf_get_current_task_btf()->signal;
	struct task_struct *leader;

	if (!task || !sender || sender->job != job)
		return false;
	leader = task->group_leader;
	for (int i = 0; i < ANCESTORS_MAX; i++) {
		leader = leader->real_parent->group_leader;
		if (leader->signal == process)
			return true;
	}
	return false;
}

/*
 * Returns true if the step daemon kills @p, and the parent of @p is no process of the user in the job.
 *
 * Returns false for processes that a task started: the task should have waited for these processes.
 */
static __noinline bool clears_up(struct task_struct *task, const struct process *p)
{
	struct task_struct *sender = bpf_get_current_task_btf();
	const struct settings *s = settings_get();
	struct thread *parent;

	if (!task || !p || !s || (p->flags & PROCESS_OF_TASK) || !runs_stepd(BPF_CORE_READ(sender, mm, exe_file), s))
		return false;
	parent = thread_get(task->group_leader->real_parent);
	return !parent || parent->job != p->job || parent->slurm;
}

SEC("tp_btf/signal_generate")
int BPF_PROG(signal_sent, int signal, struct kernel_siginfo *info, struct task_struct *task)
{
	struct process *p;
	struct thread *t;

	/* The kernel sends SIGCHLD each time a child ends. */
	if (signal == SIGCHLD || signal <= 0 || signal >= SIGNALS || !task->bpf_storage)
		return 0;
	t = thread_get(task);
	if (!t || !t->job || t->slurm)
		return 0;
	p = process_get(task, t);
	if (!p)
		return 0;
	if ((is_programs(info) && comes_from_above(task, t->job)) ||
	    (signal == SIGKILL && (u64)info != 1 && clears_up(task, p)))
		__sync_fetch_and_or(&p->sent, BIT(signal & 31));
	return 0;
}
