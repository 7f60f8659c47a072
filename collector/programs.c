/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/programs_own.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
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
#include "collector/interpreters.h"

#define BPFFS_MAGIC 0xcafe4a11

static const char *const map_names[MAPS] = {
	[SETTINGS] = "settings",
	[JOB_CGROUPS] = "job_cgroups",
	[TOTALS] = "totals",
	[TOOLS] = "tools",
	[PROCESSES] = "processes",
	[MEMORY_CGROUPS] = "memory_cgroups",
	[EXTERN_STEPS] = "extern_steps",
	[INTERPRETERS] = "interpreters",
	[EVENTS] = "events",
};

struct program_need {
	const char *name;
	bool needed;
	const char *gap;
	const char *gap_reason;
};

static const struct program_need needs[] = {
	{ "thread_switch", true, NULL, NULL },
	{ "process_fork", true, NULL, NULL },
	{ "process_exec", true, NULL, NULL },
	{ "process_exit", true, NULL, NULL },
	{ "member_attach", true, NULL, NULL },
	{ "member_scan", true, NULL, NULL },
	{ "process_prepare_exec", false, "tools.peak_bytes",
	  "this kernel lets no program see what another replaces by exec: such a program's peak is not told" },
	{ "process_begin_exec", false, "tools.peak_bytes",
	  "this kernel lets no program see what another replaces by exec: such a program's peak is not told" },
	{ "process_exit_memory", false, "tools.peak_bytes",
	  "this kernel lets no program see a process' memory when it exits" },
	{ "member_cgroup_removed", false, "used.memory_charged_peak_bytes",
	  "this kernel lets no program see a cgroup when it is removed" },
	{ "cpu_offsets_learn", false, "tools.peak_bytes",
	  "the parts of this kernel's per-CPU counters could not be found: peaks are off by some pages for each CPU" },
};
#define NEEDS ((int)(sizeof(needs) / sizeof(needs[0])))

/* Whether the exit tracepoint still sees the address space: since 6.16 it does, and has the argument group_dead. */
static bool exit_sees_memory(const struct btf *btf)
{
	const struct btf_type *type;
	int id = btf__find_by_name_kind(btf, "btf_trace_sched_process_exit", BTF_KIND_TYPEDEF);

	type = id > 0 ? btf__type_by_id(btf, id) : NULL;
	type = type ? btf__type_by_id(btf, type->type) : NULL; /* pointer */
	type = type ? btf__type_by_id(btf, type->type) : NULL; /* function */
	return type && btf_is_func_proto(type) && btf_vlen(type) >= 3;
}

static bool tracepoint_exists(const struct btf *btf, const char *name)
{
	char typedef_name[128];

	snprintf(typedef_name, sizeof(typedef_name), "btf_trace_%s", name);
	return btf__find_by_name_kind(btf, typedef_name, BTF_KIND_TYPEDEF) > 0;
}

static int need_index(const char *name)
{
	for (int i = 0; i < NEEDS; i++)
		if (strcmp(needs[i].name, name) == 0)
			return i;
	return -1;
}

static void leave_out(struct programs *p, struct stint_bpf *skeleton, const char *name, const char *reason)
{
	struct bpf_program *program = bpf_object__find_program_by_name(skeleton->obj, name);

	bpf_program__set_autoload(program, false);
	snprintf(p->reasons[need_index(name)], sizeof(p->reasons[0]), "%s", reason);
}

