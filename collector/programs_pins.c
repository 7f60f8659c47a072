/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one stintd hands to the next: pins of the links, of the maps, and of the programs that are run by hand. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector/programs_old.h"
#include "collector/programs_own.h"

#define LEFT_OUT_BEFORE \
	"it was left out when the kernel programs were loaded, and is until stintd starts when it counts no job"

static const char *const map_names[MAPS] = {
	[SETTINGS] = "settings",
	[JOB_CGROUPS] = "job_cgroups",
	[TOTALS] = "totals",
	[TOOLS] = "tools",
	[MEMORY_CGROUPS] = "memory_cgroups",
	[INTERPRETERS] = "interpreters",
	[EVENTS] = "events",
	[PRESSURES] = "pressures",
	[CPU_USES] = "cpu_uses",
	[SAMPLES] = "samples",
	[FILE_SYSTEMS] = "file_systems",
	[FILES] = "files",
	[SYSCALLS] = "syscalls",
};

const char *programs__map_name(enum map_index map)
{
	return map_names[map];
}

/* Programs that are run by their pins and not by a link. */
const char *programs__pin_name(enum program program)
{
	if (program == PROGRAM_member_scan)
		return "scan";
	return program == PROGRAM_sample_tasks ? "sample" : programs__name(program);
}

bool programs__is_pin(const char *name)
{
	for (int i = 0; i < PROGRAMS; i++)
		if (strcmp(programs__pin_name(i), name) == 0)
			return true;
	return false;
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
		pin_path(p, programs__pin_name(i), pin);
		if (p->links[i] && bpf_link__pin(p->links[i], pin) < 0)
			return error_errno(err, "%s", pin);
	}
	for (int i = 0; i < MAPS; i++) {
		snprintf(name, sizeof(name), "map_%s", map_names[i]);
		if (pin_fd(p, p->maps[i], name, err) < 0)
			return -1;
	}
	if (pin_fd(p, p->scan_fd, programs__pin_name(PROGRAM_member_scan), err) < 0)
		return -1;
	return p->sample_fd >= 0 ? pin_fd(p, p->sample_fd, programs__pin_name(PROGRAM_sample_tasks), err) : 0;
}

/*
 * What is pinned counts, unless stint.conf does not want it any more: then it is let go. What is wanted and not
 * pinned could only be had by loading all anew, and what was counted would be lost.
 */
static int adopt(struct programs *p, enum program i, struct error *err)
{
	char pin[PATH_MAX + 64];

	pin_path(p, programs__pin_name(i), pin);
	p->loaded[i] = i == PROGRAM_cpu_offsets_learn ? p->wanted[i] : access(pin, F_OK) == 0;
	if (p->loaded[i] && p->by_choice[i]) {
		if (i == PROGRAM_fuse_requested && programs__tell_fuse(p, false, err) < 0)
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
	return error_set(err, "%s is not pinned", programs__name(i));
}

/*
 * Whether the pinned map @fd is as @map, of our object: of another layout, or of no stintd's, it may not be. How many
 * entries it has is stint.conf's choice.
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
	if (bpf_map_lookup_elem(p->maps[SETTINGS], &zero, &p->settings) < 0 || p->settings.layout != RECORD_LAYOUT)
		return -1;
	pin_path(p, programs__pin_name(PROGRAM_member_scan), pin);
	p->scan_fd = bpf_obj_get(pin);
	return p->scan_fd < 0 ? -1 : 0;
}

/* Whether the pinned programs count for some job. Where not, nothing is lost when they are loaded anew, by this stintd and its conf. */
bool programs__count_for_a_job(const struct programs *p)
{
	__u64 cgroup;

	return bpf_map_get_next_key(p->maps[JOB_CGROUPS], NULL, &cgroup) == 0;
}

int programs__take_over(struct programs *p, struct error *err)
{
	char pin[PATH_MAX + 64];

	for (int i = 0; i < PROGRAMS; i++)
		if (adopt(p, i, err) < 0)
			return -1;
	pin_path(p, programs__pin_name(PROGRAM_sample_tasks), pin);
	p->sample_fd = p->loaded[PROGRAM_sample_tasks] ? bpf_obj_get(pin) : -1;
	programs__count_slots(p);
	programs__find_slots(p);
	p->taken_over = true;
	return 0;
}

void programs__leave_out_lacking(struct programs *p, const struct old *old)
{
	for (int i = 0; i < PROGRAMS; i++) {
		bool iterator = i == PROGRAM_cpu_offsets_learn; /* it runs once, and has no pin */

		if (!p->wanted[i] || programs__needed(i) || iterator || old_has(old, programs__pin_name(i)))
			continue;
		programs__leave_out(p, i, LEFT_OUT_BEFORE);
		p->by_choice[i] = true;
	}
}
