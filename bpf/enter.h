/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A task that is taken into a job in mid-life: by an attach, or found by a scan. */
#ifndef STINT_ENTER_H
#define STINT_ENTER_H

#include "bpf/image.h"

static __always_inline bool runs_stepd(struct file *exe, const struct settings *set)
{
	return set->stepd_inode && BPF_CORE_READ(exe, f_inode, i_ino) == set->stepd_inode &&
	       BPF_CORE_READ(exe, f_inode, i_sb, s_dev) == set->stepd_device;
}

/* Whether a task is Slurm's own: its step daemon, or what that runs for itself in the extern step. */
static __noinline bool task_is_slurms(struct file *exe, struct file *parent_exe, u64 step, const struct settings *set)
{
	if (!set)
		return false;
	return runs_stepd(exe, set) || (runs_stepd(parent_exe, set) && bpf_map_lookup_elem(&extern_steps, &step));
}

/* For a program that was started unseen: the name its task has, and the script where that is another's. */
static __noinline void image_guess(struct image_scratch *s, struct task_struct *leader, struct file *exe)
{
	const unsigned char *name;
	bool same = true;

	if (!s)
		return;
	tool_clear(&s->tool);
	s->search.named = true; /* a bare name: no directory goes before it */
	name = BPF_CORE_READ(exe, f_path.dentry, d_name.name);
	bpf_probe_read_kernel_str(s->tool.name, sizeof(s->tool.name), name);
	bpf_probe_read_kernel_str(s->tool.script, RECORD_COMM_MAX, &leader->comm);
	/* "#!" gives a task its script's name; a program's own, and a version behind it, is no script. */
	for (int i = 0; i < RECORD_COMM_MAX - 1; i++) {
		char c = s->tool.script[i];

		if (!c)
			break;
		if (c != s->tool.name[i])
			same = false;
	}
	if (same)
		s->tool.script[0] = '\0';
}

/*
 * What a thread had used before it was taken in: of @whole processes it is the job's, and
 * was on a CPU when nobody counted states; of others it is not.
 */
static __always_inline void count_before(struct task_struct *task, struct thread *t, bool whole)
{
	u64 cpu = task->se.sum_exec_runtime;
	struct totals *job;

	if (!whole || t->slurm) {
		kernel_uses_read(task, cpu, t->counted);
		return;
	}
	job = totals_get(t->job);
	if (job) {
		ADD(job->found_cpu_ns, cpu);
		if (job->lost_tasks) /* one of those that there was no memory for as they were forked */
			ADD(job->lost_tasks, (u64)-1);
	}
	t->on_cpu_before = cpu;
}

/* A task that another one takes in, or a walk, may be asleep. */
static __always_inline u32 wait_now(struct task_struct *task, struct thread *t)
{
	if (task == bpf_get_current_task_btf() || !(task->__state & (TASK_ASLEEP | TASK_HALTED)))
		return WAIT_NONE;
	return wait_of(task, t);
}

/*
 * Takes @task into @member. @whole: a user's process is counted from its birth;
 * else only what comes is.
 */
static __noinline void task_enter(struct image_scratch *s, struct task_struct *task, const struct member *member,
				  const struct settings *set, bool whole)
{
	struct task_struct *leader, *parent;
	struct file *exe, *parent_exe;
	struct process *p;
	struct thread *t;
	bool first = false;
	u32 flags = 0;

	if (!s || !task || !member || !set)
		return;
	leader = task->group_leader;
	parent = leader->real_parent;
	exe = BPF_CORE_READ(task, mm, exe_file);
	parent_exe = BPF_CORE_READ(parent, mm, exe_file);

	if (task_is_slurms(exe, parent_exe, member->step, set))
		flags |= EVENT_SLURM;
	/* A program that its parent runs too was forked, as far as can be told now. */
	if (BPF_CORE_READ(exe, f_inode) != BPF_CORE_READ(parent_exe, f_inode))
		flags |= EVENT_EXECED;
	t = thread_enter(task, member, flags, &first);
	if (!t)
		return;
	count_before(task, t, whole);
	if (!t->slurm)
		states_begin(task, t, t->start_ns, wait_now(task, t));
	if (!first)
		return;
	p = process_get(task, t);
	if (!p)
		return;
	if (whole && !t->slurm)
		p->start_ns = leader->start_boottime;
	p->ppid = parent->tgid;
	image_guess(s, leader, exe);
	s->tool.slurm = t->slurm;
	image_begin(s, p, exe, NULL);
}

#endif
