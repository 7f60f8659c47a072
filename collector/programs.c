/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/programs_own.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "bpf/stint.skel.h"
#include "collector/cgroup.h"
#include "collector/clock.h"
#include "collector/common/cleanup.h"
#include "collector/interpreters.h"
#include "collector/syscalls.h"

#define BPFFS_MAGIC 0xcafe4a11

static const char *const map_names[MAPS] = {
	[SETTINGS] = "settings",
	[JOB_CGROUPS] = "job_cgroups",
	[TOTALS] = "totals",
	[TOOLS] = "tools",
	[MEMORY_CGROUPS] = "memory_cgroups",
	[EXTERN_STEPS] = "extern_steps",
	[INTERPRETERS] = "interpreters",
	[EVENTS] = "events",
	[PRESSURES] = "pressures",
	[CPU_USES] = "cpu_uses",
	[SAMPLES] = "samples",
	[FILE_SYSTEMS] = "file_systems",
	[FILES] = "files",
	[SYSCALLS] = "syscalls",
};

static enum program program_of(const char *name)
{
	for (int i = 0; i < PROGRAMS; i++)
		if (strcmp(programs__name(i), name) == 0)
			return i;
	return PROGRAMS;
}

/* Programs that are run by their pins and not by a link. */
static const char *pin_name(enum program program)
{
	if (program == PROGRAM_member_scan)
		return "scan";
	return program == PROGRAM_sample_tasks ? "sample" : programs__name(program);
}

static void pin_path(const struct programs *p, const char *name, char path[PATH_MAX + 64])
{
	snprintf(path, PATH_MAX + 64, "%s/%s", p->dir, name);
}

/* The program that the library spoke of last. It tells no other way which one the kernel refused. */
static char spoken_of[64];

static int listen(enum libbpf_print_level level, const char *format, va_list args)
{
	char line[256];

	if (level != LIBBPF_WARN)
		return 0;
	vsnprintf(line, sizeof(line), format, args);
	sscanf(line, "libbpf: prog '%63[^']'", spoken_of);
	return 0;
}

/* Leaves out what the kernel refused, with @code. Returns 0; -1 with @err set when nothing is counted without it. */
static int leave_out_refused(struct programs *p, int code, struct error *err)
{
	enum program refused = program_of(spoken_of);
	bool any = false;
	char reason[160];

	if (refused != PROGRAMS && programs__needed(refused))
		return error_set(err, "the kernel refuses the program %s: %s", programs__name(refused), strerror(code));
	snprintf(reason, sizeof(reason), "the kernel refused it: %s", strerror(code));
	if (refused != PROGRAMS && p->wanted[refused]) {
		programs__leave_out(p, refused, reason);
		return 0;
	}
	snprintf(reason, sizeof(reason), "the kernel refused one that counting does not need: %s", strerror(code));
	for (int i = 0; i < PROGRAMS; i++)
		if (p->wanted[i] && !programs__needed(i)) {
			programs__leave_out(p, i, reason);
			any = true;
		}
	return any ? 0 : error_set(err, "the kernel refuses the programs: %s", strerror(code));
}

/* Opens the object with the programs that are wanted. */
static struct stint_bpf *open_wanted(struct programs *p, struct error *err)
{
	struct stint_bpf *skeleton = stint_bpf__open();
	struct bpf_program *program;

	if (!skeleton) {
		error_errno(err, "the kernel programs");
		return NULL;
	}
	if (programs__bound(p, skeleton->obj, err) < 0) {
		stint_bpf__destroy(skeleton);
		return NULL;
	}
	bpf_object__for_each_program(program, skeleton->obj) {
		enum program i = program_of(bpf_program__name(program));

		bpf_program__set_autoload(program, i != PROGRAMS && p->wanted[i]);
	}
	return skeleton;
}

