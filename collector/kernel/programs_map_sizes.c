/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets how many entries the maps have, and how many a job or a user may have. */
#include "collector/kernel/map_shares.h"
#include "collector/kernel/programs_internal.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <string.h>

#include "bpf/stint.skel.h"

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

int programs__set_map_sizes(const struct programs *p, struct bpf_object *object, struct error *err)
{
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		struct bpf_map *map = bpf_object__find_map_by_name(object, bounds[i].name);
		unsigned int entries = p->map_entries[bounds[i].map];

		if (entries && bounds[i].map == BOUNDED_slots)
			entries++; /* slot 0 belongs to no job */
		/* libbpf rounds the size of a ring buffer up. */
		if (entries && (!map || bpf_map__set_max_entries(map, entries) < 0))
			return error_set(err, "stint's BPF map %s cannot have %u entries", bounds[i].name, entries);
	}
	return 0;
}

static unsigned int entries_of(const struct programs *p, enum map_index map)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);

	return bpf_obj_get_info_by_fd(p->maps[map], &info, &size) < 0 ? 0 : info.max_entries;
}

/* A step needs an entry in two tables. */
static __u32 steps_share(const struct programs *p, const struct table_use *use, size_t jobs)
{
	unsigned int totals = entries_of(p, TOTALS), memory = entries_of(p, MEMORY_CGROUPS);

	return shares_of(totals < memory ? totals : memory, use->jobs + use->steps, jobs, ABI_STEPS_PER_JOB);
}

static bool add_places(const void *key, const void *value, void *data)
{
	const struct user *user = value;
	size_t *used = data;

	(void)key;
	for (int i = 0; i < PLACES; i++)
		used[i] += user->taken[i] > 0 ? user->taken[i] : 0;
	return false;
}

/* Returns true if a number has changed. */
static bool share_places(struct programs *p, size_t users)
{
	struct settings *set = &p->settings;
	size_t used[PLACES] = { 0 };
	bool changed = false;

	programs__walk(p->maps[USERS], add_places, used);
	for (int i = 0; i < PLACES; i++) {
		__u32 room = set->places_room[i], share = shares_of(room, used[i], users, room);

		changed = changed || share != set->places_share[i];
		set->places_share[i] = share;
	}
	return changed;
}

int programs__share_tables(struct programs *p, const struct table_use *use, struct error *err)
{
	return share_places(p, use->users) ? programs__write_settings(p, err) : 0;
}

int programs__share_of_user(struct programs *p, const struct table_use *use, uint32_t uid, size_t jobs, struct error *err)
{
	size_t all = use->users * jobs;
	const struct share share = {
		.tools = shares_of(entries_of(p, TOOLS), use->tools, all, ABI_TOOLS_PER_JOB),
		.files = shares_of(entries_of(p, FILES), use->files, all, ABI_FILES_PER_JOB),
		.steps = steps_share(p, use, all),
		.containers = shares_of(entries_of(p, CONTAINERS), use->containers, all, ABI_CONTAINERS_PER_JOB),
		.gpu_files = shares_of(entries_of(p, GPU_FILES), use->gpu_files, all, ABI_GPU_FILES_PER_JOB),
	};
	struct share now;

	if (bpf_map_lookup_elem(p->maps[SHARES], &uid, &now) == 0 && memcmp(&now, &share, sizeof(now)) == 0)
		return 0;
	if (bpf_map_update_elem(p->maps[SHARES], &uid, &share, BPF_ANY) < 0)
		return error_errno(err, "cannot update stint's BPF map of users' shares");
	return 0;
}

uint32_t programs__steps_share(const struct programs *p, uint32_t uid)
{
	struct share share;

	return bpf_map_lookup_elem(p->maps[SHARES], &uid, &share) == 0 ? share.steps : ABI_STEPS_PER_JOB;
}

void programs__count_places(struct programs *p)
{
	p->settings.places_room[PLACE_PROCESS] = bpf_map__max_entries(p->skeleton->maps.processes);
	p->settings.places_room[PLACE_PROCESS_USE] = bpf_map__max_entries(p->skeleton->maps.process_uses);
}

void programs__count_slots(struct programs *p)
{
	unsigned int entries = entries_of(p, PRESSURES);

	if (entries)
		p->slots.room = entries;
}