static int quiet(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

static struct stint_bpf *try_load(struct programs *p, const struct btf *btf, const char *const *refused, int count)
{
	struct stint_bpf *skeleton = stint_bpf__open();

	if (!skeleton)
		return NULL;
	for (int i = 0; i < count; i++)
		leave_out(p, skeleton, refused[i], "the kernel refused it");
	/* No reason: this kernel has no need of it. */
	leave_out(p, skeleton, tracepoint_exists(btf, "sched_prepare_exec") ? "process_begin_exec" : "process_prepare_exec", "");
	if (exit_sees_memory(btf))
		leave_out(p, skeleton, "process_exit_memory", "");
	if (stint_bpf__load(skeleton) == 0)
		return skeleton;
	stint_bpf__destroy(skeleton);
	return NULL;
}

/*
 * Loads all; when the kernel refuses, finds which optional program it is by
 * leaving out one more at a time.
 */
static struct stint_bpf *load(struct programs *p, struct error *err)
{
	struct btf *btf = btf__load_vmlinux_btf();
	const char *refused[NEEDS] = { NULL };
	struct stint_bpf *skeleton;
	int count = 0;

	if (!btf) {
		error_set(err, "the kernel has no BTF (/sys/kernel/btf/vmlinux; CONFIG_DEBUG_INFO_BTF)");
		return NULL;
	}
	skeleton = try_load(p, btf, refused, count);
	for (int i = 0; !skeleton && i < NEEDS; i++)
		if (!needs[i].needed) {
			refused[count++] = needs[i].name;
			skeleton = try_load(p, btf, refused, count);
		}
	if (!skeleton) {
		libbpf_set_print(NULL);
		error_errno(err, "the kernel refuses the programs");
	}
	btf__free(btf);
	return skeleton;
}

static bool is_iterator(const struct bpf_program *program)
{
	return strncmp(bpf_program__section_name(program), "iter/", 5) == 0;
}

static int attach(struct programs *p, struct error *err)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, p->skeleton->obj) {
		int i = need_index(bpf_program__name(program));
		struct bpf_link *link;
		char pin[PATH_MAX + 64];

		if (!bpf_program__autoload(program))
			continue;
		if (!is_iterator(program)) {
			link = bpf_program__attach(program);
			if (!link && needs[i].needed)
				return error_errno(err, "%s cannot be attached", needs[i].name);
			if (!link) {
				snprintf(p->reasons[i], sizeof(p->reasons[i]), "cannot be attached: %s", strerror(errno));
				continue;
			}
			p->links[i] = link;
			snprintf(pin, sizeof(pin), "%s/%s", p->dir, needs[i].name);
			if (p->pinned && bpf_link__pin(link, pin) < 0)
				return error_errno(err, "%s", pin);
		}
		p->loaded[i] = !p->reasons[i][0]; /* one that ran at once may have failed */
	}
	return 0;
}

static int pin_maps(struct programs *p, struct error *err)
{
	char pin[PATH_MAX + 64];

	for (int i = 0; i < MAPS; i++) {
		snprintf(pin, sizeof(pin), "%s/map_%s", p->dir, map_names[i]);
		if (bpf_obj_pin(p->maps[i], pin) < 0)
			return error_errno(err, "%s", pin);
	}
	snprintf(pin, sizeof(pin), "%s/scan", p->dir);
	if (bpf_obj_pin(p->scan_fd, pin) < 0)
		return error_errno(err, "%s", pin);
	return 0;
}

static void unpin_all(const char *dir)
{
	char name[PATH_MAX + 64];

	for (int i = 0; i < NEEDS; i++) {
		snprintf(name, sizeof(name), "%s/%s", dir, needs[i].name);
		unlink(name);
	}
	for (int i = 0; i < MAPS; i++) {
		snprintf(name, sizeof(name), "%s/map_%s", dir, map_names[i]);
		unlink(name);
	}
	snprintf(name, sizeof(name), "%s/scan", dir);
	unlink(name);
}

static int first_settings(struct programs *p, struct error *err)
{
	struct bpf_map_info info = {};
	__u32 size = sizeof(info);
	int cpus = libbpf_num_possible_cpus();

	if (bpf_obj_get_info_by_fd(bpf_map__fd(p->skeleton->maps.cpu_anchor), &info, &size) < 0)
		return error_errno(err, "a map's number");
	p->settings.layout = RECORD_LAYOUT;
	p->settings.exit_sees_memory = !bpf_program__autoload(p->skeleton->progs.process_exit_memory) &&
				       !p->reasons[need_index("process_exit_memory")][0];
	p->settings.hierarchy_id = p->settings.memory_hierarchy_id = -1;
	p->settings.memory_subsys = cgroup_subsys_index("memory");
	p->settings.cpus = cpus > RECORD_CPUS_MAX ? RECORD_CPUS_MAX : cpus;
	p->settings.page_bytes = sysconf(_SC_PAGESIZE);
	p->settings.anchor_id = info.id;
	p->settings.since_ns = clock_ns(CLOCK_BOOTTIME);
	return programs__write_settings(p, err);
}

static int start_anew(struct programs *p, struct error *err)
{
	struct error why;

	p->skeleton = load(p, err);
	if (!p->skeleton)
		return -1;
	for (int i = 0; i < MAPS; i++)
		p->maps[i] = bpf_object__find_map_fd_by_name(p->skeleton->obj, map_names[i]);
	p->scan_fd = bpf_program__fd(p->skeleton->progs.member_scan);
	if (first_settings(p, err) < 0 || interpreters_fill(p->maps[INTERPRETERS], err) < 0)
		return -1;
	if (bpf_program__autoload(p->skeleton->progs.cpu_offsets_learn) &&
	    programs__iterate(bpf_program__fd(p->skeleton->progs.cpu_offsets_learn), &why) < 0)
		snprintf(p->reasons[need_index("cpu_offsets_learn")], sizeof(p->reasons[0]), "%.150s", why.text);
	if (attach(p, err) < 0)
		return -1;
	return p->pinned ? pin_maps(p, err) : 0;
}

