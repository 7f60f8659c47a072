/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Learns where each CPU's part of per-CPU memory is, when stintd loads the programs.
 *
 * Without CONFIG_KALLSYMS_ALL, the kernel does not show __per_cpu_offset[].
 */
#include "bpf/maps.h"

struct cpu_anchor_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
};
struct cpu_anchor_map cpu_anchor SEC(".maps");

static long cpu_offset(u32 cpu, u64 *common)
{
	u32 zero = 0;
	void *own = bpf_map_lookup_percpu_elem(&cpu_anchor, &zero, cpu);
	u64 *offset;

	if (!own)
		return 1;
	/* The map turns the pointer into a number. A program may subtract from a number, but not from this pointer. */
	bpf_map_update_elem(&cpu_offsets, &cpu, &own, BPF_ANY);
	offset = bpf_map_lookup_elem(&cpu_offsets, &cpu);
	if (offset)
		*offset -= *common;
	return 0;
}

SEC("iter/bpf_map")
int cpu_offsets_learn(struct bpf_iter__bpf_map *ctx)
{
	struct bpf_map *map = ctx->map;
	struct settings *s;
	u32 zero = 0;
	u64 common;

	s = bpf_map_lookup_elem(&settings, &zero);
	if (!map || !s || map->id != s->anchor_id)
		return 0;
	common = (u64)BPF_CORE_READ((struct bpf_array *)map, pptrs[0]);
	bpf_loop(s->cpus, cpu_offset, &common, 0);
	return 0;
}
