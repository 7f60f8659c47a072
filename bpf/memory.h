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

static __always_inline s64 mm_counter(struct mm_struct *mm, int which, const struct settings *s)
{
	struct mm_struct___v61 *old = (void *)mm;

	/* Before 6.2 (f1a7941243c1 "mm: convert mm's rss stats into percpu_counter") the counters are plain. */
	if (bpf_core_field_exists(old->rss_stat.count))
		return BPF_CORE_READ(old, rss_stat.count[which]);
	return counter_sum((void *)mm + bpf_core_field_offset(mm->rss_stat) +
			   which * bpf_core_type_size(struct percpu_counter), s->cpus);
}

/*
 * The largest resident set @mm ever had, in bytes. The kernel raises
 * hiwater_rss only when memory is given back, so what is there now counts too.
 * signal->maxrss is not it: an exec folds the former program's peak into that.
 */
static __noinline u64 mm_peak_bytes(struct mm_struct *mm, const struct settings *s)
{
	s64 now = 0;
	u64 peak;

	if (!mm || !s)
		return 0;
	for (int i = 0; i < 4; i++)
		if (i != MM_SWAPENTS)
			now += mm_counter(mm, i, s);
	peak = BPF_CORE_READ(mm, hiwater_rss);
	if (now > 0 && (u64)now > peak)
		peak = now;
	return peak * s->page_bytes;
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
