/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up what threads use.
 *
 * A thread's use is added to its process, step and job when the thread ends, makes an exec or leaves the job.
 * An image's use is added to its tool when the image ends. Each amount is added once, so all sums agree.
 */
#ifndef STINT_ACCOUNT_H
#define STINT_ACCOUNT_H

#include "bpf/places.h"
#include "bpf/thread_states.h"

/* Raises *@peak to @value if @value is larger. The verifier requires a limit for the number of tries. */
static __always_inline void raise(u64 *peak, u64 value)
{
	for (int i = 0; i < 16; i++) {
		u64 seen = *(volatile u64 *)peak;

		if (seen >= value || __sync_val_compare_and_swap(peak, seen, value) == seen)
			return;
	}
}

#define PROCESS_USES 0x1000
#define PROCESS_OOM 0x2000
#define PROCESS_TASK 0x4000 /* started by Slurm as a task */
#define PROCESS_OF_TASK 0x8000
#define PROCESS_LEFT 0x10000 /* at least one thread has left the job */
/* The process was moved into the job. What its other threads had used before the move does not count. */
#define PROCESS_MOVED_IN 0x20000
#define PROCESS_OPENMP 0x40000
#define PROCESS_BLAS 0x80000
#define PROCESS_IMAGE 0x100000 /* the member runtime is a tool that was given an image */
#define PROCESS_FLAGS 0x1ff000

static __always_inline u64 positive(u64 value)
{
	return (s64)value > 0 ? value : 0;
}

/*
 * Counts one more thread in @t.
 *
 * @user: the thread is the user's, not Slurm's
 * @first: the first thread of its process
 */
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

static __always_inline enum slurm_thread slurm_thread_of(u32 process_flags)
{
	return !(process_flags & EVENT_SLURM) ? SLURM_NOT : process_flags & EVENT_BESIDE ? SLURM_BESIDE : SLURM_OWN;
}

static __always_inline u32 slurm_process_flags(u8 slurm)
{
	return !slurm ? 0 : slurm == SLURM_BESIDE ? EVENT_SLURM | EVENT_BESIDE : EVENT_SLURM;
}

static __always_inline struct totals *thread_job(const struct thread *t)
{
	return t->slurm == SLURM_BESIDE ? NULL : totals_get(t->job);
}

static __always_inline struct totals *thread_step(const struct thread *t)
{
	return t->slurm == SLURM_BESIDE || !t->step ? NULL : totals_get(t->step);
}

static __always_inline void totals_thread_ended(struct totals *t, bool user)
{
	if (!t)
		return;
	ADD(t->live, (u64)-1);
	if (user && ADD(t->threads, (u64)-1) == 1)
		raise(&t->last_end_ns, bpf_ktime_get_boot_ns());
}

static __always_inline void process_thread_started(struct process *p)
{
	u32 threads = __sync_fetch_and_add(&p->threads, 1) + 1;

	if (threads > p->threads_peak)
		p->threads_peak = threads;
}

