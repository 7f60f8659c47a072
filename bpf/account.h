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

/* One thread more; of a @user's process, which is new when it is the @first. */
static __always_inline void totals_thread_started(struct totals *t, bool user, bool first)
{
	if (!t)
		return;
	ADD(t->live, 1);
	if (!user)
		return;
	raise(&t->threads_peak, ADD(t->threads, 1) + 1);
	if (first)
		ADD(t->processes, 1);
}

static __always_inline void totals_thread_ended(struct totals *t, bool user)
{
	if (!t)
		return;
	ADD(t->live, (u64)-1);
	if (user)
		ADD(t->threads, (u64)-1);
}

static __always_inline void process_thread_started(struct process *p)
{
	u32 threads = __sync_fetch_and_add(&p->threads, 1) + 1;

	if (threads > p->threads_peak)
		p->threads_peak = threads;
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

/*
 * Takes all that @task's thread used since it was last counted, up to @now (CLOCK_MONOTONIC), when it had used
 * @cpu_ns: into @sum, and out of its own storage.
 */
static __noinline void thread_gather(struct task_struct *task, struct thread *t, u64 cpu_ns, u64 now,
				     struct process_use *sum)
{
	u64 kernel[KERNEL_USES];

	if (!task || !t || !sum)
		return;
	__builtin_memset(sum, 0, sizeof(*sum));
	sum->extra = t->extra;
	if (t->extra) {
		struct thread_use *extra = bpf_task_storage_get(&thread_uses, task, 0, 0);

		if (extra) {
			__builtin_memcpy(sum->use, extra->use, sizeof(sum->use));
			__builtin_memset(extra, 0, sizeof(*extra));
		}
	}
	kernel_uses_read(task, cpu_ns, kernel);
#define GROW(name) sum->use[USE_##name] += kernel[KERNEL_##name] - t->counted[KERNEL_##name]
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
	__builtin_memcpy(t->counted, kernel, sizeof(kernel));
	if (t->slurm)
		return;
	for (int w = 0; w < WAITS; w++) {
		sum->use[RECORD_USE_OF_WAIT(w)] = t->state[w];
		t->state[w] = 0;
	}
	sum->use[USE_ON_CPU] = sum->use[USE_CPU] - t->on_cpu_before;
	sum->use[USE_LIFETIME] = now - t->start_ns;
	t->on_cpu_before = 0;
	t->start_ns = now;
}

/* Too large for the stack, as step_fresh. */
static const struct process_use process_use_fresh;

/* Where the ended threads of @task's process add up, made when there is none yet. */
static __always_inline struct process_use *process_use_make(u64 key, struct process *p)
{
	if (!(p->flags & PROCESS_USES))
		__sync_fetch_and_or(&p->flags, PROCESS_USES);
	bpf_map_update_elem(&process_uses, &key, &process_use_fresh, BPF_NOEXIST);
	return bpf_map_lookup_elem(&process_uses, &key);
}

/*
 * Adds @from to a job's, a step's and another sum, each of which may be NULL. A growth can be below zero by
 * some microseconds, when running_cpu_ns() had been ahead of the scheduler's clock; the
 * sums take it as it is. A global function: the verifier looks at it once.
 */
__weak __noinline int uses_add(const struct process_use *from, struct totals *job, struct totals *step,
			       struct process_use *sum)
{
	if (!from)
		return 0;
	for (u32 i = 0; i < USES; i++) {
		u64 use;

		if (i == RECORD_USES_COMMON && !from->extra)
			break;
		barrier_var(i); /* else the compiler adds to pointers before it has looked at them */
		use = from->use[i];
		if (!use)
			continue;
		if (job)
			ADD(job->use[i], use);
		if (step)
			ADD(step->use[i], use);
		if (sum)
			ADD(sum->use[i], use);
	}
	return 0;
}

static __always_inline void lose_use(struct totals *job)
{
	if (job)
		ADD(job->lost_uses, 1);
}

/* What is used on behalf of @key's process by somebody else: the kernel, when a request of its is done. */
static __always_inline void process_use(u64 key, struct process *p, enum use use, u64 value)
{
	struct totals *job = totals_get(p->job), *step = p->step ? totals_get(p->step) : NULL;
	struct process_use *sum = process_use_make(key, p);

	if (sum)
		ADD(sum->use[use], value);
	else
		lose_use(job);
	if (job)
		ADD(job->use[use], value);
	if (step)
		ADD(step->use[use], value);
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
 * Adds what an image's last thread used, @last, and those before it (may be NULL), to its tool and its record (each may
 * be NULL).
 */
__weak __noinline int image_add(const struct process_use *last, const struct process_use *before, struct tool *tool,
				struct event *e)
{
	if (!last)
		return 0;
	for (u32 i = 0; i < USES; i++) {
		u64 use;

		if (i == RECORD_USES_COMMON && !last->extra && !before)
			break;
		barrier_var(i);
		use = last->use[i];
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
 * The program image of @p has ended, by an exec (@replaced) or at its process' end, when its last thread
 * had used @last: it goes to its tool, step and job, and a record of it through the ring.
 */
static __noinline void image_end(struct process *p, u64 key, const struct process_use *last, bool replaced)
{
	u64 now = bpf_ktime_get_boot_ns();
	struct process_use *before = NULL;
	struct totals *job, *step = NULL;
	struct tool_key tool_key = {};
	struct event *e = NULL;
	struct tool *tool;

	if (!p || !last)
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
		raise(&job->process_peak_bytes, p->used_peak_bytes);
	if (step)
		raise(&step->process_peak_bytes, p->used_peak_bytes);
	/* What a process does between fork and exec is its parent's image still, and no run of its own. */
	if ((p->flags & EVENT_EXECED) || !replaced)
		e = event_begin(p, p->flags | (replaced ? EVENT_REPLACED : 0), now);
	image_add(last, before, tool, e);
	if (e)
		event_end(e);
	uses_add(last, job, step, NULL);
	if (before)
		bpf_map_delete_elem(&process_uses, &key);
	p->flags &= ~PROCESS_USES;
}

/* Adds what a thread used, @from, to its job, its step and its process, which may have no place (NULL) or none for sums. */
static __noinline void thread_add(struct process *p, u64 key, const struct process_use *from, struct totals *job,
				  struct totals *step)
{
	struct process_use *sum = NULL;

	if (p)
		sum = process_use_make(key, p);
	if (!sum)
		lose_use(job);
	uses_add(from, job, step, sum);
}

/* @task's thread has ended, or leaves its job; the last one ends its process. @room is to add up in. */
static __noinline void thread_leave(struct task_struct *task, struct thread *t, struct process_use *room)
{
	u64 key, cpu, now = bpf_ktime_get_ns();
	struct totals *job, *step;
	struct process *p;
	bool last;

	if (!task || !t || !room)
		return;
	key = (u64)task->signal;
	cpu = task->se.sum_exec_runtime;
	if (!t->slurm)
		states_end(task, t, now, cpu);
	thread_gather(task, t, cpu, now, room);
	p = process_get(task, t);
	job = totals_get(t->job);
	step = t->step ? totals_get(t->step) : NULL;
	/* Of several that end at once, each has to have added what it used before the last one takes the sum. */
	if (!p || p->threads != 1) {
		thread_add(p, key, room, job, step);
		__builtin_memset(room, 0, sizeof(*room));
	}
	last = p && __sync_fetch_and_add(&p->threads, -1) == 1;
	if (last)
		image_end(p, key, room, false);
	totals_thread_ended(job, !t->slurm);
	totals_thread_ended(step, !t->slurm);
	if (last && !t->alone)
		bpf_map_delete_elem(&processes, &key);
	t->job = 0;
	t->taken = 0;
}

/* Has the collector look for threads of the job that are not counted. */
static __always_inline void ask_for_scan(u64 job)
{
	struct event *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);

	if (!e)
		return;
	__builtin_memset(e, 0, sizeof(*e));
	e->kind = EVENT_SCAN;
	e->job = job;
	bpf_ringbuf_submit(e, BPF_RB_FORCE_WAKEUP);
}

static const struct process process_fresh;

static __always_inline void process_begin(struct task_struct *task, struct process *p, const struct member *member,
					  u32 flags)
{
	p->job = member->job;
	p->step = member->step;
	p->flags = flags;
	p->start_ns = bpf_ktime_get_boot_ns();
	p->pid = task->tgid;
	p->ppid = task->real_parent->tgid;
	p->exec_id = task->self_exec_id;
}

/* The entry of @task's process, which has several threads; made when it is the first of it that is seen. *@first: it was. */
static __always_inline struct process *process_make(struct task_struct *task, const struct member *member, u32 flags,
						    bool *first)
{
	u64 key = (u64)task->signal;
	struct process *p = bpf_map_lookup_elem(&processes, &key);

	*first = !p && bpf_map_update_elem(&processes, &key, &process_fresh, BPF_NOEXIST) == 0;
	if (!p)
		p = bpf_map_lookup_elem(&processes, &key);
	if (p && *first)
		process_begin(task, p, member, flags);
	return p;
}

/* Moves the accounts of @task's process to where all of its threads, and the kernel's workers for it, find them. */
static __noinline void process_share(struct task_struct *task, struct thread *t)
{
	u64 key;

	if (!task || !t || !t->alone)
		return;
	key = (u64)task->signal;
	if (bpf_map_update_elem(&processes, &key, &t->process, BPF_ANY) == 0)
		t->alone = 0;
}

/* NULL when the kernel gave no memory, or, with *@taken, when another hook has been quicker: a walk over all tasks, an attach. */
static __always_inline struct thread *thread_make(struct task_struct *task, const struct member *member, bool *taken)
{
	struct thread *t = bpf_task_storage_get(&threads, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	*taken = t && __sync_val_compare_and_swap(&t->taken, 0, 1);
	if (!t || *taken)
		return NULL;
	if (t->start_ns) { /* it was in a job before */
		t->slot = 0;
		__builtin_memset(&t->job, 0, sizeof(*t) - offsetof(struct thread, job));
	}
	t->job = member->job;
	t->step = member->step;
	t->start_ns = bpf_ktime_get_ns();
	return t;
}

/* The process of @task, which has no other thread: a part of that one's storage. */
static __always_inline struct process *process_alone(struct task_struct *task, struct thread *t, u32 flags)
{
	struct member member = { .job = t->job, .step = t->step };

	t->alone = 1;
	process_begin(task, &t->process, &member, flags);
	return &t->process;
}

/*
 * Makes @task a thread of @member; @flags are its process', should it be the first of it.
 * All that it has used by now counts, unless t->counted is told otherwise then.
 *
 * Returns the thread, NULL when the kernel gave no memory for it or another hook is just making it one. *@first: it is the first one seen of its process.
 */
static __noinline struct thread *thread_enter(struct task_struct *task, const struct member *member, u32 flags,
					      bool *first)
{
	struct totals *job, *step;
	struct process *p;
	struct thread *t;
	bool taken;

	if (!task || !member || !first)
		return NULL;
	*first = false;
	job = totals_get(member->job);
	step = step_totals_get(member);
	t = thread_make(task, member, &taken);
	if (taken)
		return NULL;
	if (t && task->signal->nr_threads <= 1) {
		*first = true;
		p = process_alone(task, t, flags);
	} else {
		p = t ? process_make(task, member, flags, first) : NULL;
	}
	if (!t) {
		if (job)
			ADD(job->lost_tasks, 1);
		return NULL;
	}
	/* One whose process has no place is counted all the same; what it uses is no tool's. */
	if (p)
		process_thread_started(p);
	t->placeless = !p;
	t->slurm = !!((p ? p->flags : flags) & EVENT_SLURM);
	t->slot = job && !t->slurm ? job->slot : 0;
	totals_thread_started(job, !t->slurm, *first);
	totals_thread_started(step, !t->slurm, *first);
	return t;
}

#endif
