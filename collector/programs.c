/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/programs_own.h"

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

#ifndef RECORD_TEST_LAYOUT
#include "bpf/stint.skel.h"
#else
#include "tests/system/other/stint.skel.h"
#endif
#include "collector/cgroup.h"
#include "collector/clock.h"
#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "collector/interpreters.h"
#include "collector/programs_old.h"
#include "collector/syscalls.h"

#define BPFFS_MAGIC 0xcafe4a11

static enum program program_of(const char *name)
{
	for (int i = 0; i < PROGRAMS; i++)
		if (strcmp(programs__name(i), name) == 0)
			return i;
	return PROGRAMS;
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

static unsigned int threads_of_node(void)
{
	cleanup_free char *text = file_read(AT_FDCWD, "/proc/loadavg", 256, NULL, NULL);
	unsigned int threads = 0;

	if (text)
		sscanf(text, "%*f %*f %*f %*u/%u", &threads);
	return threads;
}

/* What takes threads over from programs of another layout is there only where there are such: @old. */
static void prepare_change(struct stint_bpf *skeleton, const struct old *old)
{
	bpf_program__set_autoload(skeleton->progs.thread_inherit, old != NULL);
	bpf_map__set_autocreate(skeleton->maps.inherited, old != NULL);
	bpf_map__set_autocreate(skeleton->maps.inherit_scratch, old != NULL);
	if (old)
		bpf_map__set_max_entries(skeleton->maps.inherited, 2 * threads_of_node() + 1024);
}

/* Opens the object with the programs that are wanted. */
static struct stint_bpf *open_wanted(struct programs *p, const struct old *old, struct error *err)
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
	prepare_change(skeleton, old);
	return skeleton;
}

/* Loads what is wanted; of that, what the kernel refuses is found out one by one. */
static int load(struct programs *p, const struct old *old, struct error *err)
{
	for (;;) {
		int status;

		p->skeleton = open_wanted(p, old, err);
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
	char reason[160];

	p->links[i] = bpf_program__attach(program);
	if (!p->links[i] && programs__needed(i))
		return error_errno(err, "%s cannot be attached", programs__name(i));
	if (!p->links[i]) {
		snprintf(reason, sizeof(reason), "it cannot be attached: %s", strerror(errno));
		programs__leave_out(p, i, reason);
	}
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

static int first_settings(struct programs *p, struct error *err)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);
	int cpus = libbpf_num_possible_cpus();

	if (bpf_obj_get_info_by_fd(bpf_map__fd(p->skeleton->maps.cpu_anchor), &info, &size) < 0)
		return error_errno(err, "a map's number");
	memset(&p->settings, 0, sizeof(p->settings));
	p->settings.layout = RECORD_LAYOUT;
	p->settings.build = p->build;
	snprintf(p->settings.version, sizeof(p->settings.version), "%s", PACKAGE_VERSION);
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

int programs__tell_fuse(struct programs *p, bool seen, struct error *err)
{
	if (p->settings.fuse_seen == seen)
		return 0;
	p->settings.fuse_seen = seen;
	return programs__write_settings(p, err);
}

static int start_anew(struct programs *p, const struct old *old, struct error *err)
{
	if (load(p, old, err) < 0)
		return -1;
	for (int i = 0; i < MAPS; i++)
		p->maps[i] = bpf_object__find_map_fd_by_name(p->skeleton->obj, programs__map_name(i));
	p->scan_fd = bpf_program__fd(p->skeleton->progs.member_scan);
	if (p->wanted[PROGRAM_sample_tasks])
		p->sample_fd = bpf_program__fd(p->skeleton->progs.sample_tasks);
	programs__count_slots(p);
	if (first_settings(p, err) < 0 || fill_tables(p, err) < 0)
		return -1;
	learn_cpu_offsets(p);
	programs__warm(p->skeleton->obj);
	return attach(p, err) < 0 ? -1 : programs__tell_fuse(p, p->loaded[PROGRAM_fuse_requested], err);
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

/* Of several builds of one version, this one. */
static uint64_t hash_of_build(void)
{
	uint64_t hash = 0xcbf29ce484222325ull; /* FNV-1a */
	const unsigned char *bytes;
	size_t size;

	bytes = stint_bpf__elf_bytes(&size);
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3ull;
	return hash;
}

/* Whether what is pinned is of this layout, counts for a job, and has been taken over. */
static bool took_over(struct programs *p, const struct old *old)
{
	struct stint_bpf *skeleton = stint_bpf__open();
	struct error why;
	bool done;

	done = skeleton && !old_is_mixed(old) && programs__open_pins(p, skeleton->obj) == 0 && programs__count_for_a_job(p) &&
	       programs__take_over(p, &why) == 0;
	stint_bpf__destroy(skeleton);
	if (!done)
		close_maps(p);
	return done;
}

/* What counts for a job and cannot be taken over as it is. */
static void replace(struct programs *p, struct old *old)
{
	p->change = &p->skeleton->bss->change;
	p->change_fd = bpf_program__fd(p->skeleton->progs.thread_inherit);
	p->replaced = programs__take_from(p, p->skeleton->obj, old, &p->not_replaced) == 0;
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
	p->scan_fd = p->sample_fd = p->change_fd = -1;
	p->build = hash_of_build();
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
	free(p->left);
	free(p);
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
