/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's memory for a memory cgroup that it reclaims when room is needed (reclaimable slabs): mostly names and
 * inodes of files. On cgroup v2 memory.stat has it. On v1 no file has it: it is part of memory.kmem.usage_in_bytes. So
 * stintd runs this program on that cgroup and all below it.
 *
 * The kernel adds up each cgroup's changes on each CPU only now and then. A read of memory.stat adds them up only if
 * enough has changed. And if a reader comes while a cgroup below changes, the change is forgotten for two seconds
 * (memcg_rstat_updated() believes that a cgroup's parents know everything that it knows). So this program adds up the
 * remaining changes itself.
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
