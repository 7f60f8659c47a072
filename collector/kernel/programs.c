/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/programs_internal.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
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
#include "collector/host/cgroup.h"
#include "collector/kernel/gpu_devices.h"
#include "collector/kernel/interpreters.h"
#include "collector/kernel/old_programs.h"
#include "collector/kernel/syscalls.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/file.h"

#define BPFFS_MAGIC 0xcafe4a11

static bool is_iterator(const struct bpf_program *program)
{
	return strncmp(bpf_program__section_name(program), "iter/", 5) == 0;
}

/* An optional program may fail. Returns 0; -1 with @err set. */
static int attach_one(struct programs *p, const struct bpf_program *program, enum program i, struct error *err)
{
	char reason[160];

	p->links[i] = bpf_program__attach(program);
	if (!p->links[i] && programs__needed(i))
		return error_errno(err, "cannot attach the kernel program %s", programs__name(i));
	if (!p->links[i]) {
		snprintf(reason, sizeof(reason), "stintd cannot attach it: %s", strerror(errno));
		programs__leave_out(p, i, reason);
	}
	return 0;
}

static int attach(struct programs *p, struct error *err)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, p->skeleton->obj) {
		enum program i = programs__find(bpf_program__name(program));

		if (i == PROGRAMS || !p->wanted[i])
			continue;
		if (!is_iterator(program) && attach_one(p, program, i, err) < 0)
			return -1;
		p->loaded[i] = p->wanted[i];
	}
	return 0;
}

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define SYSFS_BYTES 4096

/* Returns true if the scheduler's clock has a constant rate on all CPUs. */
static bool clock_is_steady(void)
{
	cleanup_free char *name = file_read(AT_FDCWD, CLOCKSOURCE, SYSFS_BYTES, NULL, NULL);

	return name && (strcmp(name, "tsc\n") == 0 || strcmp(name, "arch_sys_counter\n") == 0);
}

static int first_settings(struct programs *p, struct error *err)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);
	int cpus = libbpf_num_possible_cpus();

	if (bpf_obj_get_info_by_fd(bpf_map__fd(p->skeleton->maps.cpu_anchor), &info, &size) < 0)
		return error_errno(err, "cannot read the id of a BPF map");
	memset(&p->settings, 0, sizeof(p->settings));
	p->settings.layout = ABI_LAYOUT;
	p->settings.build = p->build;
	p->settings.choice = p->choice;
	snprintf(p->settings.version, sizeof(p->settings.version), "%s", PACKAGE_VERSION);
	p->settings.steady_clock = clock_is_steady();
	p->settings.exit_sees_memory = !p->wanted[PROGRAM_process_exit_memory] &&
				       !p->reasons[PROGRAM_process_exit_memory][0];
	p->settings.hierarchy_id = p->settings.memory_hierarchy_id = -1;
	p->settings.memory_subsys = cgroup_subsys_index("memory");
	p->settings.cpus = cpus > ABI_CPUS_MAX ? ABI_CPUS_MAX : cpus;
	p->settings.page_bytes = sysconf(_SC_PAGESIZE);
	p->settings.anchor_id = info.id;
	p->settings.since_ns = clock_ns(CLOCK_BOOTTIME);
	p->settings.gpu_range_count = gpu_devices_read(p->settings.gpu_ranges);
	programs__count_places(p);
	return programs__write_settings(p, err);
}

static int fill_tables(struct programs *p, struct error *err)
{
	struct syscalls syscalls;
	__u32 zero = 0;

	syscalls_fill(&syscalls);
	if (bpf_map_update_elem(p->maps[SYSCALLS], &zero, &syscalls, BPF_ANY) < 0)
		return error_errno(err, "cannot update stint's BPF map of system calls");
	return interpreters_fill(p->maps[INTERPRETERS], p->maps[RUNTIME_OPTIONS], err);
}

static void learn_cpu_offsets(struct programs *p)
{
	struct error why;

	if (p->wanted[PROGRAM_cpu_offsets_learn] &&
	    programs__iterate(bpf_program__fd(p->skeleton->progs.cpu_offsets_learn), &why) < 0)
		programs__leave_out(p, PROGRAM_cpu_offsets_learn, why.text);
}

int programs__set_rush(struct programs *p, uint32_t ns, struct error *err)
{
	if (p->settings.rush_ns == ns)
		return 0;
	p->settings.rush_ns = ns;
	return programs__write_settings(p, err);
}

static int start_anew(struct programs *p, const struct old *old, struct error *err)
{
	if (programs__load(p, old, err) < 0)
		return -1;
	for (int i = 0; i < MAPS; i++)
		p->maps[i] = bpf_object__find_map_fd_by_name(p->skeleton->obj, programs__map_name(i));
	p->scan_fd = bpf_program__fd(p->skeleton->progs.member_scan);
	if (p->wanted[PROGRAM_sample_tasks])
		p->sample_fd = bpf_program__fd(p->skeleton->progs.sample_tasks);
	if (p->wanted[PROGRAM_living_tasks])
		p->living_fd = bpf_program__fd(p->skeleton->progs.living_tasks);
	if (p->wanted[PROGRAM_memory_slab])
		p->slab_fd = bpf_program__fd(p->skeleton->progs.memory_slab);
	programs__count_slots(p);
	if (first_settings(p, err) < 0 || fill_tables(p, err) < 0)
		return -1;
	learn_cpu_offsets(p);
	programs__warm(p->skeleton->obj);
	return attach(p, err) < 0 ? -1 : programs__set_fuse(p, p->loaded[PROGRAM_fuse_requested], err);
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
	close_one(&p->living_fd);
	close_one(&p->slab_fd);
}

