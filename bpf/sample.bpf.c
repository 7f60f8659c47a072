/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One walk over all tasks sums up what live threads have not added to the totals yet:
 * that and the totals are what a job has used by now. Nothing is moved, so that the walk
 * can neither lose nor double anything; what it sees of a running thread is as old
 * as the last tick.
 */
#include "bpf/account.h"
#include "bpf/memory.h"

#define ACTIVE_SHARE 1000 /* of the time since the last walk: less CPU time than a thousandth is none */

static __always_inline struct thread_use *extra_uses(struct task_struct *task, const struct thread *t)
{
	return t->extra ? bpf_task_storage_get(&thread_uses, task, 0, 0) : NULL;
}

static __always_inline u64 bytes_used(struct task_struct *task, const struct thread *t)
{
	struct thread_use *extra = extra_uses(task, t);
	u64 bytes = task->ioac.rchar + task->ioac.wchar + task->ioac.read_bytes + task->ioac.write_bytes;

	if (extra)
		bytes += extra->use[USE_SOCKET_RX_BYTES] + extra->use[USE_SOCKET_TX_BYTES];
	return bytes;
}

/* Whether the thread did anything since the last walk. One whose child works is no idler. */
static __always_inline bool is_active(struct task_struct *task, struct thread *t, u64 now)
{
	u64 cpu = task->se.sum_exec_runtime, bytes = bytes_used(task, t);
	bool active = !t->sampled_ns || bytes != t->sampled_bytes || t->wait == WAIT_CHILD ||
		      (cpu - t->sampled_cpu) * ACTIVE_SHARE > now - t->sampled_ns;

	t->sampled_ns = now;
	t->sampled_cpu = cpu;
	t->sampled_bytes = bytes;
	return active;
}

/* Keeps the longest time in which no thread of the process did anything, though the node was awake. */
static __always_inline void note_quiet(struct process *p, bool active, u64 now)
{
	if (active || !p->active_ns) {
		p->active_ns = now;
		return;
	}
	if (now > p->active_ns && now - p->active_ns > p->quiet_ns) {
		p->quiet_ns = now - p->active_ns;
		p->quiet_since_ns = bpf_ktime_get_boot_ns() - p->quiet_ns;
	}
}

/* The part of its states that comes after the last switch-out. */
static __always_inline void sample_states(struct task_struct *task, const struct thread *t, struct sample *s, u64 now)
{
	u64 runnable = task->sched_info.run_delay - t->out_delay, wait = 0;
	u64 left = t->left_wait, use = RECORD_USE_OF_WAIT(left);

	if (t->wait)
		wait = now - t->out_ns;
	else if (t->in_ns > t->out_ns)
		wait = t->in_ns - t->out_ns;
	s->use[USE_RUNNABLE] += runnable;
	if (!left || wait >= (1ull << 62) || wait <= runnable)
		return;
	barrier_var(use); /* the bound is to be of the very register that is used */
	if (use < RECORD_USES_TOLD)
		s->use[use] += wait - runnable;
}

static __always_inline void sample_uses(struct task_struct *task, const struct thread *t, struct sample *s)
{
	s64 cpu = task->se.sum_exec_runtime - t->counted[KERNEL_CPU];
	s64 written = task->ioac.write_bytes - task->ioac.cancelled_write_bytes - t->counted[KERNEL_WRITE_BYTES];

	struct thread_use *extra = extra_uses(task, t);

	for (int i = 0; extra && i < RECORD_USES_TOLD; i++)
		s->use[i] += extra->use[i];
	for (int w = 0; w < WAITS; w++)
		s->use[RECORD_USE_OF_WAIT(w)] += t->state[w];
	s->use[USE_CPU] += cpu;
	s->use[USE_ON_CPU] += cpu - t->on_cpu_before;
	s->use[USE_READ_BYTES] += task->ioac.read_bytes - t->counted[KERNEL_READ_BYTES];
	s->use[USE_WRITE_BYTES] += written;
	s->use[USE_SYSCALL_READ_BYTES] += task->ioac.rchar - t->counted[KERNEL_SYSCALL_READ_BYTES];
	s->use[USE_SYSCALL_WRITE_BYTES] += task->ioac.wchar - t->counted[KERNEL_SYSCALL_WRITE_BYTES];
}

SEC("iter/task")
int sample_tasks(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct process *p;
	struct sample *s;
	struct thread *t;
	u64 now = bpf_ktime_get_ns();
	u32 slot;

	if (!task || (task->flags & PF_KTHREAD) || !task->bpf_storage)
		return 0;
	t = thread_get(task);
	if (!t || !t->job || !t->slot)
		return 0;
	p = process_get(task, t);
	if (p) {
		note_quiet(p, is_active(task, t, now), now);
		if (task->group_leader == task)
			process_raise_file_peak(p, task->mm, settings_get());
	}
	slot = t->slot;
	s = bpf_map_lookup_elem(&samples, &slot);
	if (!s || s->job != t->job)
		return 0;
	s->threads++;
	if (task->group_leader == task)
		s->processes++;
	sample_uses(task, t, s);
	sample_states(task, t, s, now);
	return 0;
}
