/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds peaks of memory, and the kernel's sums for a memory cgroup. */
#ifndef STINT_MEMORY_PEAK_H
#define STINT_MEMORY_PEAK_H

#include "bpf/maps.h"

/* Indexes of rss_stat, from <linux/mm_types_task.h>. */
#define MM_FILEPAGES 0
#define MM_SWAPENTS 2
#define MM_COUNTERS 4

struct counter_parts {
	void *common;
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

/* Returns the exact value. The common part may lack some pages for each CPU. */
static __always_inline s64 counter_sum(struct percpu_counter *counter, u32 cpus)
{
	struct counter_parts parts = {
		.common = BPF_CORE_READ(counter, counters),
		.sum = BPF_CORE_READ(counter, count),
	};

	bpf_loop(cpus, counter_part, &parts, 0);
	return parts.sum;
}

struct resident {
	s64 all;
	s64 file; /* mapped files: page cache, which the kernel can drop */
};

static __always_inline void resident_add(struct resident *r, int kind, s64 pages)
{
	r->all += pages;
	if (kind == MM_FILEPAGES)
		r->file += pages;
}

/*
 * Counts the resident pages of @mm, and the pages that @task has not added to the counts of @mm yet.
 * Before Linux 6.2 (f1a7941243c1 "mm: convert mm's rss stats into percpu_counter"), the counters are plain numbers.
 *
 * Keep two functions. In a single function, the compiler could let code for other kernels run.
 */
static __noinline void resident_pages_v61(struct mm_struct___v61 *mm, struct task_struct___v61 *task,
					  struct resident *r)
{
	if (!r)
		return;
	for (int i = 0; i < MM_COUNTERS; i++) {
		if (i == MM_SWAPENTS)
			continue;
		resident_add(r, i, BPF_CORE_READ(mm, rss_stat.count[i].counter));
		if (bpf_core_field_exists(task->rss_stat))
			resident_add(r, i, BPF_CORE_READ(task, rss_stat.count[i]));
	}
}

static __noinline void resident_pages_v62(struct mm_struct *mm, u32 cpus, struct resident *r)
{
	void *counters = (void *)mm + bpf_core_field_offset(mm->rss_stat);

	if (!r)
		return;
	for (int i = 0; i < MM_COUNTERS; i++)
		if (i != MM_SWAPENTS)
			resident_add(r, i, counter_sum(counters + i * bpf_core_type_size(struct percpu_counter), cpus));
}

static __always_inline struct resident mm_resident(struct mm_struct *mm, struct task_struct *task,
						   const struct settings *s)
{
	struct mm_struct___v61 *old = (void *)mm;
	struct resident r = {};

	if (bpf_core_field_exists(old->rss_stat.count))
		resident_pages_v61(old, (void *)task, &r);
	else
		resident_pages_v62(mm, s->cpus, &r);
	r.all = r.all > 0 ? r.all * s->page_bytes : 0;
	r.file = r.file > 0 ? r.file * s->page_bytes : 0;
	return r;
}

/* May be wrong by some pages for each CPU, like hiwater_rss. */
static __noinline u64 mm_file_bytes(struct mm_struct *mm, const struct settings *s)
{
	struct mm_struct___v61 *old = (void *)mm;
	s64 pages;

	if (!mm || !s)
		return 0;
	if (bpf_core_field_exists(old->rss_stat.count))
		pages = BPF_CORE_READ(old, rss_stat.count[MM_FILEPAGES].counter);
	else
		pages = BPF_CORE_READ(mm, rss_stat[MM_FILEPAGES].count);
	return pages > 0 ? pages * s->page_bytes : 0;
}

static __noinline void process_raise_file_peak(struct process *p, struct mm_struct *mm, const struct settings *s)
{
	u64 file = mm_file_bytes(mm, s);

	if (p && p->file_peak_bytes < file)
		p->file_peak_bytes = file;
}

/*
 * Returns the mapped huge pages (hugetlbfs) in bytes. rss_stat does not include them.
 * The kernel counts them in base pages (hugetlb_count_add() in linux/hugetlb.h).
 */
static __always_inline u64 mm_huge_bytes(struct mm_struct *mm, const struct settings *s)
{
	s64 pages = 0;

	if (mm && bpf_core_field_exists(mm->hugetlb_usage))
		pages = BPF_CORE_READ(mm, hugetlb_usage.counter);
	return pages > 0 ? pages * s->page_bytes : 0;
}

static __noinline u64 process_raise_huge_peak(struct process *p, struct mm_struct *mm, const struct settings *s)
{
	u64 huge = s ? mm_huge_bytes(mm, s) : 0;

	if (p && p->huge_peak_bytes < huge)
		p->huge_peak_bytes = huge;
	return huge;
}

/*
 * Raises the peaks of resident memory of @p, with and without mapped files.
 *
 * hiwater_rss grows only when memory is freed. So the present size counts, too.
 * signal->maxrss would be wrong: an exec raises it to the former program's peak.
 */
static __noinline void process_raise_peaks(struct process *p, struct mm_struct *mm, const struct settings *s)
{
	struct resident now;
	u64 peak;

	if (!p || !mm || !s)
		return;
	process_raise_file_peak(p, mm, s);
	process_raise_huge_peak(p, mm, s);
	now = mm_resident(mm, bpf_get_current_task_btf(), s);
	peak = BPF_CORE_READ(mm, hiwater_rss) * s->page_bytes;
	if (peak > p->file_peak_bytes && p->used_peak_bytes < peak - p->file_peak_bytes)
		p->used_peak_bytes = peak - p->file_peak_bytes;
	if (p->used_peak_bytes < (u64)(now.all - now.file))
		p->used_peak_bytes = now.all - now.file;
	if (peak < (u64)now.all)
		peak = now.all;
	if (p->peak_bytes < peak)
		p->peak_bytes = peak;
}

static __always_inline struct mem_cgroup *cgroup_memory(struct cgroup *cgroup, const struct settings *s)
{
	struct mem_cgroup *memory = NULL;
	u32 offset = bpf_core_field_offset(cgroup->subsys) + s->memory_subsys * sizeof(void *);

	/* struct mem_cgroup begins with its cgroup_subsys_state. */
	bpf_probe_read_kernel(&memory, sizeof(memory), (void *)cgroup + offset);
	return memory;
}

/* Returns 0 without a memory controller. */
static __always_inline u64 cgroup_charged_peak_bytes(struct cgroup *cgroup, const struct settings *s)
{
	struct mem_cgroup *memory = cgroup_memory(cgroup, s);

	if (!memory)
		return 0;
	return (u64)BPF_CORE_READ(memory, memory.watermark) * s->page_bytes;
}

/* ---- the sums that the kernel keeps for a memory cgroup ---- */

/*
 * Returns the offset of @item in struct memcg_vmstats, in bytes.
 *
 * @item: at most NR_SLAB_UNRECLAIMABLE_B; later items are elsewhere since Linux 6.10 (init_memcg_stats())
 */
static __always_inline u32 memory_stat_at(u32 item)
{
	return item * sizeof(long);
}

struct stat_parts {
	void *state;
	void *previous;
	s64 sum;
};

static long stat_part(u32 cpu, struct stat_parts *parts)
{
	u64 *offset = bpf_map_lookup_elem(&cpu_offsets, &cpu);
	long state, previous;

	if (offset && *offset && bpf_probe_read_kernel(&state, sizeof(state), parts->state + *offset) == 0 &&
	    bpf_probe_read_kernel(&previous, sizeof(previous), parts->previous + *offset) == 0)
		parts->sum += state - previous;
	return 0;
}

/* Includes all cgroups below @memory. */
static __always_inline s64 memory_stat_added_up(struct mem_cgroup *memory, u32 at)
{
	struct memcg_vmstats *sums = BPF_CORE_READ(memory, vmstats);
	long sum;

	return bpf_probe_read_kernel(&sum, sizeof(sum), (void *)sums + bpf_core_field_offset(sums->state) + at) == 0 ? sum : 0;
}

/* The change since the kernel last added up the CPUs and the cgroups below. */
static __always_inline s64 memory_stat_changed(struct mem_cgroup *memory, u32 at, u32 cpus)
{
	struct memcg_vmstats *sums = BPF_CORE_READ(memory, vmstats);
	void *each = BPF_CORE_READ(memory, vmstats_percpu);
	struct stat_parts parts = {
		.state = each + bpf_core_field_offset(struct memcg_vmstats_percpu, state) + at,
		.previous = each + bpf_core_field_offset(struct memcg_vmstats_percpu, state_prev) + at,
	};
	long pending = 0;

	bpf_probe_read_kernel(&pending, sizeof(pending), (void *)sums + bpf_core_field_offset(sums->state_pending) + at);
	bpf_loop(cpus, stat_part, &parts, 0);
	return parts.sum + pending;
}

#endif
