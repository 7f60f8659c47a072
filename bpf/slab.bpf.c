/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel keeps for a memory cgroup and gives back when room is needed (reclaimable slabs): mostly names and inodes
 * of files. On cgroup v2 memory.stat has it. On v1 no file has: it is part of memory.kmem.usage_in_bytes. So stintd has
 * this program look at the one cgroup that it walks over.
 */
#include "bpf/maps.h"
#include "bpf/memory_peak.h"

SEC("iter/cgroup")
int memory_slab(struct bpf_iter__cgroup *ctx)
{
	/* The kernel numbers a cgroup's sums otherwise since 6.10, but not the first ones, of which this is one. */
	u32 item = bpf_core_enum_value(enum node_stat_item, NR_SLAB_RECLAIMABLE_B), zero = 0;
	struct settings *s = bpf_map_lookup_elem(&settings, &zero);
	struct cgroup *cgroup = ctx->cgroup;
	struct memcg_vmstats *sums;
	struct mem_cgroup *memory;
	u32 offset;
	long bytes;

	if (!cgroup || !s)
		return 0;
	memory = cgroup_memory(cgroup, s);
	if (!memory || !bpf_core_field_exists(memory->vmstats))
		return 0;
	sums = BPF_CORE_READ(memory, vmstats);
	offset = bpf_core_field_offset(sums->state) + item * sizeof(bytes);
	if (bpf_probe_read_kernel(&bytes, sizeof(bytes), (void *)sums + offset) == 0)
		bpf_seq_write(ctx->meta->seq, &bytes, sizeof(bytes));
	return 0;
}