static __always_inline void kernel_uses_read(struct task_struct *task, u64 cpu_ns, u64 now[KERNEL_USES])
{
	now[KERNEL_CPU] = cpu_ns;
	now[KERNEL_READ_BYTES] = task->ioac.read_bytes;
	now[KERNEL_WRITE_BYTES] = task->ioac.write_bytes;
	now[KERNEL_CANCELLED_WRITE_BYTES] = task->ioac.cancelled_write_bytes;
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

static __always_inline void kernel_uses_grow(u64 *use, const u64 *now, const u64 *before)
{
#define GROW(name) use[USE_##name] += now[KERNEL_##name] - before[KERNEL_##name]
	GROW(CPU);
	GROW(READ_BYTES);
	GROW(WRITE_BYTES);
	GROW(CANCELLED_WRITE_BYTES);
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
}

/*
 * Returns the CPU time of the running @task in nanoseconds.
 *
 * sum_exec_runtime is as old as the last tick or switch. This function adds two later spans:
 * - up to the last update of the run queue's clocks: by clock_task, which leaves out interrupts and the hypervisor
 * - from this update to @now: by CLOCK_MONOTONIC, if the programs saw the switch-in
 */
static __always_inline u64 running_cpu_ns(struct task_struct *task, struct thread *t, u64 now)
{
	u64 arrival = task->sched_info.last_arrival, cpu = task->se.sum_exec_runtime, clock;
	struct rq *rq;

	if (t->arrival != arrival) {
		t->arrival = arrival;
		t->arrived_ns = t->in_ns >= t->out_ns ? t->in_ns : 0;
	}
	if (!bpf_core_field_exists(task->se.cfs_rq->rq))
		return cpu;
	rq = BPF_CORE_READ(task, se.cfs_rq, rq);
	clock = BPF_CORE_READ(rq, clock);
	cpu += positive(BPF_CORE_READ(rq, clock_task) - task->se.exec_start);
	if (t->arrived_ns)
		cpu += positive(now - t->arrived_ns - (clock - arrival));
	return cpu;
}

/*
 * Adds to @sum what @task used since it was last counted, and resets the counts of @t.
 *
 * @cpu_ns: CPU time of the thread at @now
 * @now: CLOCK_MONOTONIC
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
	kernel_uses_grow(sum->use, kernel, t->counted);
	__builtin_memcpy(t->counted, kernel, sizeof(kernel));
	if (t->slurm)
		return;
	for (int w = 0; w < WAITS; w++) {
		sum->use[ABI_USE_OF_WAIT(w)] = t->state[w];
		t->state[w] = 0;
	}
	sum->use[USE_THROTTLED] = t->throttled_ns;
	sum->use[USE_TURNS] = t->turns_ns;
	sum->use[USE_SYNC_WAIT] = t->sync_wait_ns;
	sum->use[USE_SYNC_WAITS] = t->sync_waits;
	t->throttled_ns = t->turns_ns = t->sync_wait_ns = t->sync_waits = 0;
	sum->use[USE_ON_CPU] = sum->use[USE_CPU] - t->on_cpu_before;
	sum->use[USE_LIFETIME] = now - t->start_ns;
	t->on_cpu_before = 0;
	t->start_ns = now;
}

/* Too large for the stack. */
static const struct process_use process_use_fresh;

/* Returns NULL if there is no room. */
static __always_inline struct process_use *process_use_make(u64 key, struct process *p)
{
	struct process_use *sum = bpf_map_lookup_elem(&process_uses, &key);

	if (sum || !place_take(p->uid, PLACE_PROCESS_USE))
		return sum;
	if (bpf_map_update_elem(&process_uses, &key, &process_use_fresh, BPF_NOEXIST) < 0)
		place_give(p->uid, PLACE_PROCESS_USE);
	/* Set the flag only after the entry exists. Code that clears the flag removes the entry. */
	__sync_fetch_and_or(&p->flags, PROCESS_USES);
	return bpf_map_lookup_elem(&process_uses, &key);
}

struct uses {
	u64 use[USES];
};

/*
 * Adds @from to @to. An amount may be slightly below zero.
 *
 * Has only one target, so that the verifier checks the loop once.
 * With three targets that may be NULL, the verifier's checks took two thirds of the start of stintd.
 */
__weak __noinline int uses_add_to(const struct process_use *from, struct uses *to)
{
	if (!from || !to)
		return 0;
	for (u32 i = 0; i < USES; i++) {
		u64 use;

		if (i == ABI_USES_COMMON && !from->extra)
			break;
		barrier_var(i);
		use = from->use[i];
		if (use)
			ADD(to->use[i], use);
	}
	return 0;
}

static __always_inline void uses_add(const struct process_use *from, struct totals *job, struct totals *step,
				     struct process_use *sum)
{
	if (job)
		uses_add_to(from, (struct uses *)job->use);
	if (step)
		uses_add_to(from, (struct uses *)step->use);
	if (sum)
		uses_add_to(from, (struct uses *)sum->use);
}

static __always_inline void lose_use(struct totals *job)
{
	if (job)
		ADD(job->lost_uses, 1);
}

/* Adds work that another task did for the process. */
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

/* Returns NULL if the ring buffer is full. The caller fills use[]. */
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
	e->flags = flags & ~PROCESS_FLAGS;
	e->job = p->job;
	e->step = p->step;
	e->tool = p->tool;
	e->container = p->container;
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

	/* Wake the collector only if the ring buffer fills fast. The collector reads it every second anyway. */
	if (bpf_ringbuf_query(&events, BPF_RB_AVAIL_DATA) > bpf_ringbuf_query(&events, BPF_RB_RING_SIZE) / 4)
		wake = BPF_RB_FORCE_WAKEUP;
	bpf_ringbuf_submit(e, wake);
}

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGKILL 9
#define SIGPIPE 13
#define SIGTERM 15
#define BIT(n) (1u << (n))
#define SIGNALS_TO_END (BIT(SIGHUP) | BIT(SIGINT) | BIT(SIGQUIT) | BIT(SIGKILL) | BIT(SIGTERM))

