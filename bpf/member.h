/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which job and step a task belongs to: by its cgroup's id, never by a name. */
#ifndef STINT_MEMBER_H
#define STINT_MEMBER_H

#include "bpf/maps.h"

#define CGROUP_LEVELS_MAX 16

#define ADD(field, value) __sync_fetch_and_add(&(field), (value))

struct member {
	u64 job;  /* its key */
	u64 step; /* the cgroup right below the job's; 0 for the job's own */
};

static __always_inline struct settings *settings_get(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&settings, &zero);
}

static __always_inline struct thread *thread_get(struct task_struct *task)
{
	return bpf_task_storage_get(&threads, task, 0, 0);
}

/* The process of @task, whose thread is @t. */
static __always_inline struct process *process_get(struct task_struct *task, struct thread *t)
{
	u64 key = (u64)task->signal;

	return t->alone ? &t->process : bpf_map_lookup_elem(&processes, &key);
}

static __always_inline struct totals *totals_get(u64 id)
{
	return bpf_map_lookup_elem(&totals, &id);
}

/* Too large for the stack, of which all functions that are under way have 512 bytes together. */
static const struct totals step_fresh;

/* The totals of a step, made when its first task shows up. NULL for no step. */
static __always_inline struct totals *step_totals_get(const struct member *member)
{
	struct totals *job, *step;

	if (!member->step)
		return NULL;
	step = totals_get(member->step);
	if (step)
		return step;
	/* One job must not fill the map for all. */
	job = totals_get(member->job);
	if (!job || job->steps >= RECORD_STEPS_PER_JOB)
		return NULL;
	if (bpf_map_update_elem(&totals, &member->step, &step_fresh, BPF_NOEXIST) == 0)
		ADD(job->steps, 1);
	step = totals_get(member->step);
	if (step)
		step->job = member->job;
	return step;
}

/* Fills @member when @cgroup is a job's or lies below one; returns whether it is. */
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

/* The cgroup of @task in the hierarchy that tells membership. */
static __always_inline struct cgroup *member_cgroup(struct task_struct *task, const struct settings *s)
{
	struct css_set *set = task->cgroups;
	struct cgroup_subsys_state *css = NULL;

	if (s->hierarchy_id == 0)
		return BPF_CORE_READ(set, dfl_cgrp);
	bpf_probe_read_kernel(&css, sizeof(css),
			      (void *)set + bpf_core_field_offset(set->subsys) + s->subsys * sizeof(void *));
	return css ? BPF_CORE_READ(css, cgroup) : NULL;
}

static __always_inline bool member_of_task(struct task_struct *task, struct member *member)
{
	struct settings *s = settings_get();

	if (!s || s->hierarchy_id < 0 || (change.waiting && !change.scanning))
		return false;
	return member_of_cgroup(member_cgroup(task, s), member);
}

#endif
