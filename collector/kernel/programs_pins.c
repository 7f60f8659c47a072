/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Manages the pins of links, maps and programs, from one stintd to the next. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector/kernel/old_programs.h"
#include "collector/kernel/pin_names.h"
#include "collector/kernel/programs_internal.h"

#define LEFT_OUT_BEFORE \
	"it was left out when the kernel programs were loaded, and stays out until stintd starts while no job runs"

static const char *const map_names[MAPS] = {
	[SETTINGS] = "settings",
	[JOB_CGROUPS] = "job_cgroups",
	[TOTALS] = "totals",
	[TOOLS] = "tools",
	[MEMORY_CGROUPS] = "memory_cgroups",
	[INTERPRETERS] = "interpreters",
	[RUNTIME_OPTIONS] = "runtime_options",
	[CONTAINERS] = "containers",
	[GPU_FILES] = "gpu_files",
	[EVENTS] = "events",
	[PRESSURES] = "pressures",
	[CPU_USES] = "cpu_uses",
	[SAMPLES] = "samples",
	[FILE_SYSTEMS] = "file_systems",
	[FILES] = "files",
	[SYSCALLS] = "syscalls",
	[USERS] = "users",
	[SHARES] = "shares",
};

const char *programs__map_name(enum map_index map)
{
	return map_names[map];
}

static void pin_path(const struct programs *p, const char *name, char path[PATH_MAX + 64])
{
	snprintf(path, PATH_MAX + 64, "%s/%s", p->dir, name);
}

static int pin_fd(struct programs *p, int fd, const char *name, struct error *err)
{
	char pin[PATH_MAX + 64];

	pin_path(p, name, pin);
	return bpf_obj_pin(fd, pin) < 0 ? error_errno(err, "%s", pin) : 0;
}

int programs__pin(struct programs *p, struct error *err)
{
	char pin[PATH_MAX + 64], name[64];

	for (int i = 0; i < PROGRAMS; i++) {
		pin_path(p, pin_name(i), pin);
		if (p->links[i] && bpf_link__pin(p->links[i], pin) < 0)
			return error_errno(err, "%s", pin);
	}
	for (int i = 0; i < MAPS; i++) {
		snprintf(name, sizeof(name), "map_%s", map_names[i]);
		if (pin_fd(p, p->maps[i], name, err) < 0)
			return -1;
	}
	if (pin_fd(p, p->scan_fd, pin_name(PROGRAM_member_scan), err) < 0)
		return -1;
	if (p->sample_fd >= 0 && pin_fd(p, p->sample_fd, pin_name(PROGRAM_sample_tasks), err) < 0)
		return -1;
	if (p->living_fd >= 0 && pin_fd(p, p->living_fd, pin_name(PROGRAM_living_tasks), err) < 0)
		return -1;
	return p->slab_fd >= 0 ? pin_fd(p, p->slab_fd, pin_name(PROGRAM_memory_slab), err) : 0;
}

/*
 * Unpins a program that stint.conf no longer wants.
 *
 * A wanted program without a pin stays left out: a new load would lose the counts.
 */
static int adopt(struct programs *p, enum program i, struct error *err)
{
	char pin[PATH_MAX + 64];

	pin_path(p, pin_name(i), pin);
	p->loaded[i] = i == PROGRAM_cpu_offsets_learn ? p->wanted[i] : access(pin, F_OK) == 0;
	if (p->loaded[i] && p->by_choice[i]) {
		if (i == PROGRAM_fuse_requested && programs__set_fuse(p, false, err) < 0)
			return -1;
		unlink(pin);
		p->loaded[i] = false;
	}
	if (!p->loaded[i] && p->wanted[i]) {
		programs__leave_out(p, i, LEFT_OUT_BEFORE);
		p->by_choice[i] = true;
	}
	if (p->loaded[i] || !programs__needed(i))
		return 0;
	return error_set(err, "the kernel program %s is not pinned", programs__name(i));
}

