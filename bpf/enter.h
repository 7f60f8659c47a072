/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts to count a running task for a job. The task was attached to the job's cgroup, or a scan found the task there.
 */
#ifndef STINT_ENTER_H
#define STINT_ENTER_H

#include "bpf/image.h"

static __always_inline bool runs_stepd(struct file *exe, const struct settings *set)
{
	return set->stepd_inode && BPF_CORE_READ(exe, f_inode, i_ino) == set->stepd_inode &&
	       BPF_CORE_READ(exe, f_inode, i_sb, s_dev) == set->stepd_device;
}

/*
 * Slurm's name for the cgroup of the extern step, which holds adopted processes. This name is the same since 17.02, in
 * each hierarchy and on cgroup v2.
 *
 * The programs compare the name because no message comes in time: slurmd lets the batch step begin before it makes the
 * extern step's cgroup and before the extern step's message is sent. Only root can make another cgroup of this name
 * directly below the job's cgroup.
 */
#define EXTERN_STEP "step_extern"

/* Returns true if @step is the extern step. @step is the id of the cgroup of @task, or of a cgroup above it. */
static __noinline bool step_is_extern(struct task_struct *task, u64 step, const struct settings *set)
{
	char name[16] = {}; /* longer than EXTERN_STEP, so that a longer name does not match */
	struct cgroup *cgroup;

	if (!task || !step || !set || set->hierarchy_id < 0)
		return false;
	cgroup = member_cgroup(task, set);
	for (int i = 0; i < CGROUP_LEVELS_MAX && cgroup; i++) {
		if (BPF_CORE_READ(cgroup, kn, id) == step) {
			bpf_probe_read_kernel_str(name, sizeof(name), BPF_CORE_READ(cgroup, kn, name));
			return text_same(name, EXTERN_STEP, sizeof(EXTERN_STEP));
		}
		cgroup = BPF_CORE_READ(cgroup, self.parent, cgroup);
	}
	return false;
}

/*
 * Returns true if @task is Slurm's own: the step daemon, or a process that the step daemon runs for itself in the
 * extern step.
 */
static __noinline bool task_is_slurms(struct task_struct *task, struct file *exe, struct file *parent_exe, u64 step,
				      const struct settings *set)
{
	if (!set)
		return false;
	return runs_stepd(exe, set) || (runs_stepd(parent_exe, set) && step_is_extern(task, step, set));
}

/*
 * Guesses the tool of a program whose start was not seen. Uses the name of the program file as the tool's name. If the
 * task has another name, uses the task's name as the name of a script.
 */
