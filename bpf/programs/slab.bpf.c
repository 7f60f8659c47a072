/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds how much memory the kernel uses for a memory cgroup in reclaimable slabs. These are mostly names and inodes of
 * files, and the kernel reclaims them if it needs room. On cgroup v2, memory.stat shows the amount. On v1, no file
 * shows it separately: it is a part of memory.kmem.usage_in_bytes. So stintd runs this program on that cgroup and on
 * all cgroups below it.
 *
 * The kernel adds up the changes of each cgroup on each CPU only from time to time. A read of memory.stat makes the
 * kernel do so only if enough has changed. Also, if a cgroup below changes during a read, the kernel misses that change
 * for two seconds (memcg_rstat_updated() assumes that the cgroups above know everything that this cgroup knows). So
 * this program adds up the remaining changes itself.
 */
#include "bpf/maps.h"
#include "bpf/memory_peak.h"

/*
 * Writes how many bytes this cgroup adds to the sum. The collector adds up what is written for all cgroups of the walk.
 */
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
	if (ctx->meta->seq_num == 0) /* the first cgroup of the walk is above all others, so its sum includes them */
		bytes += memory_stat_added_up(memory, at);
	bpf_seq_write(ctx->meta->seq, &bytes, sizeof(bytes));
	return 0;
}
