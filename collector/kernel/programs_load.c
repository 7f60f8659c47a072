/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads the object with the kernel programs.
 *
 * libbpf names a refused program only in a text for people. So stintd finds it by trials: it loads one half of the
 * programs, then the other half, and divides a refused half again.
 * Needed programs take longest to load. stintd tries these only if the kernel refuses no other program.
 */
#include "collector/kernel/programs_internal.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "bpf/stint.skel.h"
#include "collector/kernel/casts.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/file.h"
#include "common/security/forbidden.h"

/* Time limit of this search. A try takes milliseconds, but may take seconds. */
#define SEARCH_NS 20000000000ull

struct stint_bpf *programs__open_object(struct error *err)
{
	struct stint_bpf *skeleton = stint_bpf__open();

	if (!skeleton)
		error_errno(err, "cannot open the kernel programs");
	return skeleton;
}

void programs__close_object(struct stint_bpf *skeleton)
{
	stint_bpf__destroy(skeleton);
}

#define HASH_OF_NOTHING 0xcbf29ce484222325ull

static uint64_t hash(uint64_t before, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < size; i++) /* FNV-1a */
		before = (before ^ bytes[i]) * 0x100000001b3ull;
	return before;
}

uint64_t programs__hash_of_build(void)
{
	size_t size;
	const void *bytes = stint_bpf__elf_bytes(&size);

	return hash(HASH_OF_NOTHING, bytes, size);
}

void programs__hash_choice(struct programs *p)
{
	const bool features[] = { features_have(&p->features, "SK_STORAGE"),
				  features_have(&p->features, "bpf_task_pt_regs") };

	p->choice = hash(p->build, p->wanted, sizeof(p->wanted));
	p->choice = hash(p->choice, features, sizeof(features));
	p->choice = hash(p->choice, &p->casts, sizeof(p->casts));
	p->choice = hash(p->choice, p->map_entries, sizeof(p->map_entries));
}

static unsigned int threads_of_node(void)
{
	cleanup_free char *text = file_read(AT_FDCWD, "/proc/loadavg", 256, NULL, NULL);
	unsigned int threads = 0;

	if (text)
		sscanf(text, "%*f %*f %*f %*u/%u", &threads);
	return threads;
}

static void prepare_change(struct stint_bpf *skeleton, const struct old *old)
{
	bpf_program__set_autoload(skeleton->progs.thread_inherit, old != NULL);
	bpf_map__set_autocreate(skeleton->maps.inherited, old != NULL);
	bpf_map__set_autocreate(skeleton->maps.inherit_scratch, old != NULL);
	if (old)
		bpf_map__set_max_entries(skeleton->maps.inherited, 2 * threads_of_node() + 1024);
}

struct range {
	int from, to; /* @to is after the range */
	bool needed, optional;
};

static const struct range all = { 0, PROGRAMS, true, true };
static const struct range none;

static bool is_in(const struct programs *p, struct range range, int i)
{
	return i >= range.from && i < range.to && p->wanted[i] &&
	       (programs__needed(i) ? range.needed : range.optional);
}

static struct stint_bpf *open_some(const struct programs *p, const struct old *old, struct range range,
				   struct error *err)
{
	struct stint_bpf *skeleton = programs__open_object(err);
	struct bpf_program *program;

	if (!skeleton)
		return NULL;
	if (programs__set_map_sizes(p, skeleton->obj, err) < 0) {
		programs__close_object(skeleton);
		return NULL;
	}
	bpf_object__for_each_program(program, skeleton->obj)
		bpf_program__set_autoload(program, is_in(p, range, programs__find(bpf_program__name(program))));
	skeleton->rodata->casts = p->casts && casts_set(skeleton->obj, p->casts) > 0;
	/* Without SK_STORAGE, the kernel does not know the type of this map. */
	bpf_map__set_autocreate(skeleton->maps.socket_owners, features_have(&p->features, "SK_STORAGE"));
	skeleton->rodata->registers = features_have(&p->features, "bpf_task_pt_regs");
	skeleton->rodata->finds_vma = features_have(&p->features, "bpf_find_vma");
	prepare_change(skeleton, old);
	return skeleton;
}

/* Call this before the load. Returns 0; a negative errno. */
static int share_maps(struct stint_bpf *skeleton, const struct stint_bpf *base)
{
	struct bpf_map *map, *own;
	int status = 0;

	bpf_object__for_each_map(map, base->obj) {
		own = bpf_object__find_map_by_name(skeleton->obj, bpf_map__name(map));
		if (own && bpf_map__fd(map) >= 0 && status == 0)
			status = bpf_map__reuse_fd(own, bpf_map__fd(map));
	}
	return status;
}

