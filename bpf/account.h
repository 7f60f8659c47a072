/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The accounts: a thread's growth goes to its process, step and job when it
 * ends (and at an exec, or when it leaves the job); a process' image goes to
 * its tool when it ends. Each is added once, so all sums agree.
 */
#ifndef STINT_ACCOUNT_H
#define STINT_ACCOUNT_H

#include "bpf/states.h"

/* Raises *@peak to @value. A lost race is tried again; the bound is there for the verifier. */
static __always_inline void raise(u64 *peak, u64 value)
{
	for (int i = 0; i < 16; i++) {
		u64 seen = *(volatile u64 *)peak;

		if (seen >= value || __sync_val_compare_and_swap(peak, seen, value) == seen)
			return;
	}
}

/* In process.flags, for these programs alone: entries in "process_uses". */
#define PROCESS_USES 0x1000

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

/* What the kernel has counted for a thread by now. */
static __always_inline void kernel_uses_read(struct task_struct *task, u64 cpu_ns, u64 now[KERNEL_USES])
{
	now[KERNEL_CPU] = cpu_ns;
	now[KERNEL_READ_BYTES] = task->ioac.read_bytes;
	now[KERNEL_WRITE_BYTES] = task->ioac.write_bytes - task->ioac.cancelled_write_bytes;
	now[KERNEL_SYSCALL_READ_BYTES] = task->ioac.rchar;
	now[KERNEL_SYSCALL_WRITE_BYTES] = task->ioac.wchar;
	now[KERNEL_USER] = task->utime;
	now[KERNEL_SYSTEM] = task->stime;
	now[KERNEL_SYSCALL_READS] = task->ioac.syscr;
	now[KERNEL_SYSCALL_WRITES] = task->ioac.syscw;
	now[KERNEL_MINOR_FAULTS] = task->min_flt;
	now[KERNEL_MAJOR_FAULTS] = task->maj_flt;
	now[KERNEL_VOLUNTARY_SWITCHES] = task->nvcsw;
	now[KERNEL_INVOLUNTARY_SWITCHES] = task->nivcsw;
}

/* Adds the growth of what the kernel counts to @use; *@counted was counted before. */
static __always_inline void kernel_uses_grow(u64 use[USES], const u64 now[KERNEL_USES], const u64 counted[KERNEL_USES],
					     bool slurm)
{
#define GROW(name) use[USE_##name] += now[KERNEL_##name] - counted[KERNEL_##name]
	GROW(CPU);
	GROW(READ_BYTES);
	GROW(WRITE_BYTES);
	GROW(SYSCALL_READ_BYTES);
	GROW(SYSCALL_WRITE_BYTES);
	GROW(USER);
	GROW(SYSTEM);
	GROW(SYSCALL_READS);
	GROW(SYSCALL_WRITES);
	GROW(MINOR_FAULTS);
	GROW(MAJOR_FAULTS);
	GROW(VOLUNTARY_SWITCHES);
	GROW(INVOLUNTARY_SWITCHES);
#undef GROW
	if (!slurm)
		use[USE_ON_CPU] += now[KERNEL_CPU] - counted[KERNEL_CPU];
}

/*
 * The CPU time of the thread that runs right now. sum_exec_runtime is refreshed
 * on ticks and switches only; what came since the switch-in is added.
 */
static __always_inline u64 running_cpu_ns(struct task_struct *task, const struct thread *t, u64 now)
{
	u64 cpu = task->se.sum_exec_runtime;

	if (t->in_ns && t->in_cpu + (now - t->in_ns) > cpu)
		cpu = t->in_cpu + (now - t->in_ns);
	return cpu;
}

/* Takes what the kernel has counted for @task's thread into t->use, which is then all that it used since it was last added up. */
static __always_inline void thread_gather(struct task_struct *task, struct thread *t, u64 cpu_ns)
{
	u64 now[KERNEL_USES];

	kernel_uses_read(task, cpu_ns, now);
	kernel_uses_grow(t->use, now, t->counted, t->slurm);
	__builtin_memcpy(t->counted, now, sizeof(now));
}

/* Too large for the stack, as step_fresh. */
static const struct process_use process_use_fresh;

/* Where the ended threads of @task's process add up, made when there is none yet. */
static __always_inline struct process_use *process_use_make(u64 key, struct process *p)
{
	p->flags |= PROCESS_USES;
	bpf_map_update_elem(&process_uses, &key, &process_use_fresh, BPF_NOEXIST);
	return bpf_map_lookup_elem(&process_uses, &key);
}

