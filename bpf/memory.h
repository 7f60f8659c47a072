/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an address space and a memory cgroup held at most. */
#ifndef STINT_MEMORY_H
#define STINT_MEMORY_H

#include "bpf/maps.h"

#define MM_SWAPENTS 2 /* of rss_stat; it is no resident memory */

struct counter_parts {
	void *common; /* the counter's per-CPU address */
	s64 sum;
};

static long counter_part(u32 cpu, struct counter_parts *parts)
{
	u64 *offset = bpf_map_lookup_elem(&cpu_offsets, &cpu);
	s32 part = 0;

	if (offset && *offset && bpf_probe_read_kernel(&part, sizeof(part), parts->common + *offset) == 0)
		parts->sum += part;
	return 0;
}

/* One per-CPU counter in whole. Its plain part alone can be off by some pages for each CPU, which is all a small helper has. */
static __always_inline s64 counter_sum(struct percpu_counter *counter, u32 cpus)
{
	struct counter_parts parts = {
		.common = BPF_CORE_READ(counter, counters),
		.sum = BPF_CORE_READ(counter, count),
	};

	bpf_loop(cpus, counter_part, &parts, 0);
	return parts.sum;
}

/*
 * The resident pages of @mm, with those that its thread @task has not added up yet. Before
 * 6.2 (f1a7941243c1 "mm: convert mm's rss stats into percpu_counter") the counters are
 * plain. Functions of their own, so that nothing of the one that does not fit the kernel
 * is moved to where it would run.
 */
static __noinline s64 resident_pages_v61(struct mm_struct___v61 *mm, struct task_struct___v61 *task)
{
	s64 sum = 0;

	for (int i = 0; i < 4; i++) {
		if (i == MM_SWAPENTS)
			continue;
		sum += BPF_CORE_READ(mm, rss_stat.count[i].counter);
		if (bpf_core_field_exists(task->rss_stat))
			sum += BPF_CORE_READ(task, rss_stat.count[i]);
	}
	return sum;
}

static __noinline s64 resident_pages_v62(struct mm_struct *mm, u32 cpus)
{
	void *counters = (void *)mm + bpf_core_field_offset(mm->rss_stat);
	s64 sum = 0;

	for (int i = 0; i < 4; i++)
		if (i != MM_SWAPENTS)
			sum += counter_sum(counters + i * bpf_core_type_size(struct percpu_counter), cpus);
	return sum;
}

/* The resident set of @mm right now, in bytes; @task is one of its threads. */
static __noinline u64 mm_resident_bytes(struct mm_struct *mm, struct task_struct *task, const struct settings *s)
{
	struct mm_struct___v61 *old = (void *)mm;
	s64 now;

	if (!mm || !s)
		return 0;
	if (bpf_core_field_exists(old->rss_stat.count))
		now = resident_pages_v61(old, (void *)task);
	else
		now = resident_pages_v62(mm, s->cpus);
	return now > 0 ? now * s->page_bytes : 0;
}

/*
 * The largest resident set that @mm, which is the running thread's, ever had, in
 * bytes. The kernel raises hiwater_rss only when memory is given back, so what is
 * there now counts too. signal->maxrss is not it: an exec folds the former program's
 * peak into that.
 */
static __noinline u64 mm_peak_bytes(struct mm_struct *mm, const struct settings *s)
{
	u64 now, peak;

	if (!mm || !s)
		return 0;
	now = mm_resident_bytes(mm, bpf_get_current_task_btf(), s);
	peak = BPF_CORE_READ(mm, hiwater_rss) * s->page_bytes;
	return now > peak ? now : peak;
}

/* The high-water mark of @cgroup's memory, in bytes; 0 where the cgroup has no memory controller. */
static __always_inline u64 cgroup_charged_peak_bytes(struct cgroup *cgroup, const struct settings *s)
{
	struct mem_cgroup *memory = NULL;
	u32 offset = bpf_core_field_offset(cgroup->subsys) + s->memory_subsys * sizeof(void *);

	/* struct mem_cgroup begins with its cgroup_subsys_state. */
	bpf_probe_read_kernel(&memory, sizeof(memory), (void *)cgroup + offset);
	if (!memory)
		return 0;
	return (u64)BPF_CORE_READ(memory, memory.watermark) * s->page_bytes;
}

#endif
