/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many entries the kernel programs' maps have, where stint.conf says so. */
#include "collector/programs_own.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

static const struct {
	enum bounded_map map;
	const char *name;
} bounds[] = {
	{ BOUNDED_job_cgroups, "job_cgroups" },
	{ BOUNDED_totals, "totals" },
	{ BOUNDED_memory_cgroups, "memory_cgroups" },
	{ BOUNDED_tools, "tools" },
	{ BOUNDED_processes, "processes" },
	{ BOUNDED_process_uses, "process_uses" },
	{ BOUNDED_file_systems, "file_systems" },
	{ BOUNDED_files, "files" },
	{ BOUNDED_events, "events" },
	{ BOUNDED_slots, "pressures" },
	{ BOUNDED_slots, "cpu_uses" },
	{ BOUNDED_slots, "samples" },
};

int programs__bound(const struct programs *p, struct bpf_object *object, struct error *err)
{
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		struct bpf_map *map = bpf_object__find_map_by_name(object, bounds[i].name);
		unsigned int entries = p->map_entries[bounds[i].map];

		if (entries && bounds[i].map == BOUNDED_slots)
			entries++; /* slot 0 is nobody's */
		/* The library makes a ring's size one that the kernel takes: a power of two, and whole pages. */
		if (entries && (!map || bpf_map__set_max_entries(map, entries) < 0))
			return error_set(err, "the map %s cannot have %u entries", bounds[i].name, entries);
	}
	return 0;
}

void programs__count_slots(struct programs *p)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);

	if (bpf_obj_get_info_by_fd(p->maps[PRESSURES], &info, &size) == 0)
		p->slots.room = info.max_entries;
}