/* Returns true if an ancestor or SIGPIPE ended @p. This is no failure. */
static __always_inline bool ended_in_good_order(const struct process *p)
{
	u32 signal = p->status & 0x7f;

	if (!p->status)
		return false;
	if (signal)
		return signal == SIGPIPE || (p->sent & BIT(signal & 31));
	return p->sent & SIGNALS_TO_END;
}

static __always_inline void tool_image_ended(struct tool *tool, const struct process *p, bool replaced, bool dismissed,
					     u64 now)
{
	bool execed = p->flags & EVENT_EXECED;

	raise(&tool->peak_bytes, p->peak_bytes);
	raise(&tool->used_peak_bytes, p->used_peak_bytes);
	raise(&tool->threads_peak, p->threads_peak);
	raise(&tool->last_end_ns, now);
	if (execed)
		ADD(tool->wall_ns, now - p->start_ns);
	else if (!replaced)
		ADD(tool->forks, 1);
	if (p->flags & PROCESS_OPENMP)
		ADD(tool->openmp, 1);
	if (p->flags & PROCESS_BLAS)
		ADD(tool->blas, 1);
	if (!execed || replaced || !p->status)
		return;
	if (dismissed) {
		ADD(tool->dismissed, 1);
	} else {
		ADD(tool->failures, 1);
		if (p->status & 0x7f)
			ADD(tool->signals, 1);
	}
}

/* Counts an ended image for its container. */
static __always_inline void container_image_ended(const struct process *p, bool replaced, bool dismissed, u64 cpu_ns, u64 now)
{
	struct container_key key = { .job = p->job, .container = p->container };
	struct container *c = bpf_map_lookup_elem(&containers, &key);

	if (!c)
		return;
	ADD(c->cpu_ns, cpu_ns);
	if (p->flags & EVENT_EXECED)
		ADD(c->runs, 1);
	if (replaced)
		return;
	if ((p->flags & EVENT_EXECED) && p->status && !dismissed)
		ADD(c->failures, 1);
	if (c->count > 1) {
		raise(&c->end_ns, now);
	} else if (c->pid == p->pid && !c->end_ns) {
		c->end_ns = now;
		c->status = p->status;
	}
}

/*
 * Adds @last and @before to @tool, and stores @last plus @before in @e.
 *
 * @last: use of the image's last thread
 * @before: use of the other threads, or NULL
 * @tool, @e: may be NULL
 */
__weak __noinline int image_add(const struct process_use *last, const struct process_use *before, struct tool *tool,
				struct event *e)
{
	if (!last)
		return 0;
	for (u32 i = 0; i < USES; i++) {
		u64 use;

		if (i == ABI_USES_COMMON && !last->extra && !before)
			break;
		barrier_var(i);
		use = last->use[i];
		if (before)
			use += TESTED(before)->use[i];
		if (e && i < ABI_USES_SENT)
			TESTED(e)->use[i] = positive(use);
		if (tool && use)
			ADD(TESTED(tool)->use[i], use);
	}
	return 0;
}

