/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds which job and step a task belongs to. Uses the id of the task's cgroup, and never a name.
 */
#ifndef STINT_MEMBER_H
#define STINT_MEMBER_H

#include "bpf/maps.h"

#define CGROUP_LEVELS_MAX 16

#define ADD(field, value) __sync_fetch_and_add(&(field), (value))

/*
 * Returns a pointer that the caller has just tested not to be NULL, and hides from the compiler where the pointer comes
 * from. Otherwise the compiler may add to the pointer in a loop before the test (clang 19 does), and the verifier
 * refuses such a program.
 */
#define TESTED(pointer)                         \
	({                                      \
		typeof(pointer) tested = (pointer); \
		barrier_var(tested);            \
		tested;                         \
	})

struct member {
	u64 job;  /* the job's key */
	u64 step; /* id of the cgroup directly below the job's cgroup; 0: the task is in the job's own cgroup */
};

static __always_inline struct settings *settings_get(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&settings, &zero);
}

/*
 * Returns the storage of @task in @map. If there is none, makes it from @value. Returns NULL if there is no memory.
 *
 * Tries twice, because the kernel also returns NULL in two cases in which a second call succeeds:
 * - A hook on another CPU makes the storage at the same moment (kernel/bpf/bpf_local_storage.c,
 * bpf_local_storage_update(): EAGAIN for a task's first storage, otherwise EEXIST). The second call finds what that
 * hook has made.
 * - The entries that the kernel keeps ready on this CPU are used up. The kernel makes more of them at once.
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

/* Returns the key of the process of @task as a number, because global functions accept no pointers of the kernel. */
static __always_inline u64 process_number(struct task_struct *task)
{
	return (u64)BPF_CORE_READ(task, signal);
}

static __always_inline struct totals *totals_get(u64 id)
{
	return bpf_map_lookup_elem(&totals, &id);
}

/* Sends an event of @kind that has only the job, and wakes the collector so that it acts at once. */
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

/* This is a variable because it is too large for the stack: all functions of a call chain share 512 bytes. */
static const struct totals step_fresh;

/*
 * Returns how many entries the job may have in the tables that all jobs share. Returns NULL if no share is set, so that
 * only the limits that are the same for every job apply.
 */
static __always_inline struct share *share_get(const struct totals *job)
{
	u32 uid = job->uid;

	return bpf_map_lookup_elem(&shares, &uid);
}

/*
 * Returns the totals of the step of @member. Makes them when the step's first task, @task, is seen. Returns NULL if
 * there is no step, or no room.
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
	/* One job must not use up the map for all other jobs. */
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

/* Fills @member and returns true if @cgroup is a job's cgroup, or is below a job's cgroup. */
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

/* Returns the cgroup of @task in the hierarchy of a controller. @subsys: this kernel's index of the controller */
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
 * Fills @member and returns true if @task, which belongs to no job, is in a job's memory cgroup. On cgroup v1, such
 * tasks are the step daemon and the programs that it and its plugins run for themselves. Their memory is charged to the
 * job, but no cgroup of the job counts their CPU time.
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
