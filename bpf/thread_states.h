/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The states of a thread. They exclude each other and sum to its lifetime. They are counted when it is switched out:
 * since the last time, the thread first waited (for what that switch-out found) until it was woken, then was runnable,
 * then was on a CPU.
 */
#ifndef STINT_THREAD_STATES_H
#define STINT_THREAD_STATES_H

#include "bpf/pressure.h"
#include "bpf/quota.h"
#include "bpf/wait.h"

#define TURN_WAIT_MAX_NS 100000000ull /* a thread that waits longer waits for work */
#define TURN_CPU_MAX_NS 10000000000ull /* keeps products in range; with a wait of 100 ms, 99 % of the wait count then */

static __always_inline void file_system_waited(const struct thread *t, u64 wait)
{
	struct file_system_key key = { .job = t->job, .magic = t->left_magic };
	struct file_system *fs = bpf_map_lookup_elem(&file_systems, &key);

	if (!fs) {
		lose_file_system(t->job);
		return;
	}
	ADD(fs->wait_ns, wait);
	ADD(fs->waits, 1);
}

static __always_inline void file_waited(struct thread *t, u64 wait)
{
	file_system_waited(t, wait);
	if (!t->sync)
		return;
	t->sync_wait_ns += wait;
	t->sync_waits++;
}

/* Adds to turns_ns (maps.h) for a wait of @t that has just ended. */
static __always_inline void turn_count(struct task_struct *task, struct thread *t, u64 now)
{
	u64 cpu = task->se.sum_exec_runtime, waited = now - t->out_ns, computed;

	if (t->left_wait != WAIT_CONDITION || !t->untimed || waited > TURN_WAIT_MAX_NS)
		return;
	computed = cpu - t->turn_cpu;
	if (computed > TURN_CPU_MAX_NS)
		computed = TURN_CPU_MAX_NS;
	t->turn_cpu = cpu;
	if (computed + waited)
		t->turns_ns += computed * waited / (computed + waited);
}

/* @t, which waited, has been woken. It may still have to wait for a CPU. */
static __always_inline void thread_woken(struct task_struct *task, struct thread *t, u64 now)
{
	struct pressure *p = pressure_get(t);

	if (p)
		pressure_wake(p, t->wait, now);
	t->wait = WAIT_NONE;
	t->woken_ns = now;
	turn_count(task, t, now);
	quota_runnable(task, t);
}

/*
 * @t was woken @ago before @now, but the wake-up was not seen. On 6.1 a thread's storage can be locked at that
 * moment. And the kernel runs no programs in the context of some tasks, in which an interrupt wakes others.
 */
static __always_inline void thread_woken_unseen(struct task_struct *task, struct thread *t, u64 now, u64 ago)
{
	thread_woken(task, t, ago < now - t->out_ns ? now - ago : t->out_ns);
}

/*
 * @task is switched in, but its wake-up was not seen. It has been on this run queue since last_queued, by that
 * queue's clock, which has been read for this switch. If it was on another run queue before, its run_delay has grown
 * by that time.
 */
static __always_inline void thread_woken_before_in(struct task_struct *task, struct thread *t, u64 now)
{
	u64 queued = task->sched_info.last_queued, clock = 0;
	u64 delay = task->sched_info.run_delay - t->out_delay;

	if (bpf_core_field_exists(task->se.cfs_rq->rq))
		clock = task->se.cfs_rq->rq->clock;
	if (queued && clock > queued)
		delay += clock - queued;
	thread_woken_unseen(task, t, now, delay);
}

/* @task is switched out, but neither its wake-up nor its switch-in was seen. */
static __always_inline void thread_woken_before_out(struct task_struct *task, struct thread *t, u64 now, u64 cpu_ns)
{
	thread_woken_unseen(task, t, now, cpu_ns - t->out_cpu + (task->sched_info.run_delay - t->out_delay));
}

/*
 * How long @t was runnable within @off_cpu, which began with a wait. The result can be below zero: the scheduler does
 * not read its clock again between a wake-up and a switch that follows at once, so CPU time can begin some microseconds
 * before the wait has ended.
 */
static __always_inline s64 runnable_after_wait(const struct thread *t, s64 off_cpu)
{
	return t->woken_ns ? off_cpu - (s64)(t->woken_ns - t->out_ns) : 0;
}

/* Counts what @t has used on its current CPU since t->out_cpu. */
static __always_inline void cpu_used(const struct thread *t, u64 cpu_ns)
{
	u32 slot = t->slot;
	struct cpu_use *use;

	if (!slot)
		return;
	use = bpf_map_lookup_elem(&cpu_uses, &slot);
	if (use && use->job == t->job)
		use->cpu_ns += cpu_ns;
}

/* Counts @t's states up to @now, when it had used @cpu_ns. From then on it waits for @wait, or does not wait. */
static __always_inline void states_count(struct task_struct *task, struct thread *t, u64 now, u64 cpu_ns, u32 wait)
{
	s64 off_cpu = (s64)(now - t->out_ns) - (s64)(cpu_ns - t->out_cpu);
	u64 left = t->left_wait;
	s64 runnable = left ? runnable_after_wait(t, off_cpu) : off_cpu;

	/*
	 * The scheduler and the programs read clocks some nanoseconds apart. This takes back what was too much before.
	 */
	t->state[WAIT_NONE] += runnable;
	off_cpu -= runnable;
	if (left) {
		t->state[left % WAITS_ROOM] += off_cpu;
		if (left == WAIT_FILE_IO)
			file_waited(t, off_cpu);
	}
	t->out_ns = now;
	t->out_cpu = cpu_ns;
	t->out_delay = task->sched_info.run_delay;
	t->left_wait = wait;
	t->woken_ns = 0;
}

/* Begins the states of @t at @now: it waits for @wait, or does not wait. */
static __always_inline void states_begin(struct task_struct *task, struct thread *t, u64 now, u32 wait)
{
	struct pressure *p = pressure_get(t);

	t->start_ns = t->out_ns = now;
	t->out_cpu = t->turn_cpu = task->se.sum_exec_runtime;
	quota_look(task, t);
	quota_runnable(task, t);
	t->out_delay = task->sched_info.run_delay;
	t->left_wait = t->wait = wait;
	if (!p)
		return;
	if (wait)
		pressure_wait(p, wait, now);
	else
		pressure_busy(p, now);
}

/* Ends the states of @t at @now. */
static __always_inline void states_end(struct task_struct *task, struct thread *t, u64 now, u64 cpu_ns)
{
	struct pressure *p = pressure_get(t);

	states_count(task, t, now, cpu_ns, WAIT_NONE);
	if (!p)
		return;
	if (t->wait)
		pressure_wait_ended(p, t->wait, now);
	else
		pressure_idle(p, now);
	t->wait = WAIT_NONE;
}

#endif