static bool on_bpffs(const char *dir)
{
	struct statfs fs;

	mkdir(dir, 0700);
	return statfs(dir, &fs) == 0 && (unsigned long)fs.f_type == BPFFS_MAGIC;
}

static int choose(struct programs *p, const struct conf *conf, struct error *err)
{
	struct stint_bpf *skeleton = programs__open_object(err);
	int status = skeleton ? programs__choose(p, skeleton->obj, conf, err) : -1;

	programs__close_object(skeleton);
	programs__hash_choice(p);
	return status;
}

/* Takes over programs of the same layout, if they count for a job, or are what this stintd would load. */
static bool took_over(struct programs *p, const struct old *old)
{
	struct error why;
	struct stint_bpf *skeleton = programs__open_object(&why);
	bool done;

	done = skeleton && !old_is_mixed(old) && programs__open_pins(p, skeleton->obj) == 0 &&
	       (programs__count_for_a_job(p) || programs__would_be_same(p)) && programs__take_over(p, &why) == 0;
	programs__close_object(skeleton);
	if (!done)
		close_maps(p);
	return done;
}

static void replace(struct programs *p, struct old *old)
{
	p->change = &p->skeleton->bss->change;
	p->change_fd = bpf_program__fd(p->skeleton->progs.thread_inherit);
	p->replaced = p->upgrade(p, p->skeleton->obj, old, &p->not_replaced) == 0;
	if (p->replaced)
		p->not_replaced.text[0] = '\0';
}

static int start_and_replace(struct programs *p, const struct conf *conf, struct old *old, struct error *err)
{
	if (choose(p, conf, err) < 0)
		return -1;
	if (old)
		programs__leave_out_lacking(p, old);
	if (start_anew(p, old, err) < 0)
		return -1;
	if (old)
		replace(p, old);
	if (!p->pinned)
		return 0;
	p->foreign_pins = old_unpin(p->dir);
	if (programs__pin(p, err) == 0)
		return 0;
	old_unpin(p->dir);
	return -1;
}

static int take_over_or_start(struct programs *p, const struct conf *conf, struct error *err)
{
	struct old *old;
	int status;

	if (choose(p, conf, err) < 0)
		return -1;
	old = p->pinned ? old_open(p->dir) : NULL;
	if (old && took_over(p, old)) {
		old_free(old);
		return 0;
	}
	if (old && !old_counts_for_a_job(old)) {
		old_free(old);
		old = NULL;
	}
	status = start_and_replace(p, conf, old, err);
	old_free(old);
	return status;
}

struct programs *programs__open(const struct conf *conf, programs_upgrade *upgrade, struct error *err)
{
	struct programs *p = calloc(1, sizeof(*p));
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

	if (!p) {
		error_errno(err, "programs");
		return NULL;
	}
	libbpf_set_print(NULL); /* stintd names refused programs itself */
	setrlimit(RLIMIT_MEMLOCK, &unlimited); /* kernels before 5.11 count maps */
	snprintf(p->dir, sizeof(p->dir), "%s", conf->bpf_dir);
	memcpy(p->map_entries, conf->map_entries, sizeof(p->map_entries));
	memset(p->maps, -1, sizeof(p->maps));
	p->scan_fd = p->sample_fd = p->living_fd = p->slab_fd = p->change_fd = -1;
	p->upgrade = upgrade;
	p->build = programs__hash_of_build();
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
		bpf_link__destroy(p->links[i]); /* a pinned program stays attached */
	programs__close_object(p->skeleton);
	own_entries_free(&p->own);
	free(p->left);
	free(p);
}

void programs__give_up(struct programs *p)
{
	if (p && p->pinned && !p->taken_over && !p->replaced)
		old_unpin(p->dir);
	programs__close(p);
}

bool programs__taken_over(const struct programs *p)
{
	return p->taken_over;
}

bool programs__replaced(const struct programs *p, const char **why)
{
	*why = p->not_replaced.text;
	return p->replaced;
}

const char *programs__version(const struct programs *p, bool *same)
{
	*same = p->settings.build == p->build;
	return p->settings.version;
}

int programs__foreign_pins(const struct programs *p)
{
	return p->foreign_pins;
}

bool programs__pinned(const struct programs *p)
{
	return p->pinned;
}

bool programs__loaded(const struct programs *p, enum program program)
{
	return p->loaded[program];
}

const struct features *programs__features(const struct programs *p)
{
	return &p->features;
}

/* Opening the program of another stintd's link needs CAP_SYS_ADMIN. */
struct program_cost programs__cost(const struct programs *p, const struct program_state *state)
{
	const struct bpf_program *program =
		p->skeleton ? bpf_object__find_program_by_name(p->skeleton->obj, state->name) : NULL;
	struct bpf_prog_info info = { 0 };
	__u32 size = sizeof(info);

	if (!program || !state->loaded || bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size) < 0)
		return (struct program_cost){ 0 };
	return (struct program_cost){ .run_ns = info.run_time_ns, .runs = info.run_cnt };
}

int programs__states(const struct programs *p, struct program_state states[PROGRAMS])
{
	int count = 0;

	for (int i = 0; i < PROGRAMS; i++) {
		struct program_state *state = &states[count];

		/* This kernel does not need the program. */
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