/*
 * Takes back CPU time that the former image's tool got by mistake.
 *
 * If an exec comes between two ticks, running_cpu_ns() can be too high. The new image's CPU time is then below zero.
 */
static __always_inline void image_give_back(const struct process *p, struct process_use *last)
{
	struct tool_key key = { .job = p->job, .tool = p->former };
	struct tool *former = bpf_map_lookup_elem(&tools, &key);

	if (!former)
		return;
	ADD(former->use[USE_CPU], last->use[USE_CPU]);
	ADD(former->use[USE_ON_CPU], last->use[USE_ON_CPU]);
	last->use[USE_CPU] = last->use[USE_ON_CPU] = 0;
}

static __always_inline void totals_raise_peaks(struct totals *t, const struct process *p)
{
	raise(&t->process_peak_bytes, p->used_peak_bytes);
	raise(&t->huge_peak_bytes, p->huge_peak_bytes);
}

#define BEFORE_EXEC_MIN_NS 1000000 /* a process with less CPU time before its exec gets no event */

/*
 * Ends the image of @p: adds its sums to tool, step and job, and sends its event.
 *
 * @last: use of the image's last thread; changed
 * @replaced: true if an exec ended the image
 */
__weak __noinline int image_end(struct process *p, u64 key, struct process_use *last, bool replaced)
{
	bool dismissed = p && !replaced && ended_in_good_order(p);
	u64 now = bpf_ktime_get_boot_ns();
	struct process_use *before = NULL;
	struct totals *job, *step = NULL;
	struct tool_key tool_key = {};
	struct event *e = NULL;
	struct tool *tool;

	if (!p || !last)
		return 0;
	job = totals_get(p->job);
	if (p->step)
		step = totals_get(p->step);
	/* Threads that the exec ended may add their use only after this point. Such use counts for the next image. */
	if (__sync_fetch_and_and(&p->flags, ~PROCESS_USES) & PROCESS_USES)
		before = bpf_map_lookup_elem(&process_uses, &key);
	tool_key.job = p->job;
	tool_key.tool = p->tool;
	tool = bpf_map_lookup_elem(&tools, &tool_key);
	if (tool)
		tool_image_ended(tool, p, replaced, dismissed, now);
	if (p->container)
		container_image_ended(p, replaced, dismissed,
				      positive(last->use[USE_CPU] + (before ? TESTED(before)->use[USE_CPU] : 0)), now);
	if (job)
		totals_raise_peaks(job, p);
	if (step)
		totals_raise_peaks(step, p);
	if (!(p->flags & EVENT_BESIDE))
		uses_add(last, job, step, NULL);
	if (!before && (s64)last->use[USE_CPU] < 0)
		image_give_back(p, last);
	/* A process between fork and exec is no run. Such a process gets an event only if it used much CPU time. */
	if ((p->flags & EVENT_EXECED) || !replaced || positive(last->use[USE_CPU]) >= BEFORE_EXEC_MIN_NS)
		e = event_begin(p, p->flags | (replaced ? EVENT_REPLACED : 0) | (dismissed ? EVENT_DISMISSED : 0), now);
	image_add(last, before, tool, e);
	if (e)
		event_end(e);
	if (before && bpf_map_delete_elem(&process_uses, &key) == 0)
		place_give(p->uid, PLACE_PROCESS_USE);
	return 0;
}

/* @p may be NULL. */
__weak __noinline int thread_add(struct process *p, u64 key, const struct process_use *from, struct totals *job,
				 struct totals *step)
{
	struct process_use *sum = NULL;

	if (!from)
		return 0;
	if (p)
		sum = process_use_make(key, p);
	if (!sum)
		lose_use(job);
	uses_add(from, job, step, sum);
	return 0;
}

/* Follows wait_task_zombie() in kernel/exit.c. */
static __always_inline u32 wait_status(struct task_struct *task)
{
	if (task->signal->flags & SIGNAL_GROUP_EXIT)
		return task->signal->group_exit_code;
	return task->group_leader->exit_code;
}

