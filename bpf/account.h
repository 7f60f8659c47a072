/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The accounts: a thread's growth goes to its process, step and job when it
 * ends (and at an exec, or when it leaves the job); a process' image goes to
 * its tool when it ends. Each is added once, so all sums agree.
 */
#ifndef STINT_ACCOUNT_H
#define STINT_ACCOUNT_H

#include "bpf/member.h"

#define ADD(field, value) __sync_fetch_and_add(&(field), (value))

/* Raises *@peak to @value. A lost race is tried again; the bound is there for the verifier. */
static __always_inline void raise(u64 *peak, u64 value)
{
	for (int i = 0; i < 16; i++) {
		u64 seen = *(volatile u64 *)peak;

		if (seen >= value || __sync_val_compare_and_swap(peak, seen, value) == seen)
			return;
	}
}

static __always_inline u64 positive(u64 value)
{
	return (s64)value > 0 ? value : 0;
}

static __always_inline void totals_thread_started(struct totals *t)
{
	if (t)
		raise(&t->threads_peak, ADD(t->threads, 1) + 1);
}

static __always_inline void totals_thread_ended(struct totals *t)
{
	if (t)
		ADD(t->threads, (u64)-1);
}

static __always_inline void totals_process_started(struct totals *t)
{
	if (t)
		ADD(t->processes, 1);
}

/* One more of the user's threads lives, in a job and its step. */
static __always_inline void thread_started(const struct member *member)
{
	totals_thread_started(totals_get(member->job));
	totals_thread_started(step_totals_get(member));
}

static __always_inline void process_started(const struct member *member)
{
	totals_process_started(totals_get(member->job));
	totals_process_started(step_totals_get(member));
}

/* What a thread has used up to now, as far as it is counted. */
static __always_inline void thread_read(struct task_struct *task, u64 cpu_ns, struct thread *now)
{
	now->counted_cpu_ns = cpu_ns;
	now->counted_user_ns = task->utime;
	now->counted_system_ns = task->stime;
	now->counted_read_bytes = task->ioac.read_bytes;
	now->counted_write_bytes = task->ioac.write_bytes - task->ioac.cancelled_write_bytes;
}

/*
 * The CPU time of the thread that runs right now. sum_exec_runtime is refreshed
 * on ticks and switches only; what came since the switch-in is added.
 */
static __always_inline u64 running_cpu_ns(struct task_struct *task, const struct thread *t)
{
	u64 cpu = task->se.sum_exec_runtime;

	if (t->in_ns) {
		u64 now = t->in_cpu + (bpf_ktime_get_ns() - t->in_ns);

		if (now > cpu)
			cpu = now;
	}
	return cpu;
}

static __always_inline void totals_grow(struct totals *t, const struct thread *growth)
{
	if (!t)
		return;
	ADD(t->cpu_ns, growth->counted_cpu_ns);
	ADD(t->user_ns, growth->counted_user_ns);
	ADD(t->system_ns, growth->counted_system_ns);
	ADD(t->read_bytes, growth->counted_read_bytes);
	ADD(t->write_bytes, growth->counted_write_bytes);
}

/*
 * Adds what @task used since it was last counted to its process (may be NULL),
 * step and job. A growth can be below zero by some microseconds, when
 * running_cpu_ns() had been ahead of the scheduler's clock; the sums take it as it is.
 */
static __noinline void thread_count(struct task_struct *task, struct thread *t, struct process *p, u64 cpu_ns)
{
	struct thread now = {}, growth;
	struct member member;

	if (!task || !t)
		return;
	thread_read(task, cpu_ns, &now);
	growth.counted_cpu_ns = now.counted_cpu_ns - t->counted_cpu_ns;
	growth.counted_user_ns = now.counted_user_ns - t->counted_user_ns;
	growth.counted_system_ns = now.counted_system_ns - t->counted_system_ns;
	growth.counted_read_bytes = now.counted_read_bytes - t->counted_read_bytes;
	growth.counted_write_bytes = now.counted_write_bytes - t->counted_write_bytes;
	thread_read(task, cpu_ns, t);

	member.job = t->job;
	member.step = t->step;
	totals_grow(totals_get(member.job), &growth);
	totals_grow(step_totals_get(&member), &growth);
	if (!p)
		return;
	ADD(p->cpu_ns, growth.counted_cpu_ns);
	ADD(p->user_ns, growth.counted_user_ns);
	ADD(p->system_ns, growth.counted_system_ns);
	ADD(p->read_bytes, growth.counted_read_bytes);
	ADD(p->write_bytes, growth.counted_write_bytes);
}

