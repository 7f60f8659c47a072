/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the job and step of a task, by the id of the cgroup. */
#ifndef STINT_MEMBER_H
#define STINT_MEMBER_H

#include "bpf/maps.h"

#define CGROUP_LEVELS_MAX 16

#define ADD(field, value) __sync_fetch_and_add(&(field), (value))

/*
 * Use this after a test for NULL. Hides from the compiler where @pointer comes from.
 *
 * Without this, clang 19 may add to the pointer before the test, which the verifier refuses.
 */
#define TESTED(pointer)                         \
	({                                      \
		typeof(pointer) tested = (pointer); \
		barrier_var(tested);            \
		tested;                         \
	})

struct member {
	u64 job;
	u64 step; /* id of the cgroup below the job's; 0: none */
};

static __always_inline struct settings *settings_get(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&settings, &zero);
}

/*
 * Returns the storage of @task in @map; NULL if there is no memory. New storage begins as a copy of @value.
 *
 * The first try can fail in two cases:
 * - A hook on another CPU makes the storage now (bpf_local_storage_update() in kernel/bpf/bpf_local_storage.c).
 * - This CPU has no entries ready. The kernel makes more at once.
 */
#define STORAGE_MAKE(map, task, value)                                                   \
	(bpf_task_storage_get(map, task, value, BPF_LOCAL_STORAGE_GET_F_CREATE) ?: \
		 bpf_task_storage_get(map, task, value, BPF_LOCAL_STORAGE_GET_F_CREATE))

static __always_inline struct thread *thread_get(struct task_struct *task)
{
	return bpf_task_storage_get(&threads, task, 0, 0);
}

static __always_inline struct process *process_get(struct task_struct *task, struct thread *t)
{
	u64 key = (u64)task->signal;

	return t->alone ? &t->process : bpf_map_lookup_elem(&processes, &key);
}

/* Global functions accept no kernel pointers. */
static __always_inline u64 process_number(struct task_struct *task)
{
	return (u64)BPF_CORE_READ(task, signal);
}

static __always_inline struct totals *totals_get(u64 id)
{
	return bpf_map_lookup_elem(&totals, &id);
}

static __always_inline void ask(u64 job, u32 kind)
{
	struct event *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);

	if (!e)
		return;
	__builtin_memset(e, 0, sizeof(*e));
	e->kind = kind;
	e->job = job;
	bpf_ringbuf_submit(e, BPF_RB_FORCE_WAKEUP);
}

/* A struct totals is too large for the stack, which has 512 bytes for a whole call chain. */
static const struct totals step_fresh;

static __always_inline struct share *share_get(const struct totals *job)
{
	u32 uid = job->uid;

	return bpf_map_lookup_elem(&shares, &uid);
}

/* Returns NULL if there is no step, or no room. */
static __always_inline struct totals *step_totals_get(struct task_struct *task, const struct member *member)
{
	struct totals *job, *step;
	struct share *share;
	bool made;

	if (!member->step)
		return NULL;
	step = totals_get(member->step);
	if (step)
		return step;
	job = totals_get(member->job);
	if (!job)
		return NULL;
	share = share_get(job);
	if (job->steps >= (share ? share->steps : ABI_STEPS_PER_JOB))
		return NULL;
	made = bpf_map_update_elem(&totals, &member->step, &step_fresh, BPF_NOEXIST) == 0;
	if (made)
		ADD(job->steps, 1);
	step = totals_get(member->step);
	if (!step)
		return NULL;
	if (made)
		step->first_pid = task->tgid;
	step->job = member->job;
	return step;
}

static __noinline bool member_of_cgroup(struct cgroup *cgroup, struct member *member)
{
	u64 below = 0;

	if (!member)
		return false;
	for (int i = 0; i < CGROUP_LEVELS_MAX && cgroup; i++) {
		u64 id = BPF_CORE_READ(cgroup, kn, id);
		u64 *job = bpf_map_lookup_elem(&job_cgroups, &id);

		if (job) {
			member->job = *job;
			member->step = below;
			return true;
		}
		below = id;
		cgroup = BPF_CORE_READ(cgroup, self.parent, cgroup);
	}
	return false;
}

/* @subsys: the kernel's index of the controller */
static __always_inline struct cgroup *controller_cgroup(struct task_struct *task, u32 subsys)
{
	struct css_set *set = task->cgroups;
	struct cgroup_subsys_state *css = NULL;

	bpf_probe_read_kernel(&css, sizeof(css),
			      (void *)set + bpf_core_field_offset(set->subsys) + subsys * sizeof(void *));
	return css ? BPF_CORE_READ(css, cgroup) : NULL;
}

static __always_inline struct cgroup *member_cgroup(struct task_struct *task, const struct settings *s)
{
	struct css_set *set = task->cgroups;

	return s->hierarchy_id == 0 ? BPF_CORE_READ(set, dfl_cgrp) : controller_cgroup(task, s->subsys);
}

static __always_inline bool member_of_task(struct task_struct *task, struct member *member)
{
	struct settings *s = settings_get();

	if (!s || s->hierarchy_id < 0 || (change.waiting && !change.scanning))
		return false;
	return member_of_cgroup(member_cgroup(task, s), member);
}

/*
 * Finds the job whose memory cgroup holds @task.
 *
 * On cgroup v1, only this function finds the job of a step daemon, and of programs that the daemon runs for itself.
 * The CPU time of these processes is in no cgroup of the job.
 */
static __noinline bool member_by_memory(struct task_struct *task, struct member *member)
{
	struct settings *s = settings_get();
	struct cgroup *cgroup;

	if (!task || !member || !s || s->hierarchy_id <= 0 || s->memory_hierarchy_id <= 0 ||
	    s->memory_hierarchy_id == s->hierarchy_id || change.waiting)
		return false;
	cgroup = controller_cgroup(task, s->memory_subsys);
	for (int i = 0; i < CGROUP_LEVELS_MAX && cgroup; i++) {
		u64 id = BPF_CORE_READ(cgroup, kn, id);
		struct memory_cgroup *known = bpf_map_lookup_elem(&memory_cgroups, &id);

		if (known) {
			member->job = known->job;
			member->step = known->id == known->job ? 0 : known->id;
			return true;
		}
		cgroup = BPF_CORE_READ(cgroup, self.parent, cgroup);
	}
	return false;
}

#endif
