/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts tasks that were in a job's cgroup before the programs knew the job.
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
	if (t && t->job)
		return 0;
	if (in_exec(task))
		return 0;
	if (!member_of_task(task, &member))
		return 0;
	/* This task is still being created. process_fork() will count the task, or a later scan will. */
	if (state_of(task) & TASK_NEW) {
		bpf_seq_write(ctx->meta->seq, &again, sizeof(again));
		return 0;
	}
	s = bpf_map_lookup_elem(&scan_scratch, &zero);
	if (s)
		task_enter(s, task, &member, set, true);
	return 0;
}
