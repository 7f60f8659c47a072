/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the reclaimable slabs of a memory cgroup: mostly names and inodes of files.
 * On cgroup v1, no file of the cgroup shows these slabs.
 *
 * memory.stat can miss changes for two seconds (memcg_rstat_updated()). So this program adds up the changes itself.
 */
#include "bpf/maps.h"
#include "bpf/memory_peak.h"

/* The collector adds up what this writes for all cgroups. */
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
	if (ctx->meta->seq_num == 0) /* its sum includes all cgroups below */
		bytes += memory_stat_added_up(memory, at);
	bpf_seq_write(ctx->meta->seq, &bytes, sizeof(bytes));
	return 0;
}