static __always_inline void image_tell(const struct process *p, u32 flags, u64 now)
{
	struct event *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	u64 wake = BPF_RB_NO_WAKEUP;

	if (!e) {
		struct totals *job = totals_get(p->job);

		if (job)
			ADD(job->lost_records, 1);
		return;
	}
	__builtin_memset(e, 0, sizeof(*e));
	e->kind = EVENT_IMAGE;
	e->flags = flags;
	e->job = p->job;
	e->step = p->step;
	e->tool = p->tool;
	e->pid = p->pid;
	e->ppid = p->ppid;
	e->start_ns = p->start_ns;
	e->end_ns = now;
	e->cpu_ns = positive(p->cpu_ns);
	e->read_bytes = positive(p->read_bytes);
	e->write_bytes = positive(p->write_bytes);
	e->peak_bytes = p->peak_bytes;
	e->status = p->status;
	e->threads_peak = p->threads_peak;
	/* The collector looks by itself every second; it is woken when the ring fills faster. */
	if (bpf_ringbuf_query(&events, BPF_RB_AVAIL_DATA) > bpf_ringbuf_query(&events, BPF_RB_RING_SIZE) / 4)
		wake = BPF_RB_FORCE_WAKEUP;
	bpf_ringbuf_submit(e, wake);
}

/*
 * The program image of @p has ended, by an exec (@replaced) or at its
 * process' end: it goes to its tool, and a record of it through the ring.
 */
static __noinline void image_end(struct process *p, bool replaced)
{
	u64 now = bpf_ktime_get_boot_ns();
	struct totals *job, *step;
	struct tool_key key = {};
	struct tool *tool;
	bool execed;

	if (!p)
		return;
	execed = p->flags & EVENT_EXECED;
	key.job = p->job;
	key.tool = p->tool;
	tool = bpf_map_lookup_elem(&tools, &key);
	if (tool) {
		ADD(tool->cpu_ns, p->cpu_ns);
		ADD(tool->user_ns, p->user_ns);
		ADD(tool->system_ns, p->system_ns);
		ADD(tool->read_bytes, p->read_bytes);
		ADD(tool->write_bytes, p->write_bytes);
		raise(&tool->peak_bytes, p->peak_bytes);
		raise(&tool->threads_peak, p->threads_peak);
		raise(&tool->last_end_ns, now);
		if (execed)
			ADD(tool->wall_ns, now - p->start_ns);
		else if (!replaced)
			ADD(tool->forks, 1);
		if (execed && !replaced && p->status) {
			ADD(tool->failures, 1);
			if (p->status & 0x7f)
				ADD(tool->signals, 1);
		}
	}
	job = totals_get(p->job);
	if (job)
		raise(&job->process_peak_bytes, p->peak_bytes);
	step = p->step ? totals_get(p->step) : NULL;
	if (step)
		raise(&step->process_peak_bytes, p->peak_bytes);
	/* What a process does between fork and exec is its parent's image still, and no run of its own. */
	if (execed || !replaced)
		image_tell(p, p->flags | (replaced ? EVENT_REPLACED : 0), now);
}

/* One thread less in @p; the last one ends it. */
static __noinline void process_thread_ended(struct process *p, u64 key)
{
	if (!p)
		return;
	if (!(p->flags & EVENT_SLURM)) {
		totals_thread_ended(totals_get(p->job));
		if (p->step)
			totals_thread_ended(totals_get(p->step));
	}
	if (ADD(p->threads, (u64)-1) != 1)
		return;
	image_end(p, false);
	bpf_map_delete_elem(&processes, &key);
}

/*
 * Makes @task a thread of @member. @counted says what of its use is not the
 * job's (zero for a new thread). Returns its process' entry when it is the
 * first of it and the entry is to be filled (*@first), or an existing one, or NULL.
 */
static __noinline struct process *thread_enter(struct task_struct *task, const struct member *member,
					       const struct thread *counted, const struct process *image, bool *first)
{
	struct totals *job;
	struct process *p;
	struct thread *t;
	u64 key, peak;

	if (!task || !member || !counted || !image || !first)
		return NULL;
	*first = false;
	t = bpf_task_storage_get(&threads, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!t) {
		job = totals_get(member->job);
		if (job)
			ADD(job->lost_tasks, 1);
		return NULL;
	}
	*t = *counted;
	t->job = member->job;
	t->step = member->step;

	key = (u64)task->signal;
	p = bpf_map_lookup_elem(&processes, &key);
	if (!p) {
		*first = bpf_map_update_elem(&processes, &key, image, BPF_NOEXIST) == 0;
		p = bpf_map_lookup_elem(&processes, &key);
		if (!p) {
			job = totals_get(member->job);
			if (job)
				ADD(job->lost_tasks, 1);
			return NULL;
		}
	}
	peak = ADD(p->threads, 1) + 1;
	raise(&p->threads_peak, peak);
	if (!(p->flags & EVENT_SLURM)) {
		thread_started(member);
		if (*first)
			process_started(member);
	}
	return p;
}

#endif
