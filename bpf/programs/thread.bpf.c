/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the states of threads at switches, and sees when a thread really ends.
 *
 * sched_process_exit is too early: sum_exec_runtime is then as old as the last tick.
 * A thread of no job has no storage, and costs no lookup.
 */
#define WITH_CASTS
#include "bpf/account.h"
#include "bpf/queue_clock.h"

struct end_scratch_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct process_use);
};
struct end_scratch_map end_scratch SEC(".maps");

static __noinline void thread_end(struct task_struct *task, struct thread *t)
{
	u32 zero = 0;
	struct process_use *room = bpf_map_lookup_elem(&end_scratch, &zero);

	if (room)
		thread_leave(task, t, room);
}

static __always_inline void thread_out(struct task_struct *task, struct thread *t, bool sleep, u64 now)
{
	u64 cpu = task->se.sum_exec_runtime;
	u32 wait = WAIT_NONE;
	struct pressure *p;

	cpu_used(t, cpu - t->out_cpu);
	if (t->wait)
		thread_woken_before_out(task, t, now, cpu);
	states_count(task, t, now, cpu, WAIT_NONE);
	if (sleep)
		wait = wait_of(task, t);
	t->wait = t->left_wait = wait;
	if (!wait) {
		quota_runnable(task, t);
		return;
	}
	p = pressure_get(t);
	if (p)
		pressure_sleep(p, wait, now);
}

static __always_inline void thread_in(struct task_struct *task, struct thread *t, u64 now)
{
	t->in_ns = now;
	if (t->wait)
		thread_woken_before_in(task, t, now);
	quota_count(task, t, now);
}

/* A wait ends at the wake-up, not when the thread gets a CPU. So the waits of a job end in their true order. */
SEC("tp_btf/sched_wakeup")
int BPF_PROG(thread_wakeup, struct task_struct *task)
{
	struct thread *t;

	if (!task->bpf_storage)
		return 0;
	t = thread_get(task);
	if (t && t->job && t->wait)
		thread_woken(task, t, clock_at_wakeup(task));
	return 0;
}

/*
 * Counts a thread of the process that was last moved into a job.
 *
 * From Slurm 24.11 on, a step daemon has several threads when it is moved into the job.
 * The caller holds the run queue's lock.
 */
static __noinline void attached_enter(struct task_struct *task)
{
	struct thread *leader = thread_get(task->group_leader), *t;
	struct member member;
	bool first;

	if (!leader || !leader->job || !member_of_task(task, &member) || !STORAGE_MAKE(&threads, task, 0))
		return;
	t = thread_enter(task, &member, slurm_process_flags(leader->slurm), &first);
	if (!t)
		return;
	kernel_uses_read(task, task->se.sum_exec_runtime, t->counted);
	if (!t->slurm)
		states_begin(task, t, t->start_ns, WAIT_NONE);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(thread_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct thread *t;
	u64 now = 0;

	if (prev->bpf_storage) {
		t = thread_get(prev);
		if (t && t->job) {
			u32 state = state_of(prev);
			bool sleep = !preempt && state;

			now = clock_at_switch(prev, next, sleep);
			if (state == TASK_DEAD) {
				cpu_used(t, prev->se.sum_exec_runtime - t->out_cpu);
				thread_end(prev, t);
			} else if (!t->slurm)
				thread_out(prev, t, sleep, now);
		}
	}
	if (next->bpf_storage) {
		t = thread_get(next);
		if (t && t->job) {
			/* A step daemon leaves the job's cgroup at the end of its step. */
			if (t->slurm && thread_has_left(next, t))
				thread_end(next, t);
			else
				thread_in(next, t, now ? now : clock_at_switch(next, next, false));
		}
	} else if (storage_without_locks() && attached_tgid && next->tgid == attached_tgid) {
		/* attached_tgid is 0 until a process is moved. The tgid of a CPU's idle thread is also 0. */
		attached_enter(next);
	}
	return 0;
}