/*
 * Compares a pinned map with this build. The pinned map may have another layout, or not be stint's. The number of
 * entries may differ, because stint.conf sets it.
 */
static bool is_as(int fd, const struct bpf_map *map)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);

	return map && bpf_obj_get_info_by_fd(fd, &info, &size) == 0 && info.type == bpf_map__type(map) &&
	       info.key_size == bpf_map__key_size(map) && info.value_size == bpf_map__value_size(map);
}

int programs__open_pins(struct programs *p, struct bpf_object *object)
{
	char pin[PATH_MAX + 64], name[64];
	__u32 zero = 0;

	for (int i = 0; i < MAPS; i++) {
		snprintf(name, sizeof(name), "map_%s", map_names[i]);
		pin_path(p, name, pin);
		p->maps[i] = bpf_obj_get(pin);
		if (p->maps[i] < 0 || !is_as(p->maps[i], bpf_object__find_map_by_name(object, map_names[i])))
			return -1;
	}
	if (bpf_map_lookup_elem(p->maps[SETTINGS], &zero, &p->settings) < 0 || p->settings.layout != ABI_LAYOUT)
		return -1;
	pin_path(p, pin_name(PROGRAM_member_scan), pin);
	p->scan_fd = bpf_obj_get(pin);
	return p->scan_fd < 0 ? -1 : 0;
}

bool programs__count_for_a_job(const struct programs *p)
{
	__u64 cgroup;

	return bpf_map_get_next_key(p->maps[JOB_CGROUPS], NULL, &cgroup) == 0;
}

/* Returns false if a wanted program has no pin. The kernel may have refused this program: a new load will log why. */
static bool all_are_pinned(const struct programs *p)
{
	char pin[PATH_MAX + 64];

	for (int i = 0; i < PROGRAMS; i++) {
		pin_path(p, pin_name(i), pin);
		if (p->wanted[i] && i != PROGRAM_cpu_offsets_learn && access(pin, F_OK) != 0)
			return false;
	}
	return true;
}

static bool tables_are_empty(const struct programs *p)
{
	static const enum map_index tables[] = { JOB_CGROUPS, MEMORY_CGROUPS, TOTALS, TOOLS, FILE_SYSTEMS, FILES };
	unsigned char key[256];

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (bpf_map_get_next_key(p->maps[tables[i]], NULL, key) == 0)
			return false;
	return true;
}

bool programs__would_be_same(const struct programs *p)
{
	return p->settings.choice == p->choice && all_are_pinned(p) && tables_are_empty(p);
}

int programs__take_over(struct programs *p, struct error *err)
{
	char pin[PATH_MAX + 64];

	for (int i = 0; i < PROGRAMS; i++)
		if (adopt(p, i, err) < 0)
			return -1;
	pin_path(p, pin_name(PROGRAM_sample_tasks), pin);
	p->sample_fd = p->loaded[PROGRAM_sample_tasks] ? bpf_obj_get(pin) : -1;
	pin_path(p, pin_name(PROGRAM_living_tasks), pin);
	p->living_fd = p->loaded[PROGRAM_living_tasks] ? bpf_obj_get(pin) : -1;
	pin_path(p, pin_name(PROGRAM_memory_slab), pin);
	p->slab_fd = p->loaded[PROGRAM_memory_slab] ? bpf_obj_get(pin) : -1;
	programs__count_slots(p);
	programs__find_slots(p);
	p->taken_over = true;
	return 0;
}

void programs__leave_out_lacking(struct programs *p, const struct old *old)
{
	for (int i = 0; i < PROGRAMS; i++) {
		/* Programs that add nothing to any sum. */
		bool iterator = i == PROGRAM_cpu_offsets_learn || i == PROGRAM_living_tasks || i == PROGRAM_memory_slab;

		if (!p->wanted[i] || programs__needed(i) || iterator || old_has(old, pin_name(i)))
			continue;
		programs__leave_out(p, i, LEFT_OUT_BEFORE);
		p->by_choice[i] = true;
	}
}
