/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts tasks that were in a job's cgroup before the programs knew the job.
 * Ends the count of threads whose process was moved out of the job.
 *
 * Writes a byte for each task that a later scan must find.
 */
#include "bpf/enter.h"

struct scan_scratch_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct image_scratch);
};
struct scan_scratch_map scan_scratch SEC(".maps");

/* The collector cannot use stat(): it gives other numbers on overlayfs (the root of a diskless node) and on btrfs. */
static __always_inline void learn_stepd(struct settings *set, struct task_struct *task)
{
	struct file *exe = BPF_CORE_READ(task, mm, exe_file);

	set->stepd_inode = BPF_CORE_READ(exe, f_inode, i_ino);
	set->stepd_device = BPF_CORE_READ(exe, f_inode, i_sb, s_dev);
}

SEC("iter/task")
int member_scan(struct bpf_iter__task *ctx)
{
	struct settings *set = settings_get();
	struct task_struct *task = ctx->task;
	struct image_scratch *s;
	struct member member;
	struct thread *t;
	char again = 1;
	u32 zero = 0;

	if (!task || !set || (task->flags & PF_KTHREAD) || !task->mm)
		return 0;
	if (set->stepd_pid) {
		if (task->tgid == set->stepd_pid)
			learn_stepd(set, task);
		return 0;
	}
	t = thread_get(task);
	s = bpf_map_lookup_elem(&scan_scratch, &zero);
	if (!s)
		return 0;
	if (t && t->job) {
		if (!thread_has_left(task, t))
			return 0;
		thread_leave(task, t, &s->use);
	}
	if (in_exec(task))
		return 0;
	if (!member_of_task(task, &member))
		return 0;
	/*
	 * TASK_NEW: this task is still being created. process_fork() will count the task, or a later scan will.
	 * Threads of a process enter another job only after all have left the former one.
	 */
	if ((state_of(task) & TASK_NEW) || threads_left_behind(task, member.job)) {
		bpf_seq_write(ctx->meta->seq, &again, sizeof(again));
		return 0;
	}
	/* A thread that has storage was counted before. */
	task_enter(s, task, &member, set, !t);
	return 0;
}