/*
 * Adds @t's uses to its job's, its step's and another sum, each of which may be NULL, and empties them. A growth
 * can be below zero by some microseconds, when running_cpu_ns() had been ahead of the
 * scheduler's clock; the sums take it as it is. A global function: the verifier looks at it once.
 */
__weak __noinline int uses_add(struct thread *t, struct totals *job, struct totals *step, struct process_use *sum)
{
	if (!t)
		return 0;
	for (u32 i = 0; i < USES; i++) {
		u64 use;

		barrier_var(i); /* else the compiler adds to pointers before it has looked at them */
		use = t->use[i];
		if (!use)
			continue;
		t->use[i] = 0;
		if (job)
			ADD(job->use[i], use);
		if (step)
			ADD(step->use[i], use);
		if (sum)
			ADD(sum->use[i], use);
	}
	return 0;
}

static __always_inline void thread_add(struct thread *t, struct process_use *sum)
{
	struct member member = { .job = t->job, .step = t->step };

	uses_add(t, totals_get(member.job), step_totals_get(&member), sum);
}

/* What is used on behalf of @key's process by somebody else: the kernel, when a request of its is done. */
static __always_inline void process_use(u64 key, struct process *p, enum use use, u64 value)
{
	struct totals *job = totals_get(p->job), *step = p->step ? totals_get(p->step) : NULL;
	struct process_use *sum = process_use_make(key, p);

	if (sum)
		ADD(sum->use[use], value);
	if (job)
		ADD(job->use[use], value);
	if (step)
		ADD(step->use[use], value);
}

/* The states of @task's thread are counted up to now; it runs right now. Returns its CPU time. */
static __always_inline u64 states_count_running(struct task_struct *task, struct thread *t)
{
	u64 now = bpf_ktime_get_ns(), cpu = running_cpu_ns(task, t, now);

	if (!t->slurm) {
		states_count(task, t, now, cpu, WAIT_NONE);
		t->use[USE_LIFETIME] += now - t->start_ns;
		t->start_ns = now;
	}
	return cpu;
}

/* A record of an ended image through the ring; its uses are still to be filled. NULL when the ring is full. */
static __always_inline struct event *event_begin(const struct process *p, u32 flags, u64 now)
{
	struct event *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);

	if (!e) {
		struct totals *job = totals_get(p->job);

		if (job)
			ADD(job->lost_records, 1);
		return NULL;
	}
	e->kind = EVENT_IMAGE;
	e->flags = flags & ~PROCESS_USES;
	e->job = p->job;
	e->step = p->step;
	e->tool = p->tool;
	e->pid = p->pid;
	e->ppid = p->ppid;
	e->start_ns = p->start_ns;
	e->end_ns = now;
	e->peak_bytes = p->peak_bytes;
	e->quiet_since_ns = p->quiet_since_ns;
	e->quiet_ns = p->quiet_ns;
	e->status = p->status;
	e->threads_peak = p->threads_peak;
	__builtin_memset(e->comm, 0, sizeof(e->comm));
	return e;
}

static __always_inline void event_end(struct event *e)
{
	u64 wake = BPF_RB_NO_WAKEUP;

	/* The collector looks by itself every second; it is woken when the ring fills faster. */
	if (bpf_ringbuf_query(&events, BPF_RB_AVAIL_DATA) > bpf_ringbuf_query(&events, BPF_RB_RING_SIZE) / 4)
		wake = BPF_RB_FORCE_WAKEUP;
	bpf_ringbuf_submit(e, wake);
}