/* Whether the one who loaded the programs had no need of @name, which is not there. */
static bool is_spared(const struct programs *p, const char *name)
{
	if (strcmp(name, "process_exit_memory") == 0)
		return p->settings.exit_sees_memory;
	/* One of the two is enough; where neither is there, it is the latter that is missing. */
	return strcmp(name, "process_prepare_exec") == 0 ||
	       (strcmp(name, "process_begin_exec") == 0 && p->loaded[need_index("process_prepare_exec")]);
}

/* Takes over the pins of an earlier stintd; -1 when there are none, or not all, or of another layout. */
static int take_over(struct programs *p)
{
	char pin[PATH_MAX + 64];
	__u32 zero = 0;

	for (int i = 0; i < MAPS; i++) {
		snprintf(pin, sizeof(pin), "%s/map_%s", p->dir, map_names[i]);
		p->maps[i] = bpf_obj_get(pin);
		if (p->maps[i] < 0)
			return -1;
	}
	if (bpf_map_lookup_elem(p->maps[SETTINGS], &zero, &p->settings) < 0 || p->settings.layout != RECORD_LAYOUT)
		return -1;
	snprintf(pin, sizeof(pin), "%s/scan", p->dir);
	p->scan_fd = bpf_obj_get(pin);
	if (p->scan_fd < 0)
		return -1;
	for (int i = 0; i < NEEDS; i++) {
		snprintf(pin, sizeof(pin), "%s/%s", p->dir, needs[i].name);
		p->loaded[i] = access(pin, F_OK) == 0 || strcmp(needs[i].name, "member_scan") == 0 ||
			       strcmp(needs[i].name, "cpu_offsets_learn") == 0;
		if (!p->loaded[i] && needs[i].needed)
			return -1;
		if (!p->loaded[i] && !is_spared(p, needs[i].name))
			snprintf(p->reasons[i], sizeof(p->reasons[i]), "the stintd that loaded the programs left it out");
	}
	p->taken_over = true;
	return 0;
}

static void close_maps(struct programs *p)
{
	for (int i = 0; i < MAPS; i++) {
		if (p->maps[i] >= 0)
			close(p->maps[i]);
		p->maps[i] = -1;
	}
	if (p->scan_fd >= 0)
		close(p->scan_fd);
	p->scan_fd = -1;
}

static bool on_bpffs(const char *dir)
{
	struct statfs fs;

	mkdir(dir, 0700);
	return statfs(dir, &fs) == 0 && (unsigned long)fs.f_type == BPFFS_MAGIC;
}

struct programs *programs__open(const char *bpf_dir, struct error *err)
{
	struct programs *p = calloc(1, sizeof(*p));
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

	if (!p) {
		error_errno(err, "programs");
		return NULL;
	}
	libbpf_set_print(quiet);
	setrlimit(RLIMIT_MEMLOCK, &unlimited); /* kernels before 5.11 count maps as locked memory */
	snprintf(p->dir, sizeof(p->dir), "%s", bpf_dir);
	memset(p->maps, -1, sizeof(p->maps));
	p->scan_fd = -1;
	p->pinned = on_bpffs(bpf_dir);
	if (p->pinned && take_over(p) == 0)
		return p;
	close_maps(p);
	if (p->pinned)
		unpin_all(p->dir);
	if (start_anew(p, err) == 0)
		return p;
	if (p->pinned)
		unpin_all(p->dir);
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
	for (int i = 0; i < NEEDS; i++)
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

int programs__states(const struct programs *p, struct program_state *states)
{
	int count = 0;

	for (int i = 0; i < NEEDS; i++) {
		/* A program this kernel has no need of is not missing. */
		if (!p->loaded[i] && !p->reasons[i][0])
			continue;
		states[count].name = needs[i].name;
		states[count].loaded = p->loaded[i];
		states[count].needed = needs[i].needed;
		states[count].gap = needs[i].gap;
		states[count].gap_reason = needs[i].gap_reason;
		snprintf(states[count].reason, sizeof(states[count].reason), "%s", p->reasons[i]);
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