struct search {
	const struct programs *p;
	const struct old *old;
	struct stint_bpf *base;
	/* CLOCK_BOOTTIME. After this, untried programs are refused. */
	uint64_t until_ns;
	int codes[PROGRAMS]; /* 0, or the errno of the refusal */
};

static bool is_late(const struct search *search)
{
	return clock_ns(CLOCK_BOOTTIME) >= search->until_ns;
}

static int try_some(const struct search *search, struct range range)
{
	struct error why;
	struct stint_bpf *skeleton = open_some(search->p, search->old, range, &why);
	int status;

	if (!skeleton)
		return -ENOMEM;
	status = share_maps(skeleton, search->base);
	if (status == 0)
		status = bpf_object__load(skeleton->obj);
	programs__close_object(skeleton);
	return status;
}

static bool is_empty(const struct programs *p, struct range range)
{
	for (int i = range.from; i < range.to; i++)
		if (is_in(p, range, i))
			return false;
	return true;
}

/*
 * Finds the programs of @range that the kernel refuses, and sets their codes. Returns true if it finds any.
 * When time is up, marks all optional programs of @range as refused, and no needed program.
 *
 * @status: the kernel's answer to a larger range
 */
static bool find_refused(struct search *search, struct range range, int status)
{
	struct range first = range, second = range;
	bool refused, late = is_late(search);

	if (is_empty(search->p, range) || (late && range.needed))
		return false;
	if (!late)
		status = try_some(search, range);
	if (status == 0)
		return false;
	if (range.to - range.from == 1 || late) {
		for (int i = range.from; i < range.to; i++)
			if (is_in(search->p, range, i))
				search->codes[i] = -status;
		return true;
	}
	first.to = second.from = (range.from + range.to) / 2;
	refused = find_refused(search, first, status);
	return find_refused(search, second, status) || refused;
}

static int say_refused(struct error *err, const char *what, int code)
{
	bool denied = (code == EACCES || code == EPERM) && forbidden_by_selinux();

	return error_set(err, "the kernel refuses %s: %s%s", what, strerror(code), denied ? "; " FORBIDDEN_BY_SELINUX : "");
}

static int leave_out(struct programs *p, const int codes[PROGRAMS], struct error *err)
{
	char reason[160], what[80];

	for (int i = 0; i < PROGRAMS; i++) {
		if (!codes[i])
			continue;
		if (programs__needed(i)) {
			snprintf(what, sizeof(what), "the program %s", programs__name(i));
			return say_refused(err, what, codes[i]);
		}
		snprintf(reason, sizeof(reason), "the kernel refused to load it: %s", strerror(codes[i]));
		programs__leave_out(p, i, reason);
	}
	return 0;
}

/* Returns 0; -1 if a needed program is refused. @err then names it, if it was found in time. */
static int leave_out_refused(struct programs *p, const struct old *old, struct error *err)
{
	static const struct range needed = { 0, PROGRAMS, true, false }, optional = { 0, PROGRAMS, false, true };
	struct search search = { .p = p, .old = old, .until_ns = clock_ns(CLOCK_BOOTTIME) + SEARCH_NS };
	bool refused;
	int status;

	search.base = open_some(p, old, none, err);
	if (!search.base)
		return -1;
	status = bpf_object__load(search.base->obj);
	refused = status == 0 && (find_refused(&search, optional, 0) || find_refused(&search, needed, 0));
	programs__close_object(search.base);
	if (status < 0)
		return say_refused(err, "the maps", -status);
	return refused || !is_late(&search) ? leave_out(p, search.codes, err) : -1;
}

static int load_wanted(struct programs *p, const struct old *old, struct error *err)
{
	int status;

	p->skeleton = open_some(p, old, all, err);
	if (!p->skeleton)
		return -1;
	status = stint_bpf__load(p->skeleton);
	if (status == 0)
		return 0;
	programs__close_object(p->skeleton);
	p->skeleton = NULL;
	return say_refused(err, "the programs", -status);
}

int programs__load(struct programs *p, const struct old *old, struct error *err)
{
	if (load_wanted(p, old, err) == 0)
		return 0;
	p->casts = 0; /* nothing is lost without these calls */
	/* The first search tries needed programs only if the kernel refuses no optional one. */
	for (int i = 0; i < 2; i++) {
		if (load_wanted(p, old, err) == 0)
			return 0;
		if (leave_out_refused(p, old, err) < 0)
			return -1;
	}
	if (load_wanted(p, old, err) == 0)
		return 0;
	/* The kernel refuses all of them together. */
	for (int i = 0; i < PROGRAMS; i++)
		if (p->wanted[i] && !programs__needed(i))
			programs__leave_out(p, i, err->text);
	return load_wanted(p, old, err);
}