/* Loads what is wanted; of that, what the kernel refuses is found out one by one. */
static int load(struct programs *p, struct error *err)
{
	for (;;) {
		int status;

		p->skeleton = open_wanted(p, err);
		if (!p->skeleton)
			return -1;
		spoken_of[0] = '\0';
		status = stint_bpf__load(p->skeleton);
		if (status == 0)
			return 0;
		stint_bpf__destroy(p->skeleton);
		p->skeleton = NULL;
		if (leave_out_refused(p, -status, err) < 0)
			return -1;
	}
}

static bool is_iterator(const struct bpf_program *program)
{
	return strncmp(bpf_program__section_name(program), "iter/", 5) == 0;
}

/* Returns 0, also when an optional one cannot be attached; -1 with @err set. */
static int attach_one(struct programs *p, const struct bpf_program *program, enum program i, struct error *err)
{
	char pin[PATH_MAX + 64], reason[160];

	p->links[i] = bpf_program__attach(program);
	if (!p->links[i] && programs__needed(i))
		return error_errno(err, "%s cannot be attached", programs__name(i));
	if (!p->links[i]) {
		snprintf(reason, sizeof(reason), "it cannot be attached: %s", strerror(errno));
		programs__leave_out(p, i, reason);
		return 0;
	}
	pin_path(p, pin_name(i), pin);
	if (p->pinned && bpf_link__pin(p->links[i], pin) < 0)
		return error_errno(err, "%s", pin);
	return 0;
}

static int attach(struct programs *p, struct error *err)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, p->skeleton->obj) {
		enum program i = program_of(bpf_program__name(program));

		if (i == PROGRAMS || !p->wanted[i])
			continue;
		if (!is_iterator(program) && attach_one(p, program, i, err) < 0)
			return -1;
		p->loaded[i] = p->wanted[i];
	}
	return 0;
}

static int pin_fd(struct programs *p, int fd, const char *name, struct error *err)
{
	char pin[PATH_MAX + 64];

	pin_path(p, name, pin);
	return bpf_obj_pin(fd, pin) < 0 ? error_errno(err, "%s", pin) : 0;
}

static int pin_rest(struct programs *p, struct error *err)
{
	char name[64];

	for (int i = 0; i < MAPS; i++) {
		snprintf(name, sizeof(name), "map_%s", map_names[i]);
		if (pin_fd(p, p->maps[i], name, err) < 0)
			return -1;
	}
	if (pin_fd(p, p->scan_fd, pin_name(PROGRAM_member_scan), err) < 0)
		return -1;
	return p->sample_fd >= 0 ? pin_fd(p, p->sample_fd, pin_name(PROGRAM_sample_tasks), err) : 0;
}

/* The directory is ours alone; an earlier version may have had other pins. */
static void unpin_all(const char *dir)
{
	cleanup_closedir DIR *directory = opendir(dir);
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(directory), entry->d_name, 0);
}

static int first_settings(struct programs *p, struct error *err)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);
	int cpus = libbpf_num_possible_cpus();

	if (bpf_obj_get_info_by_fd(bpf_map__fd(p->skeleton->maps.cpu_anchor), &info, &size) < 0)
		return error_errno(err, "a map's number");
	p->settings.layout = RECORD_LAYOUT;
	p->settings.exit_sees_memory = !p->wanted[PROGRAM_process_exit_memory] &&
				       !p->reasons[PROGRAM_process_exit_memory][0];
	p->settings.hierarchy_id = p->settings.memory_hierarchy_id = -1;
	p->settings.memory_subsys = cgroup_subsys_index("memory");
	p->settings.cpus = cpus > RECORD_CPUS_MAX ? RECORD_CPUS_MAX : cpus;
	p->settings.page_bytes = sysconf(_SC_PAGESIZE);
	p->settings.anchor_id = info.id;
	p->settings.since_ns = clock_ns(CLOCK_BOOTTIME);
	return programs__write_settings(p, err);
}

static int fill_tables(struct programs *p, struct error *err)
{
	struct syscalls syscalls;
	__u32 zero = 0;

	syscalls_fill(&syscalls);
	if (bpf_map_update_elem(p->maps[SYSCALLS], &zero, &syscalls, BPF_ANY) < 0)
		return error_errno(err, "the map of system calls");
	return interpreters_fill(p->maps[INTERPRETERS], err);
}

