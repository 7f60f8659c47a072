/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds how long a CPU quota (cpu.max, cpu.cfs_quota_us) kept a thread from a CPU.
 *
 * The result is the thread's runnable time, but at most the throttled time of the groups above the thread (cpu.stat).
 */
#ifndef STINT_QUOTA_H
#define STINT_QUOTA_H

#include "bpf/member.h"

#define GROUP_LEVELS_MAX 12
#define QUOTA_NONE (~0ull) /* RUNTIME_INF, kernel/sched/sched.h */

static __always_inline bool quotas_known(struct task_struct *task)
{
	struct task_group *group = NULL;

	return bpf_core_field_exists(task->sched_task_group) && bpf_core_field_exists(group->cfs_bandwidth);
}

static __noinline void quota_look(struct task_struct *task, struct thread *t)
{
	struct task_group *group;

	if (!task || !t || !quotas_known(task))
		return;
	t->quota = 0;
	group = task->sched_task_group;
	for (int i = 0; i < GROUP_LEVELS_MAX && group; i++) {
		if (group->cfs_bandwidth.quota != QUOTA_NONE)
			t->quota = 1;
		group = group->parent;
	}
}

/* Returns nanoseconds, summed up over all CPUs and all groups above @task. */
static __noinline u64 group_throttled_ns(struct task_struct *task)
{
	struct task_group *group;
	u64 sum = 0;

	if (!task || !quotas_known(task))
		return 0;
	group = task->sched_task_group;
	for (int i = 0; i < GROUP_LEVELS_MAX && group; i++) {
		sum += group->cfs_bandwidth.throttled_time;
		group = group->parent;
	}
	return sum;
}

/* Call this when @task has become runnable. */
static __always_inline void quota_runnable(struct task_struct *task, struct thread *t)
{
	if (t->quota)
		t->throttled_before = group_throttled_ns(task);
}

/* Call this when @task gets a CPU. */
static __always_inline void quota_count(struct task_struct *task, struct thread *t, u64 now)
{
	u64 since = t->left_wait ? t->woken_ns : t->out_ns, throttled;

	if (!t->quota || !since || since > now)
		return;
	throttled = group_throttled_ns(task) - t->throttled_before;
	t->throttled_ns += throttled < now - since ? throttled : now - since;
}

#endif