/*
 * Sets the wait status of a process that exited before these programs ran.
 *
 * Without SIGNAL_GROUP_EXIT, only the leader has the exit code. If @task is another thread, the leader may be gone.
 */
static __always_inline void take_late_status(struct process *p, struct task_struct *task)
{
	if (!p->status && task->flags & PF_EXITING &&
	    (task->signal->flags & SIGNAL_GROUP_EXIT || task->group_leader == task))
		p->status = wait_status(task);
}

/*
 * Counts that a thread ended or left its job. If it was the last thread, ends the process.
 *
 * @room: scratch memory for the sums
 */
static __noinline void thread_leave(struct task_struct *task, struct thread *t, struct process_use *room)
{
	u64 key, cpu, now = bpf_ktime_get_ns();
	struct totals *job, *step;
	struct process *p;
	bool last;
	u32 uid;

	/* A thread that leaves the job can end at the same time, on another CPU. */
	if (!task || !t || !room || __sync_val_compare_and_swap(&t->taken, THREAD_COUNTED, THREAD_LEAVES) != THREAD_COUNTED)
		return;
	key = process_number(task);
	cpu = task->se.sum_exec_runtime;
	if (!t->slurm)
		states_end(task, t, now, cpu);
	thread_gather(task, t, cpu, now, room);
	p = process_get(task, t);
	job = thread_job(t);
	step = thread_step(t);
	/* Add this thread's use before the last thread reads the sum. */
	if (!p || p->threads != 1) {
		thread_add(p, key, room, job, step);
		__builtin_memset(room, 0, sizeof(*room));
	}
	uid = p ? p->uid : 0;
	last = p && __sync_fetch_and_add(&p->threads, -1) == 1;
	if (last) {
		take_late_status(p, task);
		image_end(p, key, room, false);
	}
	totals_thread_ended(job, !t->slurm);
	totals_thread_ended(step, !t->slurm);
	if (last && !t->alone && bpf_map_delete_elem(&processes, &key) == 0)
		place_give(uid, PLACE_PROCESS);
	t->job = 0;
	/* A hook that finds the thread free sees that it has no job. */
	__sync_lock_test_and_set(&t->taken, THREAD_FREE);
}

/* Counts that a process of the user left the job of @t. @p may be NULL. */
static __always_inline void count_moved_out(const struct thread *t, const struct process *p)
{
	struct tool_key key = { .job = t->job, .tool = p ? p->tool : 0 };
	struct totals *job = t->slurm ? NULL : totals_get(t->job);
	struct tool *tool;

	if (!job)
		return;
	if (ADD(job->moved_out, 1) == 0)
		job->moved_out_ns = bpf_ktime_get_boot_ns();
	tool = p ? bpf_map_lookup_elem(&tools, &key) : NULL;
	if (tool)
		ADD(tool->moved_out, 1);
}

/* Returns true if the process of @task was moved out of the job of @t, with @task. */
static __noinline bool thread_has_left(struct task_struct *task, struct thread *t)
{
	struct member member;
	struct process *p;

	if (!task || !t)
		return false;
	p = process_get(task, t);
	if (!p || !(p->flags & PROCESS_LEFT))
		return false;
	return !member_of_task(task, &member) || member.job != t->job;
}

/* Returns true if other threads of @task's process still count for another job than @job. A scan ends this. */
static __always_inline bool threads_left_behind(struct task_struct *task, u64 job)
{
	u64 key = (u64)task->signal;
	struct process *p = bpf_map_lookup_elem(&processes, &key);

	return p && p->job != job;
}

static __always_inline void ask_for_scan(u64 job)
{
	ask(job, EVENT_SCAN);
}

static const struct process process_fresh;

static __always_inline void process_begin(struct task_struct *task, struct process *p, const struct member *member,
					  u32 uid, u32 flags)
{
	p->uid = uid;
	p->job = member->job;
	p->step = member->step;
	p->flags = flags;
	p->start_ns = bpf_ktime_get_boot_ns();
	p->pid = task->tgid;
	p->ppid = task->real_parent->tgid;
	p->exec_id = task->self_exec_id;
}

