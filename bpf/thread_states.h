/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the states of a thread at each switch-out: first a wait, then runnable, then on a CPU.
 * The times add up to the thread's life.
 */
#ifndef STINT_THREAD_STATES_H
#define STINT_THREAD_STATES_H

#include "bpf/pressure.h"
#include "bpf/quota.h"
#include "bpf/wait.h"

#define TURN_WAIT_MAX_NS 100000000ull /* a longer wait is no turn */
#define TURN_CPU_MAX_NS 10000000000ull /* with this CPU time, 99 % of a wait of 100 ms count */

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

/* Counts a wake-up that no program saw, @ago nanoseconds before @now. */
static __always_inline void thread_woken_unseen(struct task_struct *task, struct thread *t, u64 now, u64 ago)
{
	thread_woken(task, t, ago < now - t->out_ns ? now - ago : t->out_ns);
}

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

static __always_inline void thread_woken_before_out(struct task_struct *task, struct thread *t, u64 now, u64 cpu_ns)
{
	thread_woken_unseen(task, t, now, cpu_ns - t->out_cpu + (task->sched_info.run_delay - t->out_delay));
}

/* Returns the runnable time within @off_cpu. Can be slightly below zero. */
static __always_inline s64 runnable_after_wait(const struct thread *t, s64 off_cpu)
{
	return t->woken_ns ? off_cpu - (s64)(t->woken_ns - t->out_ns) : 0;
}

/* @cpu_ns: since the last switch-out */
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

/*
 * Counts the states of @t up to @now.
 *
 * @cpu_ns: CPU time of @t at @now
 * @wait: the wait that begins at @now, or WAIT_NONE
 */
static __always_inline void states_count(struct task_struct *task, struct thread *t, u64 now, u64 cpu_ns, u32 wait)
{
	s64 off_cpu = (s64)(now - t->out_ns) - (s64)(cpu_ns - t->out_cpu);
	u64 left = t->left_wait;
	s64 runnable = left ? runnable_after_wait(t, off_cpu) : off_cpu;

	/* A time below zero corrects a time that was counted before. */
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

/* @wait: the present wait, or WAIT_NONE */
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
