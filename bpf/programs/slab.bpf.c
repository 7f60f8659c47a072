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

/* Writes how many bytes the cgroup adds to the sum of all. */
SEC("iter/cgroup")
int memory_slab(struct bpf_iter__cgroup *ctx)
{
	u32 at = memory_stat_at(bpf_core_enum_value(enum node_stat_item, NR_SLAB_RECLAIMABLE_B)), zero = 0;
	struct settings *s = bpf_map_lookup_elem(&settings, &zero);
	struct cgroup *cgroup = ctx->cgroup;
	struct mem_cgroup *memory;
	s64 bytes;

	if (!cgroup || !s)
		return 0;
	memory = cgroup_memory(cgroup, s);
	if (!memory || !bpf_core_field_exists(memory->vmstats))
		return 0;
	bytes = memory_stat_changed(memory, at, s->cpus);
	if (ctx->meta->seq_num == 0) /* the first is the one that all others are below */
		bytes += memory_stat_added_up(memory, at);
	bpf_seq_write(ctx->meta->seq, &bytes, sizeof(bytes));
	return 0;
}