/*
 * Returns the entry of @task's process; NULL if there is no room.
 *
 * @uid: the user whose quota counts the entry
 * @first: set if the entry is new
 */
static __always_inline struct process *process_make(struct task_struct *task, const struct member *member, u32 uid,
						    u32 flags, bool *first)
{
	u64 key = (u64)task->signal;
	struct process *p = bpf_map_lookup_elem(&processes, &key);

	if (p || !place_take(uid, PLACE_PROCESS))
		return p;
	*first = bpf_map_update_elem(&processes, &key, &process_fresh, BPF_NOEXIST) == 0;
	if (!*first)
		place_give(uid, PLACE_PROCESS);
	p = bpf_map_lookup_elem(&processes, &key);
	if (p && *first)
		process_begin(task, p, member, uid, flags);
	return p;
}

/* Moves the process to "processes", where other threads find it. */
static __noinline void process_share(struct task_struct *task, struct thread *t)
{
	u64 key;
	u32 uid;

	if (!task || !t || !t->alone)
		return;
	key = (u64)task->signal;
	uid = t->process.uid;
	if (bpf_map_lookup_elem(&processes, &key)) {
		if (bpf_map_update_elem(&processes, &key, &t->process, BPF_ANY) == 0)
			t->alone = 0;
		return;
	}
	if (!place_take(uid, PLACE_PROCESS))
		return;
	if (bpf_map_update_elem(&processes, &key, &t->process, BPF_ANY) == 0)
		t->alone = 0;
	else
		place_give(uid, PLACE_PROCESS);
}

/* Returns NULL if there is no memory, or if another hook already counts the thread (@taken). */
static __always_inline struct thread *thread_make(struct task_struct *task, const struct member *member, bool *taken)
{
	struct thread *t = STORAGE_MAKE(&threads, task, 0);

	*taken = t && __sync_val_compare_and_swap(&t->taken, THREAD_FREE, THREAD_COUNTED);
	if (!t || *taken)
		return NULL;
	if (t->start_ns) {
		t->slot = 0;
		__builtin_memset(&t->job, 0, sizeof(*t) - offsetof(struct thread, job));
	}
	t->job = member->job;
	t->step = member->step;
	t->start_ns = bpf_ktime_get_ns();
	return t;
}

static __always_inline struct process *process_alone(struct task_struct *task, struct thread *t, u32 uid, u32 flags)
{
	struct member member = { .job = t->job, .step = t->step };

	t->alone = 1;
	process_begin(task, &t->process, &member, uid, flags);
	return &t->process;
}

/*
 * Starts to count @task as a thread of @member, with all that it has used so far.
 *
 * @flags: for a new process
 * @first: set if this is the first known thread of the process
 *
 * Returns NULL if there is no memory, or if another hook already counts the thread.
 */
static __noinline struct thread *thread_enter(struct task_struct *task, const struct member *member, u32 flags,
					      bool *first)
{
	struct totals *job, *step;
	struct process *p;
	struct thread *t;
	bool taken;
	u32 uid;

	if (!task || !member || !first)
		return NULL;
	*first = false;
	job = totals_get(member->job);
	uid = job ? job->uid : 0;
	step = step_totals_get(task, member);
	t = thread_make(task, member, &taken);
	if (taken)
		return NULL;
	if (t && task->signal->nr_threads <= 1) {
		*first = true;
		p = process_alone(task, t, uid, flags);
	} else {
		p = t ? process_make(task, member, uid, flags, first) : NULL;
	}
	if (!t) {
		if (job)
			ADD(job->lost_tasks, 1);
		return NULL;
	}
	if (p)
		process_thread_started(p);
	t->placeless = !p;
	t->slurm = slurm_thread_of(p ? p->flags : flags);
	t->slot = job && !t->slurm ? job->slot : 0;
	if (t->slurm == SLURM_BESIDE)
		return t;
	totals_thread_started(job, !t->slurm, *first);
	totals_thread_started(step, !t->slurm, *first);
	return t;
}

#endif
