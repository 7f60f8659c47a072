/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what the former programs counted. These are programs of another layout, which our programs will replace.
 *
 * This object uses maps of the former programs and of ours. It is unloaded together with the former programs.
 */
#include "bpf/member.h"

char LICENSE[] SEC("license") = "GPL";

const volatile __u32 thread_bytes;
const volatile __u32 use_bytes;

struct storage_map {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, u64);
};
struct storage_map former_threads SEC(".maps");
struct storage_map former_uses SEC(".maps");

struct forks_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, struct former_forks);
};
struct forks_map forks SEC(".maps");

struct settings_map settings SEC(".maps");
struct job_cgroups_map job_cgroups SEC(".maps");
struct totals_map totals SEC(".maps");
struct threads_map threads SEC(".maps");

SEC("iter/task")
int former_read(struct bpf_iter__task *ctx)
{
	struct seq_file *seq = ctx->meta->seq;
	struct task_struct *task = ctx->task;
	struct former_head head = {};
	void *thread, *use;

	if (!task || !task->bpf_storage)
		return 0;
	thread = bpf_task_storage_get(&former_threads, task, 0, 0);
	if (!thread)
		return 0;
	use = bpf_task_storage_get(&former_uses, task, 0, 0);
	head.start_ns = task->start_boottime;
	head.tid = task->pid;
	head.has_use = use != NULL;
	bpf_seq_write(seq, &head, sizeof(head));
	bpf_seq_write(seq, thread, thread_bytes);
	if (use)
		bpf_seq_write(seq, use, use_bytes);
	return 0;
}

static __always_inline void note_fork(u64 *threads, u64 *processes, bool is_process)
{
	ADD(*threads, 1);
	if (is_process)
		ADD(*processes, 1);
}

/*
 * Counts a fork that no other program counts.
 *
 * If our map "totals" does not have the job yet, the fork is counted in "forks", because the collector
 * writes a job's totals into our map as a whole.
 */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(former_forked, struct task_struct *parent, struct task_struct *child)
{
	struct settings *s = settings_get();
	bool is_process = child->pid == child->tgid;
	struct former_forks *early;
	struct member member;
	struct totals *job;

	if (!s || bpf_task_storage_get(&former_threads, child, 0, 0) || thread_get(child) ||
	    !member_of_cgroup(member_cgroup(child, s), &member))
		return 0;
	job = totals_get(member.job);
	early = job ? NULL : bpf_map_lookup_elem(&forks, &member.job);
	if (job)
		note_fork(&job->unseen_threads, &job->unseen_processes, is_process);
	else if (early)
		note_fork(&early->threads, &early->processes, is_process);
	return 0;
}
