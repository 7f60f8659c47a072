/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts to count a running task for a job. */
#ifndef STINT_ENTER_H
#define STINT_ENTER_H

#include "bpf/image.h"

static __always_inline bool runs_stepd(struct file *exe, const struct settings *set)
{
	return set->stepd_inode && BPF_CORE_READ(exe, f_inode, i_ino) == set->stepd_inode &&
	       BPF_CORE_READ(exe, f_inode, i_sb, s_dev) == set->stepd_device;
}

/*
 * The name of the extern step's cgroup, since Slurm 17.02. Only root can give this name to another cgroup of the job.
 *
 * The programs compare the name, because the extern step's message may come after the batch step has begun.
 */
#define EXTERN_STEP "step_extern"

/* @step: id of the cgroup of @task, or of a cgroup above it */
static __noinline bool step_is_extern(struct task_struct *task, u64 step, const struct settings *set)
{
	char name[16] = {};
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

/* Returns true for the step daemon, and for programs that the daemon runs for itself. */
static __noinline bool task_is_slurms(struct task_struct *task, struct file *exe, struct file *parent_exe, u64 step,
				      const struct settings *set)
{
	if (!set)
		return false;
	return runs_stepd(exe, set) || (runs_stepd(parent_exe, set) && step_is_extern(task, step, set));
}

static __noinline void image_guess(struct image_scratch *s, struct task_struct *leader, struct file *exe)
{
	const unsigned char *name;
	bool same = true;

	if (!s)
		return;
	tool_clear(&s->tool);
	s->search.named = true;
	name = BPF_CORE_READ(exe, f_path.dentry, d_name.name);
	bpf_probe_read_kernel_str(s->tool.name, sizeof(s->tool.name), name);
	bpf_probe_read_kernel_str(s->tool.script, ABI_COMM_MAX, &leader->comm);
	/* If the task's name is not the program's name, it is the name of a "#!" script. */
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
 * Returns true if @task is in a cgroup for the step daemon.
 *
 * On cgroup v2, this is the step's leaf "slurm" (Slurm's cgroup_v2.c).
 * In the freezer hierarchy of cgroup v1, this is the job's own cgroup.
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

static __always_inline bool stays_slurms(struct task_struct *task, const struct process *p)
{
	const struct settings *set = settings_get();

	return (p->flags & EVENT_BESIDE) || step_is_extern(task, p->step, set) || is_where_stepd_is(task, p->step, set);
}

/* Call this at an exec. A process that Slurm started for the user counts as the user's from then on. */
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
	container_learn_level(job, task);
	states_begin(task, t, bpf_ktime_get_ns(), WAIT_NONE);
}

static __always_inline void process_replace_image(struct process *p, struct task_struct *task)
{
	p->sent = 0;
	p->peak_bytes = p->used_peak_bytes = p->file_peak_bytes = p->huge_peak_bytes = p->quiet_ns = p->quiet_since_ns = p->active_ns = 0;
	p->threads_peak = 1; /* an exec ends all other threads */
	__sync_fetch_and_and(&p->flags, ~(PROCESS_OPENMP | PROCESS_BLAS));
	__sync_fetch_and_or(&p->flags, EVENT_EXECED);
	p->start_ns = bpf_ktime_get_boot_ns();
	p->pid = task->tgid;
	p->ppid = task->real_parent->tgid;
	p->exec_id = task->self_exec_id;
}

/*
 * Corrects the counts of unseen threads and processes, because @task was found.
 *
 * @whole: the process is counted from its birth
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
 * Decides whether the thread's use so far counts for the job.
 *
 * @whole: count it, because the process is counted from its birth
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
		if (job->lost_tasks)
			ADD(job->lost_tasks, (u64)-1);
	}
	t->on_cpu_before = cpu;
}

/* Returns true during an exec. Some names still belong to the old program then. */
static __always_inline bool in_exec(struct task_struct *task)
{
	return bpf_core_field_exists(task->in_execve) && BPF_CORE_READ_BITFIELD(task, in_execve);
}

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
 * @whole: the process is counted from its birth
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
	/* Assume an exec if the program is not the parent's. */
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
	if (runs_stepd(exe, set))
		container_learn_root(totals_get(t->job), task);
	container_look(task, p);
	s->tool.slurm = t->slurm;
	image_begin(s, p, exe, NULL);
}

#endif