static __noinline void image_guess(struct image_scratch *s, struct task_struct *leader, struct file *exe)
{
	const unsigned char *name;
	bool same = true;

	if (!s)
		return;
	tool_clear(&s->tool);
	s->search.named = true; /* the script is only a name, so no directory is stored for it */
	name = BPF_CORE_READ(exe, f_path.dentry, d_name.name);
	bpf_probe_read_kernel_str(s->tool.name, sizeof(s->tool.name), name);
	bpf_probe_read_kernel_str(s->tool.script, ABI_COMM_MAX, &leader->comm);
	/*
	 * If a task runs a script with "#!", the task has the script's name. If the task has its program's name,
	 * possibly without a version, it runs no script.
	 */
	for (int i = 0; i < ABI_COMM_MAX - 1; i++) {
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
 * Returns true if @task is in a cgroup for Slurm's step daemon, and not in one for a step's tasks. On cgroup v2, the
 * daemon is in the leaf "slurm" of the step (Slurm's cgroup_v2.c). In the freezer hierarchy of cgroup v1, the daemon is
 * in the job's own cgroup. In the other hierarchies of cgroup v1, tasks may be there, too.
 */
static __noinline bool is_where_stepd_is(struct task_struct *task, u64 step, const struct settings *set)
{
	char name[8] = {};
	struct cgroup *cgroup;

	if (!task || !set || set->hierarchy_id < 0)
		return false;
	if (!step)
		return true;
	if (set->hierarchy_id > 0)
		return false;
	cgroup = member_cgroup(task, set);
	bpf_probe_read_kernel_str(name, sizeof(name), BPF_CORE_READ(cgroup, kn, name));
	return text_same(name, "slurm", sizeof("slurm")) && BPF_CORE_READ(cgroup, self.parent, cgroup, kn, id) == step;
}

/*
 * Returns true if @p, which is Slurm's own process, stays Slurm's own when it executes a program. It does if Slurm or
 * one of its plugins runs the program for itself.
 */
static __always_inline bool stays_slurms(struct task_struct *task, const struct process *p)
{
	const struct settings *set = settings_get();

	return (p->flags & EVENT_BESIDE) || step_is_extern(task, p->step, set) || is_where_stepd_is(task, p->step, set);
}

/* Makes a process of Slurm's own a user's process at its exec, unless Slurm runs the program for itself. */
static __always_inline void leave_slurm(struct task_struct *task, struct thread *t, struct process *p)
{
	struct member member = { .job = p->job, .step = p->step };
	struct totals *job, *step;

	if (!(p->flags & EVENT_SLURM) || stays_slurms(task, p))
		return;
	__sync_fetch_and_and(&p->flags, ~EVENT_SLURM);
	__sync_fetch_and_or(&p->flags, PROCESS_TASK);
	job = totals_get(member.job);
	step = step_totals_get(task, &member);
	totals_thread_ended(job, false);
	totals_thread_ended(step, false);
	totals_thread_started(job, true, true);
	totals_thread_started(step, true, true);
	t->slurm = 0;
	t->slot = job ? job->slot : 0;
	states_begin(task, t, bpf_ktime_get_ns(), WAIT_NONE);
}

/* Resets the counts of @p, because an exec has begun a new image. */
static __always_inline void process_replace_image(struct process *p, struct task_struct *task)
{
	p->sent = 0;
	p->peak_bytes = p->used_peak_bytes = p->file_peak_bytes = p->huge_peak_bytes = p->quiet_ns = p->quiet_since_ns = p->active_ns = 0;
	p->threads_peak = 1; /* all other threads have ended, because an exec ends them before this program is called */
	__sync_fetch_and_and(&p->flags, ~(PROCESS_OPENMP | PROCESS_BLAS));
	__sync_fetch_and_or(&p->flags, EVENT_EXECED);
	p->start_ns = bpf_ktime_get_boot_ns();
	p->pid = task->tgid;
	p->ppid = task->real_parent->tgid;
	p->exec_id = task->self_exec_id;
}

/*
 * Corrects the job's counts of unseen threads and processes, because @task has been found. Acts only if @task was
 * forked while programs of another layout were replaced, because it was then counted as unseen. Its process is no
 * longer unseen. Its thread is no longer unseen only if the process is counted from its birth (@whole), and not only
 * from now on.
 */
static __noinline void unseen_found(struct task_struct *task, struct totals *job, bool whole)
{
	if (!task || !job || task->start_boottime < change.since_ns || task->start_boottime > change.until_ns)
		return;
	if (whole && job->unseen_threads)
		ADD(job->unseen_threads, (u64)-1);
	if (task->pid == task->tgid && job->unseen_processes)
		ADD(job->unseen_processes, (u64)-1);
}

/*
 * Decides if the job gets what a thread used before it was counted. If the process is counted from its birth (@whole),
 * the job gets it, as time on a CPU from before states were counted. Otherwise the job does not get it.
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
		if (job->lost_tasks) /* perhaps there was no memory for this task at its fork */
			ADD(job->lost_tasks, (u64)-1);
	}
	t->on_cpu_before = cpu;
}

/*
 * Returns true if @task is in the middle of an exec. At this moment some of its names are still those of the old
 * program. process_exec starts to count it a moment later.
 */
static __always_inline bool in_exec(struct task_struct *task)
{
	return bpf_core_field_exists(task->in_execve) && BPF_CORE_READ_BITFIELD(task, in_execve);
}

/* Returns what @task waits for now. @task may be asleep if another task, or a walk, starts to count it. */
static __noinline u32 wait_now(struct task_struct *task, struct thread *t)
{
	if (!task || !t)
		return WAIT_NONE;
	if (task == bpf_get_current_task_btf() || !(state_of(task) & (TASK_ASLEEP | TASK_HALTED)))
		return WAIT_NONE;
	return wait_of(task, t);
}

/*
 * Starts to count @task for @member.
 *
 * @whole: count a user's process from its birth, unless the process was moved into the job; otherwise count only from
 * now on
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

	if (task_is_slurms(task, exe, parent_exe, member->step, set))
		flags |= EVENT_SLURM;
	/*
	 * If a task runs another program than its parent, assume that it had an exec. Otherwise assume that it was only
	 * forked.
	 */
	if (BPF_CORE_READ(exe, f_inode) != BPF_CORE_READ(parent_exe, f_inode))
		flags |= EVENT_EXECED;
	t = thread_enter(task, member, flags, &first);
	if (!t)
		return;
	p = process_get(task, t);
	if (p && (p->flags & PROCESS_MOVED_IN))
		whole = false;
	unseen_found(task, totals_get(t->job), whole);
	count_before(task, t, whole);
	if (!t->slurm)
		states_begin(task, t, t->start_ns, wait_now(task, t));
	if (!first || !p)
		return;
	if (whole && !t->slurm)
		p->start_ns = leader->start_boottime;
	p->ppid = parent->tgid;
	image_guess(s, leader, exe);
	s->tool.slurm = t->slurm;
	image_begin(s, p, exe, NULL);
}

#endif