static void learn_cpu_offsets(struct programs *p)
{
	struct error why;

	if (p->wanted[PROGRAM_cpu_offsets_learn] &&
	    programs__iterate(bpf_program__fd(p->skeleton->progs.cpu_offsets_learn), &why) < 0)
		programs__leave_out(p, PROGRAM_cpu_offsets_learn, why.text);
}

/* Requests to FUSE are told, or no longer: what a thread waits for in an open is judged by it. */
static int tell_fuse(struct programs *p, bool seen, struct error *err)
{
	if (p->settings.fuse_seen == seen)
		return 0;
	p->settings.fuse_seen = seen;
	return programs__write_settings(p, err);
}

static int start_anew(struct programs *p, struct error *err)
{
	if (load(p, err) < 0)
		return -1;
	for (int i = 0; i < MAPS; i++)
		p->maps[i] = bpf_object__find_map_fd_by_name(p->skeleton->obj, map_names[i]);
	p->scan_fd = bpf_program__fd(p->skeleton->progs.member_scan);
	if (p->wanted[PROGRAM_sample_tasks])
		p->sample_fd = bpf_program__fd(p->skeleton->progs.sample_tasks);
	programs__count_slots(p);
	if (first_settings(p, err) < 0 || fill_tables(p, err) < 0)
		return -1;
	learn_cpu_offsets(p);
	programs__warm(p->skeleton->obj);
	if (attach(p, err) < 0 || tell_fuse(p, p->loaded[PROGRAM_fuse_requested], err) < 0)
		return -1;
	return p->pinned ? pin_rest(p, err) : 0;
}

/*
 * What is pinned counts, unless stint.conf does not want it any more: then it is let go. What is wanted and not
 * pinned could only be had by loading all anew, and what was counted would be lost.
 */
static int adopt(struct programs *p, enum program i, struct error *err)
{
	char pin[PATH_MAX + 64];

	pin_path(p, pin_name(i), pin);
	p->loaded[i] = i == PROGRAM_cpu_offsets_learn ? p->wanted[i] : access(pin, F_OK) == 0;
	if (p->loaded[i] && p->by_choice[i]) {
		if (i == PROGRAM_fuse_requested && tell_fuse(p, false, err) < 0)
			return -1;
		unlink(pin);
		p->loaded[i] = false;
	}
	if (!p->loaded[i] && p->wanted[i]) {
		programs__leave_out(p, i, "it was left out when the kernel programs were loaded, "
					  "and is until stintd starts when it counts no job");
		p->by_choice[i] = true;
	}
	if (p->loaded[i] || !programs__needed(i))
		return 0;
	return error_set(err, "%s is not pinned", programs__name(i));
}

/* Opens the pins of an earlier stintd; -1 when there are none, or not all, or of another layout. */
static int open_pins(struct programs *p)
{
	char pin[PATH_MAX + 64], name[64];
	__u32 zero = 0;

	for (int i = 0; i < MAPS; i++) {
		snprintf(name, sizeof(name), "map_%s", map_names[i]);
		pin_path(p, name, pin);
		p->maps[i] = bpf_obj_get(pin);
		if (p->maps[i] < 0)
			return -1;
	}
	if (bpf_map_lookup_elem(p->maps[SETTINGS], &zero, &p->settings) < 0 || p->settings.layout != RECORD_LAYOUT)
		return -1;
	pin_path(p, pin_name(PROGRAM_member_scan), pin);
	p->scan_fd = bpf_obj_get(pin);
	return p->scan_fd < 0 ? -1 : 0;
}

/* Whether the pinned programs count for some job. Where not, nothing is lost when they are loaded anew, by this stintd and its conf. */
static bool counts_for_a_job(const struct programs *p)
{
	__u64 cgroup;

	return bpf_map_get_next_key(p->maps[JOB_CGROUPS], NULL, &cgroup) == 0;
}

