/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows tasks that enter or leave a job's cgroup without a fork. */
#include "bpf/enter.h"
#include "bpf/memory_peak.h"

struct attach_scratch_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct image_scratch);
};
struct attach_scratch_map attach_scratch SEC(".maps");

static __always_inline void member_move(struct image_scratch *s, struct task_struct *task, struct thread *t,
					const struct member *member)
{
	struct process *p = process_get(task, t);
	struct totals *from, *to;

	if (t->step == member->step)
		return;
	from = t->step ? totals_get(t->step) : NULL;
	to = step_totals_get(task, member);
	thread_gather(task, t, task->se.sum_exec_runtime, bpf_ktime_get_ns(), &s->use);
	thread_add(p, process_number(task), &s->use, totals_get(t->job), from);
	totals_thread_ended(from, !t->slurm);
	totals_thread_started(to, !t->slurm, false);
	t->step = member->step;
	if (p)
		p->step = member->step;
}

/*
 * Counts a process that leaves, even if its threads leave one by one.
 *
 * The kernel reports only one thread. A scan finds the others.
 */
static __always_inline void process_leave(struct task_struct *task, struct thread *t)
{
	struct process *p = process_get(task, t);

	if (!p || !(__sync_fetch_and_or(&p->flags, PROCESS_LEFT) & PROCESS_LEFT))
		count_moved_out(t, p);
	if (task->signal->nr_threads > 1 && !t->slurm)
		ask_for_scan(t->job);
}

/* Lets the other threads of a process that enters be found, because the kernel reports only one of its threads. */
static __always_inline void others_enter(struct task_struct *task, u64 job)
{
	struct thread *t = thread_get(task);
	struct process *p = t ? process_get(task, t) : NULL;

	if (task->signal->nr_threads <= 1)
		return;
	if (p) {
		__sync_fetch_and_or(&p->flags, PROCESS_MOVED_IN);
		__sync_fetch_and_and(&p->flags, ~PROCESS_LEFT);
	}
	attached_tgid = task->tgid;
	ask_for_scan(job);
}

SEC("tp_btf/cgroup_attach_task")
int BPF_PROG(member_attach, struct cgroup *to, const char *path, struct task_struct *task, bool threadgroup)
{
	struct settings *set = settings_get();
	struct thread *t = thread_get(task);
	struct image_scratch *s;
	struct member member;
	u32 zero = 0;
	bool found;

	if (!set || to->root->hierarchy_id != set->hierarchy_id || (change.waiting && (!t || !t->job)))
		return 0;
	s = bpf_map_lookup_elem(&attach_scratch, &zero);
	if (!s)
		return 0;
	found = member_of_cgroup(to, &member);
	if (t && t->job) {
		if (found && t->job == member.job && t->slurm != SLURM_BESIDE) {
			member_move(s, task, t, &member);
			return 0;
		}
		process_leave(task, t);
		thread_leave(task, t, &s->use);
	}
	if (!found)
		return 0;
	if (threads_left_behind(task, member.job)) {
		ask_for_scan(member.job);
		return 0;
	}
	task_enter(s, task, &member, set, false);
	others_enter(task, member.job);
	return 0;
}

/* Reads the peak of a job's cgroup at its removal. When the epilog runs, the cgroup is gone. */
SEC("tp_btf/cgroup_rmdir")
int BPF_PROG(member_cgroup_removed, struct cgroup *cgroup, const char *path)
{
	struct settings *set = settings_get();
	struct memory_cgroup *memory;
	struct totals *t;
	u64 id;

	if (!set || cgroup->root->hierarchy_id != set->memory_hierarchy_id)
		return 0;
	id = cgroup->kn->id;
	memory = bpf_map_lookup_elem(&memory_cgroups, &id);
	if (!memory)
		return 0;
	t = totals_get(memory->id);
	if (t)
		raise(&t->charged_peak_bytes, cgroup_charged_peak_bytes(cgroup, set));
	return 0;
}