static __always_inline void tool_image_ended(struct tool *tool, const struct process *p, bool replaced, u64 now)
{
	bool execed = p->flags & EVENT_EXECED;

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

/*
 * Adds what an image's last thread and those @before it (may be NULL) used to its tool and its record (each may be NULL).
 */
__weak __noinline int image_add(const struct thread *t, const struct process_use *before, struct tool *tool,
				struct event *e)
{
	if (!t)
		return 0;
	for (u32 i = 0; i < USES; i++) {
		u64 use;

		barrier_var(i);
		use = t->use[i];
		if (before)
			use += before->use[i];
		if (e && i < RECORD_USES_TOLD)
			e->use[i] = positive(use);
		if (tool && use)
			ADD(tool->use[i], use);
	}
	return 0;
}

/*
 * The program image of @p has ended, by an exec (@replaced) or at its process' end, with
 * its last thread @t: it goes to its tool, and a record of it through the ring.
 */
static __noinline void image_end(struct thread *t, struct process *p, u64 key, bool replaced)
{
	u64 now = bpf_ktime_get_boot_ns();
	struct process_use *before = NULL;
	struct totals *job, *step = NULL;
	struct tool_key tool_key = {};
	struct event *e = NULL;
	struct tool *tool;

	if (!t || !p)
		return;
	job = totals_get(p->job);
	if (p->step)
		step = totals_get(p->step);
	if (p->flags & PROCESS_USES)
		before = bpf_map_lookup_elem(&process_uses, &key);
	tool_key.job = p->job;
	tool_key.tool = p->tool;
	tool = bpf_map_lookup_elem(&tools, &tool_key);
	if (tool)
		tool_image_ended(tool, p, replaced, now);
	if (job)
		raise(&job->process_peak_bytes, p->peak_bytes);
	if (step)
		raise(&step->process_peak_bytes, p->peak_bytes);
	/* What a process does between fork and exec is its parent's image still, and no run of its own. */
	if ((p->flags & EVENT_EXECED) || !replaced)
		e = event_begin(p, p->flags | (replaced ? EVENT_REPLACED : 0), now);
	image_add(t, before, tool, e);
	uses_add(t, job, step, NULL);
	if (e)
		event_end(e);
	if (before)
		bpf_map_delete_elem(&process_uses, &key);
	p->flags &= ~PROCESS_USES;
}

/* @task's thread has ended, or leaves its job; the last one ends its process. */
static __noinline void thread_leave(struct task_struct *task, struct thread *t)
{
	u64 key = (u64)task->signal, cpu = task->se.sum_exec_runtime;
	struct process *p;

	if (!t)
		return;
	p = bpf_map_lookup_elem(&processes, &key);
	if (!t->slurm)
		states_end(task, t, bpf_ktime_get_ns(), cpu);
	thread_gather(task, t, cpu);
	if (p && !t->slurm) {
		totals_thread_ended(totals_get(t->job));
		totals_thread_ended(t->step ? totals_get(t->step) : NULL);
	}
	if (p && ADD(p->threads, (u64)-1) == 1) {
		image_end(t, p, key, false);
		bpf_map_delete_elem(&processes, &key);
	} else {
		thread_add(t, p ? process_use_make(key, p) : NULL);
	}
	t->job = 0;
}

static const struct process process_fresh;

/* The entry of @task's process, made when it is the first of it that is seen. *@first: it was. */
static __always_inline struct process *process_make(struct task_struct *task, const struct member *member, u32 flags,
						    bool *first)
{
	u64 key = (u64)task->signal;
	struct process *p = bpf_map_lookup_elem(&processes, &key);

	*first = !p && bpf_map_update_elem(&processes, &key, &process_fresh, BPF_NOEXIST) == 0;
	if (!p)
		p = bpf_map_lookup_elem(&processes, &key);
	if (!p || !*first)
		return p;
	p->job = member->job;
	p->step = member->step;
	p->flags = flags;
	p->start_ns = bpf_ktime_get_boot_ns();
	p->pid = task->tgid;
	p->ppid = task->real_parent->tgid;
	return p;
}

static __always_inline struct thread *thread_make(struct task_struct *task, const struct member *member)
{
	struct thread *t = bpf_task_storage_get(&threads, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!t)
		return NULL;
	if (t->start_ns) /* it was in a job before */
		__builtin_memset(t, 0, sizeof(*t));
	t->job = member->job;
	t->step = member->step;
	t->start_ns = bpf_ktime_get_ns();
	return t;
}

/*
 * Makes @task a thread of @member; @flags are its process', should it be the first of it.
 * All that it has used by now counts, unless t->counted is told otherwise then.
 *
 * Returns the thread, NULL when the kernel gave no memory for it. *@p: its process'
 * entry, NULL when there was no place for it. *@first: the entry is new.
 */
static __noinline struct thread *thread_enter(struct task_struct *task, const struct member *member, u32 flags,
					      struct process **p, bool *first)
{
	struct totals *job, *step;
	struct thread *t;

	if (!task || !member || !p || !first)
		return NULL;
	job = totals_get(member->job);
	step = step_totals_get(member);
	t = thread_make(task, member);
	*p = t ? process_make(task, member, flags, first) : NULL;
	if (!*p) {
		*first = false;
		if (job)
			ADD(job->lost_tasks, 1);
		return t;
	}
	raise(&(*p)->threads_peak, ADD((*p)->threads, 1) + 1);
	t->slurm = !!((*p)->flags & EVENT_SLURM);
	if (t->slurm)
		return t;
	t->slot = job ? job->slot : 0;
	totals_thread_started(job);
	totals_thread_started(step);
	if (*first) {
		totals_process_started(job);
		totals_process_started(step);
	}
	return t;
}

#endif
