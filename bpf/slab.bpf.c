/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel keeps for a memory cgroup and gives back when room is needed (reclaimable slabs): mostly names and inodes
 * of files. On cgroup v2 memory.stat has it. On v1 no file has: it is part of memory.kmem.usage_in_bytes. So stintd has
 * this program look at that cgroup and all below it.
 *
 * The kernel adds up what each cgroup has changed on each CPU only now and then. A read of memory.stat has it done only
 * where enough has changed; and where a reader comes while a cgroup below changes, that is forgotten for two seconds
 * (memcg_rstat_updated() believes that a cgroup's parents know of what it knows of). So what is not added up yet is added up here.
 */
#include "bpf/maps.h"
#include "bpf/memory_peak.h"

struct slab_parts {
	void *state;    /* the counter's per-CPU address */
	void *previous; /* and that of the part that is added up */
	s64 sum;
};

static long slab_part(u32 cpu, struct slab_parts *parts)
{
	u64 *offset = bpf_map_lookup_elem(&cpu_offsets, &cpu);
	long state, previous;

	if (offset && *offset && bpf_probe_read_kernel(&state, sizeof(state), parts->state + *offset) == 0 &&
	    bpf_probe_read_kernel(&previous, sizeof(previous), parts->previous + *offset) == 0)
		parts->sum += state - previous;
	return 0;
}

/* What @memory and all below it have, as far as it is added up. */
static __always_inline s64 slabs_added_up(struct mem_cgroup *memory, u32 at)
{
	struct memcg_vmstats *sums = BPF_CORE_READ(memory, vmstats);
	long sum;

	return bpf_probe_read_kernel(&sum, sizeof(sum), (void *)sums + bpf_core_field_offset(sums->state) + at) == 0 ? sum : 0;
}

/* What of @memory's own is in no sum yet, its own or one above it. */
static __always_inline s64 slabs_changed(struct mem_cgroup *memory, u32 at, u32 cpus)
{
	struct memcg_vmstats *sums = BPF_CORE_READ(memory, vmstats);
	void *each = BPF_CORE_READ(memory, vmstats_percpu);
	struct slab_parts parts = {
		.state = each + bpf_core_field_offset(struct memcg_vmstats_percpu, state) + at,
		.previous = each + bpf_core_field_offset(struct memcg_vmstats_percpu, state_prev) + at,
	};
	long pending = 0;

	bpf_probe_read_kernel(&pending, sizeof(pending), (void *)sums + bpf_core_field_offset(sums->state_pending) + at);
	bpf_loop(cpus, slab_part, &parts, 0);
	return parts.sum + pending;
}

/* Writes how many bytes the cgroup adds to the sum of all. */
SEC("iter/cgroup")
int memory_slab(struct bpf_iter__cgroup *ctx)
{
	/* The kernel numbers a cgroup's sums otherwise since 6.10, but not the first ones, of which this is one. */
	u32 at = bpf_core_enum_value(enum node_stat_item, NR_SLAB_RECLAIMABLE_B) * sizeof(long), zero = 0;
	struct settings *s = bpf_map_lookup_elem(&settings, &zero);
	struct cgroup *cgroup = ctx->cgroup;
	struct mem_cgroup *memory;
	s64 bytes;

	if (!cgroup || !s)
		return 0;
	memory = cgroup_memory(cgroup, s);
	if (!memory || !bpf_core_field_exists(memory->vmstats))
		return 0;
	bytes = slabs_changed(memory, at, s->cpus);
	if (ctx->meta->seq_num == 0) /* the first is the one that all others are below */
		bytes += slabs_added_up(memory, at);
	bpf_seq_write(ctx->meta->seq, &bytes, sizeof(bytes));
	return 0;
}
