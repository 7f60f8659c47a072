/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds which job and step a task belongs to. Uses the id of its cgroup, never a name. */
#ifndef STINT_MEMBER_H
#define STINT_MEMBER_H

#include "bpf/maps.h"

#define CGROUP_LEVELS_MAX 16

#define ADD(field, value) __sync_fetch_and_add(&(field), (value))

/*
 * Returns a pointer that has just been tested not to be NULL, so that the compiler does not know where it comes from.
 * In a loop the compiler may otherwise add to the pointer before the test (clang 19 does), and the verifier refuses
 * that.
 */
#define TESTED(pointer)                         \
	({                                      \
		typeof(pointer) tested = (pointer); \
		barrier_var(tested);            \
		tested;                         \
	})

struct member {
	u64 job;  /* the job's key */
	u64 step; /* id of the cgroup directly below the job's; 0: the task is in the job's own cgroup */
};

static __always_inline struct settings *settings_get(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&settings, &zero);
}

/*
 * Returns the storage of @task in @map. Makes it from @value if there is none. NULL if there is no memory. The kernel
 * returns NULL in two more cases, and so a second try helps:
 * - A hook on another CPU makes the storage at the same moment (kernel/bpf/bpf_local_storage.c,
 *   bpf_local_storage_update(): EAGAIN for a task's first storage, else EEXIST). The second try finds what that hook
 *   has made.
 * - The entries that the kernel keeps ready on this CPU are used up. The kernel then makes more at once.
 */
#define STORAGE_MAKE(map, task, value)                                                   \
	(bpf_task_storage_get(map, task, value, BPF_LOCAL_STORAGE_GET_F_CREATE) ?: \
		 bpf_task_storage_get(map, task, value, BPF_LOCAL_STORAGE_GET_F_CREATE))

static __always_inline struct thread *thread_get(struct task_struct *task)
{
	return bpf_task_storage_get(&threads, task, 0, 0);
}

/* Returns the process of @task, whose thread is @t. */
static __always_inline struct process *process_get(struct task_struct *task, struct thread *t)
{
	u64 key = (u64)task->signal;

	return t->alone ? &t->process : bpf_map_lookup_elem(&processes, &key);
}

/* Returns the key of @task's process as a number, because global functions accept none of the kernel's pointers. */
static __always_inline u64 process_number(struct task_struct *task)
{
	return (u64)BPF_CORE_READ(task, signal);
}

static __always_inline struct totals *totals_get(u64 id)
{
	return bpf_map_lookup_elem(&totals, &id);
}

/* Asks the collector to act at once, by an event of @kind that names only the job. */
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

/* A variable, because it is too large for the stack: all functions of a call chain share 512 bytes. */
static const struct totals step_fresh;

/*
 * Returns the job's share of the tables that all jobs use. NULL if none is set: then only the limits for every job
 * apply.
 */
static __always_inline struct share *share_get(const struct totals *job)
{
	u32 uid = job->uid;

	return bpf_map_lookup_elem(&shares, &uid);
}

/*
 * Returns the totals of a step. Makes them when the step's first task, @task, is seen. NULL if there is no step, or no
 * room.
 */
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
	/* One job must not use up the map for all others. */
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

/* If @cgroup is a job's cgroup, or is below a job's cgroup, fills @member and returns true. */
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

/* Returns the cgroup of @task in the hierarchy of a controller. @subsys: the controller's index in this kernel. */
static __always_inline struct cgroup *controller_cgroup(struct task_struct *task, u32 subsys)
{
	struct css_set *set = task->cgroups;
	struct cgroup_subsys_state *css = NULL;

	bpf_probe_read_kernel(&css, sizeof(css),
			      (void *)set + bpf_core_field_offset(set->subsys) + subsys * sizeof(void *));
	return css ? BPF_CORE_READ(css, cgroup) : NULL;
}

/* Returns the cgroup of @task in the hierarchy that decides which job a task belongs to. */
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
 * If a job's memory cgroup holds @task, which belongs to no job, fills @member and returns true. On cgroup v1 such
 * tasks are the step daemon and the programs that it and its plugins run for themselves. The job is charged for their
 * memory, but no cgroup of the job counts their CPU time.
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
