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

/* Begins the description of @task's process in @s: it is @member's from now on, and what it has used by now is not. */
static __always_inline void image_of_task(struct image_scratch *s, struct task_struct *task,
					  struct task_struct *parent, const struct member *member)
{
	__builtin_memset(&s->process, 0, sizeof(s->process));
	thread_read(task, task->se.sum_exec_runtime, &s->counted);
	s->process.job = member->job;
	s->process.step = member->step;
	s->process.start_ns = bpf_ktime_get_boot_ns();
	s->process.pid = task->tgid;
	s->process.ppid = parent->tgid;
}

/* The whole life of the process belongs to the job: it was born there, before anybody looked. */
static __always_inline void count_from_birth(struct image_scratch *s, struct task_struct *task,
					     struct task_struct *leader)
{
	struct totals *job = totals_get(s->process.job);

	if (job)
		ADD(job->found_cpu_ns, task->se.sum_exec_runtime);
	__builtin_memset(&s->counted, 0, sizeof(s->counted));
	s->process.start_ns = leader->start_boottime;
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
	bool first;

	if (!s || !task || !member || !set)
		return;
	leader = task->group_leader;
	parent = leader->real_parent;
	exe = BPF_CORE_READ(task, mm, exe_file);
	parent_exe = BPF_CORE_READ(parent, mm, exe_file);

	image_of_task(s, task, parent, member);
	if (task_is_slurms(exe, parent_exe, member->step, set))
		s->process.flags |= EVENT_SLURM;
	else if (whole)
		count_from_birth(s, task, leader);
	/* A program that its parent runs too was forked, as far as can be told now. */
	if (BPF_CORE_READ(exe, f_inode) != BPF_CORE_READ(parent_exe, f_inode))
		s->process.flags |= EVENT_EXECED;
	p = thread_enter(task, member, &s->counted, &s->process, &first);
	if (!p || !first)
		return;
	image_guess(s, leader, exe);
	s->tool.slurm = !!(p->flags & EVENT_SLURM);
	image_begin(s, p, exe, NULL);
}

#endif