static int take_over(struct programs *p, struct error *err)
{
	char pin[PATH_MAX + 64];

	for (int i = 0; i < PROGRAMS; i++)
		if (adopt(p, i, err) < 0)
			return -1;
	pin_path(p, pin_name(PROGRAM_sample_tasks), pin);
	p->sample_fd = p->loaded[PROGRAM_sample_tasks] ? bpf_obj_get(pin) : -1;
	programs__count_slots(p);
	programs__find_slots(p);
	p->taken_over = true;
	return 0;
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_maps(struct programs *p)
{
	for (int i = 0; i < MAPS; i++)
		close_one(&p->maps[i]);
	close_one(&p->scan_fd);
	close_one(&p->sample_fd);
}

static bool on_bpffs(const char *dir)
{
	struct statfs fs;

	mkdir(dir, 0700);
	return statfs(dir, &fs) == 0 && (unsigned long)fs.f_type == BPFFS_MAGIC;
}

static int choose(struct programs *p, const struct conf *conf, struct error *err)
{
	struct stint_bpf *skeleton = stint_bpf__open();
	int status = skeleton ? programs__choose(p, skeleton->obj, conf, err) : error_errno(err, "the kernel programs");

	stint_bpf__destroy(skeleton);
	return status;
}

static int take_over_or_start(struct programs *p, const struct conf *conf, struct error *err)
{
	if (choose(p, conf, err) < 0)
		return -1;
	if (p->pinned && open_pins(p) == 0 && counts_for_a_job(p)) {
		if (take_over(p, err) == 0)
			return 0;
		/* It has judged by what was pinned. */
		if (choose(p, conf, err) < 0)
			return -1;
	}
	close_maps(p);
	if (p->pinned)
		unpin_all(p->dir);
	if (start_anew(p, err) == 0)
		return 0;
	if (p->pinned)
		unpin_all(p->dir);
	return -1;
}

struct programs *programs__open(const struct conf *conf, struct error *err)
{
	struct programs *p = calloc(1, sizeof(*p));
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

	if (!p) {
		error_errno(err, "programs");
		return NULL;
	}
	libbpf_set_print(listen);
	setrlimit(RLIMIT_MEMLOCK, &unlimited); /* kernels before 5.11 count maps as locked memory */
	snprintf(p->dir, sizeof(p->dir), "%s", conf->bpf_dir);
	memcpy(p->map_entries, conf->map_entries, sizeof(p->map_entries));
	memset(p->maps, -1, sizeof(p->maps));
	p->scan_fd = p->sample_fd = -1;
	p->pinned = on_bpffs(conf->bpf_dir);
	if (take_over_or_start(p, conf, err) == 0)
		return p;
	programs__close(p);
	return NULL;
}

void programs__close(struct programs *p)
{
	if (!p)
		return;
	ring_buffer__free(p->ring);
	if (p->taken_over)
		close_maps(p);
	for (int i = 0; i < PROGRAMS; i++)
		bpf_link__destroy(p->links[i]); /* a pinned one goes on */
	stint_bpf__destroy(p->skeleton);
	free(p);
}

bool programs__taken_over(const struct programs *p)
{
	return p->taken_over;
}

bool programs__pinned(const struct programs *p)
{
	return p->pinned;
}

bool programs__loaded(const struct programs *p, enum program program)
{
	return p->loaded[program];
}

int programs__states(const struct programs *p, struct program_state states[PROGRAMS])
{
	int count = 0;

	for (int i = 0; i < PROGRAMS; i++) {
		struct program_state *state = &states[count];

		/* A program this kernel has no need of is not missing. */
		if (!p->loaded[i] && !p->reasons[i][0])
			continue;
		state->name = programs__name(i);
		state->loaded = p->loaded[i];
		state->needed = programs__needed(i);
		state->gap = programs__gap(p, i, &state->gap_reason);
		snprintf(state->reason, sizeof(state->reason), "%s", p->reasons[i]);
		count++;
	}
	return count;
}

const struct settings *programs__settings(const struct programs *p)
{
	return &p->settings;
}

uint64_t programs__since_ns(const struct programs *p)
{
	return p->settings.since_ns;
}
