/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds how much memory the kernel uses for a memory cgroup in reclaimable slabs. That is mostly names and inodes of
 * files, and the kernel reclaims it when it needs room. On cgroup v2 memory.stat shows the amount. On v1 no file shows
 * it alone: it is a part of memory.kmem.usage_in_bytes. So stintd runs this program on that cgroup and all cgroups
 * below it.
 *
 * The kernel adds up each cgroup's changes on each CPU only now and then. A read of memory.stat adds them up only if
 * enough has changed. Also, if a cgroup below changes during a read, the kernel misses that change for two seconds
 * (memcg_rstat_updated() assumes that the cgroups above know everything that the cgroup knows). So this program adds up
 * the remaining changes itself.
 */
#include "bpf/maps.h"
#include "bpf/memory_peak.h"

/* Writes how many bytes this cgroup adds to the sum over all cgroups. */
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
	if (ctx->meta->seq_num == 0) /* the first cgroup of the walk is the one above all others */
		bytes += memory_stat_added_up(memory, at);
	bpf_seq_write(ctx->meta->seq, &bytes, sizeof(bytes));
	return 0;
}
