/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The states of a thread, which exclude each other and sum to its lifetime. They are
 * counted at its switch-outs: since the last one it has first waited (for what that
 * switch-out found out), then been runnable (by the kernel's own count, run_delay, which
 * needs no look at the wake-up), then on a CPU.
 */
#ifndef STINT_STATES_H
#define STINT_STATES_H

#include "bpf/pressure.h"
#include "bpf/wait.h"

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

/* Counts @t's states up to @now, when it had used @cpu_ns; what comes then is @wait, or running. */
static __always_inline void states_count(struct task_struct *task, struct thread *t, u64 now, u64 cpu_ns, u32 wait)
{
	u64 delay = task->sched_info.run_delay;
	s64 off_cpu = (s64)(now - t->out_ns) - (s64)(cpu_ns - t->out_cpu);
	s64 runnable = delay - t->out_delay;
	u64 left = t->left_wait;

	/* The clocks of the scheduler and of programs are read some nanoseconds apart: what was too much before is taken back. */
	if (off_cpu < 0) {
		t->state[WAIT_NONE] += off_cpu;
		off_cpu = 0;
	}
	if (runnable > off_cpu || !left)
		runnable = off_cpu;
	t->state[WAIT_NONE] += runnable;
	off_cpu -= runnable;
	if (left) {
		t->state[left % WAITS_ROOM] += off_cpu;
		if (left == WAIT_FILE_IO)
			file_system_waited(t, off_cpu);
	}
	t->out_ns = now;
	t->out_cpu = cpu_ns;
	t->out_delay = delay;
	t->left_wait = wait;
}

/* Its states count from @now on, with @wait or running. */
static __always_inline void states_begin(struct task_struct *task, struct thread *t, u64 now, u32 wait)
{
	struct pressure *p = pressure_get(t);

	t->start_ns = t->out_ns = now;
	t->out_cpu = task->se.sum_exec_runtime;
	t->out_delay = task->sched_info.run_delay;
	t->left_wait = t->wait = wait;
	if (!p)
		return;
	if (wait)
		pressure_wait(p, wait, now);
	else
		pressure_busy(p, now);
}

/* Its states count no longer. */
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
