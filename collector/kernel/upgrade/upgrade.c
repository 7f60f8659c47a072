/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces programs of another layout (the former programs) while they count.
 * Stops them, translates their maps, and takes over their threads.
 *
 * For some milliseconds, nothing is counted. The CPU time of these milliseconds is taken from the job's cgroup
 * (collector/follow/before.c). If anything fails, nothing is taken over. Jobs are then counted from zero.
 */
#include "collector/kernel/upgrade/upgrade.h"
#include "collector/kernel/upgrade/upgrade_internal.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/former.skel.h"
#include "collector/kernel/pin_names.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/memory/array.h"

#define FORK_NS 100000000 /* longest time from start_boottime to the fork's event */

static const char *const needed_of_thread[] = {
	"job", "step", "slurm", "alone", "extra", "start_ns", "out_ns", "out_cpu", "out_delay", "wait", "left_wait",
	"state.NONE", "counted.CPU", "counted.READ_BYTES", "process.job", "process.step", "process.tool",
	"process.start_ns", "process.flags", "process.exec_id", NULL,
};

/* ---- how to translate ---- */

static struct translation *make_struct(const struct upgrade *d, const char *name)
{
	int from = btf__find_by_name_kind(d->old->btf, name, BTF_KIND_STRUCT);
	int to = btf__find_by_name_kind(bpf_object__btf(d->object), name, BTF_KIND_STRUCT);

	return from > 0 && to > 0 ? upgrade_translation(d, from, to) : NULL;
}

static int prepare_threads(struct upgrade *d, struct error *err)
{
	const struct old_map *threads = old_map(d->old, "threads"), *uses = old_map(d->old, "thread_uses");
	const struct bpf_map *job_cgroups;

	d->thread = upgrade_translation_of_values(d, "threads");
	d->use = upgrade_translation_of_values(d, "thread_uses");
	for (const char *const *name = needed_of_thread; *name; name++)
		if (!d->thread || translation_at(d->thread, *name) < 0)
			return error_set(err, "the BTF of the former kernel programs lacks fields of threads that stint needs");
	if (!d->use || translation_from_bytes(d->thread) != threads->info.value_size ||
	    translation_from_bytes(d->use) != uses->info.value_size)
		return error_set(err, "the BTF of the former kernel programs does not fit the entries of their threads");
	d->former = former_bpf__open();
	if (!d->former)
		return error_errno(err, "cannot load the BPF program that reads the former programs' threads");
	d->former->rodata->thread_bytes = threads->info.value_size;
	d->former->rodata->use_bytes = uses->info.value_size;
	job_cgroups = bpf_object__find_map_by_name(d->object, "job_cgroups");
	if (bpf_map__set_max_entries(d->former->maps.forks, bpf_map__max_entries(job_cgroups)) < 0 ||
	    bpf_map__reuse_fd(d->former->maps.former_threads, threads->fd) < 0 ||
	    bpf_map__reuse_fd(d->former->maps.former_uses, uses->fd) < 0 ||
	    bpf_map__reuse_fd(d->former->maps.settings, upgrade_our_map(d, "settings")) < 0 ||
	    bpf_map__reuse_fd(d->former->maps.job_cgroups, upgrade_our_map(d, "job_cgroups")) < 0 ||
	    bpf_map__reuse_fd(d->former->maps.totals, upgrade_our_map(d, "totals")) < 0 ||
	    bpf_map__reuse_fd(d->former->maps.threads, upgrade_our_map(d, "threads")) < 0 ||
	    former_bpf__load(d->former) < 0)
		return error_errno(err, "cannot load the BPF program that reads the former programs' threads");
	return 0;
}

static int prepare(struct upgrade *d, struct error *err)
{
	if (!d->old->btf)
		return error_set(err, "the maps of the former kernel programs have no BTF, so their layout is not known");
	if (old_is_mixed(d->old))
		return error_set(err, "the pins of the former kernel programs come from several starts of stintd");
	for (int i = 0; i < PROGRAMS; i++)
		if (programs__needed(i) && !old_has(d->old, pin_name(i)))
			return error_set(err, "the former kernel program %s is missing, so it did not count to the "
					      "end", programs__name(i));
	for (int i = 0; i < COPIED; i++)
		if (upgrade_prepare_map(d, i, err) < 0)
			return -1;
	d->settings = upgrade_translation_of_values(d, "settings");
	if (!d->settings || translation_at(d->settings, "hierarchy_id") < 0 || translation_at(d->settings, "since_ns") < 0)
		return error_set(err, "the settings of the former kernel programs are not known");
	d->event = make_struct(d, "event");
	return prepare_threads(d, err);
}

static void release(struct upgrade *d)
{
	for (int i = 0; i < COPIED; i++) {
		translation_free(d->keys[i]);
		translation_free(d->values[i]);
	}
	translation_free(d->thread);
	translation_free(d->use);
	translation_free(d->event);
	translation_free(d->settings);
	bpf_link__destroy(d->watcher);
	former_bpf__destroy(d->former);
	free(d->bytes);
}

/* ---- settings ---- */

static int take_settings(struct upgrade *d, struct error *err)
{
	const struct old_map *map = old_map(d->old, "settings");
	cleanup_free void *from = malloc(map->info.value_size);
	struct settings theirs, *ours = &d->p->settings;
	__u32 zero = 0;

	if (!from || bpf_map_lookup_elem(map->fd, &zero, from) < 0)
		return error_errno(err, "cannot read the settings of the former kernel programs");
	translation_run(d->settings, from, &theirs);
	ours->hierarchy_id = theirs.hierarchy_id;
	ours->memory_hierarchy_id = theirs.memory_hierarchy_id;
	ours->subsys = theirs.subsys;
	ours->stepd_inode = theirs.stepd_inode;
	ours->stepd_device = theirs.stepd_device;
	ours->since_ns = theirs.since_ns;
	return programs__write_settings(d->p, err);
}

/* ---- threads ---- */

static void take_thread(struct upgrade *d, const struct former_head *head, const char *bytes, char *thread,
			size_t use_at)
{
	struct inherited_key key = { .start_ns = head->start_ns, .tid = head->tid };
	__u64 job;

	translation_run(d->thread, bytes, thread);
	memcpy(&job, thread + translation_at(d->thread, "job"), sizeof(job));
	if (!job)
		return;
	if (head->has_use)
		translation_run(d->use, bytes + translation_from_bytes(d->thread), thread + use_at);
	else
		memset(thread + use_at, 0, translation_to_bytes(d->use));
	if (bpf_map_update_elem(upgrade_our_map(d, "inherited"), &key, thread, BPF_ANY) < 0)
		d->failed = true;
}

static void take_threads(struct upgrade *d, char *thread, size_t use_at)
{
	struct former_head head;
	size_t at = 0;

	while (d->used - at >= sizeof(head)) {
		size_t size = sizeof(head) + translation_from_bytes(d->thread);

		memcpy(&head, d->bytes + at, sizeof(head));
		if (head.has_use)
			size += translation_from_bytes(d->use);
		if (d->used - at < size)
			break;
		take_thread(d, &head, d->bytes + at + sizeof(head), thread, use_at);
		at += size;
	}
	d->used -= at;
	memmove(d->bytes, d->bytes + at, d->used);
}

#define READ_ROOM 262144

static int read_threads(struct upgrade *d, struct error *err)
{
	const struct bpf_map *inherited = bpf_object__find_map_by_name(d->object, "inherited");
	const struct btf *btf = bpf_object__btf(d->object);
	const struct btf_type *type = btf__type_by_id(btf, bpf_map__btf_value_type_id(inherited));
	size_t use_at = btf_members(type)[1].offset / 8;
	cleanup_free char *thread = calloc(1, bpf_map__value_size(inherited));
	cleanup_close int iterator = programs__begin_walk(bpf_program__fd(d->former->progs.former_read), err);
	ssize_t n = 1;

	d->bytes = malloc(READ_ROOM);
	d->failed = !thread || !d->bytes;
	if (iterator < 0)
		return -1;
	while (n && !d->failed) {
		n = read(iterator, d->bytes + d->used, READ_ROOM - d->used);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return error_errno(err, "cannot read the threads of the former kernel programs");
		d->used += n > 0 ? n : 0;
		take_threads(d, thread, use_at);
	}
	return d->failed ? error_set(err, "there is no room for the threads of the former kernel programs") : 0;
}

/* ---- the ring ---- */

static int keep_event(void *data, void *record, size_t size)
{
	struct upgrade *d = data;
	struct programs *p = d->p;

	if (!d->event || size < translation_from_bytes(d->event)) {
		d->lost_events++;
		return 0;
	}
	if (!array_room(&p->left, p->left_count, sizeof(*p->left))) {
		d->lost_events++;
		return 0;
	}
	translation_run(d->event, record, &p->left[p->left_count++]);
	return 0;
}

/* Events that cannot be translated are counted as lost. */
static void drain_ring(struct upgrade *d)
{
	const struct old_map *events = old_map(d->old, "events");
	struct ring_buffer *ring = events ? ring_buffer__new(events->fd, keep_event, d, NULL) : NULL;

	if (ring)
		ring_buffer__consume(ring);
	ring_buffer__free(ring);
}

/* ---- the change ---- */

static int walk_threads(struct upgrade *d, enum change_kind kind, struct error *err)
{
	d->p->change->kind = kind;
	return programs__iterate(d->p->change_fd, err);
}

static bool watch_job(const void *key, const void *value, void *data)
{
	struct former_forks none = {};
	struct upgrade *d = data;

	(void)key;
	if (bpf_map_update_elem(bpf_map__fd(d->former->maps.forks), value, &none, BPF_NOEXIST) < 0 && errno != EEXIST)
		d->failed = true;
	return false;
}

/* From now on, former_forked counts forks that no other program counts. */
static int watch(struct upgrade *d, struct error *err)
{
	if (take_settings(d, err) < 0 || upgrade_copy_map(d, C_JOB_CGROUPS, err) < 0)
		return -1;
	if (programs__walk(d->p->maps[JOB_CGROUPS], watch_job, d) < 0 || d->failed)
		return error_set(err, "there is no room for the table of forks");
	d->watcher = bpf_program__attach(d->former->progs.former_forked);
	return d->watcher ? 0 : error_errno(err, "cannot attach the BPF program that watches forks");
}

static int copy_all(struct upgrade *d, struct error *err)
{
	drain_ring(d);
	if (read_threads(d, err) < 0)
		return -1;
	for (int c = 0; c < C_PRESSURES; c++)
		if (c != C_JOB_CGROUPS && upgrade_copy_map(d, c, err) < 0)
			return -1;
	programs__find_slots(d->p);
	return upgrade_copy_slots(d, err);
}

static int give_forks(struct upgrade *d, struct error *err)
{
	int forks = bpf_map__fd(d->former->maps.forks);
	struct former_forks noted;
	__u64 job, *last = NULL;

	while (bpf_map_get_next_key(forks, last, &job) == 0) {
		struct given given = {};

		last = &job;
		if (bpf_map_lookup_elem(forks, &job, &noted) < 0 || !noted.threads)
			continue;
		given.unseen_threads = noted.threads;
		given.unseen_processes = noted.processes;
		if (programs__give(d->p, job, &given, err) < 0)
			return -1;
	}
	return 0;
}

static void give_time(struct upgrade *d, uint64_t since_ns)
{
	struct given given = { .replaced_ns = clock_ns(CLOCK_MONOTONIC) - since_ns };
	__u64 job, *last = NULL;
	struct error err;

	while (bpf_map_get_next_key(bpf_map__fd(d->former->maps.forks), last, &job) == 0) {
		last = &job;
		programs__give(d->p, job, &given, &err);
	}
}

static int change(struct upgrade *d, struct error *err)
{
	struct change *change = d->p->change;
	uint64_t since_ns;

	if (prepare(d, err) < 0)
		return -1;
	change->waiting = 1;
	if (watch(d, err) < 0)
		return -1;
	since_ns = clock_ns(CLOCK_MONOTONIC);
	change->since_ns = clock_ns(CLOCK_BOOTTIME) - FORK_NS;
	change->until_ns = ~0ull;
	if (old_stop(d->old, err) < 0)
		return -1;
	d->stopped_ns = clock_ns(CLOCK_MONOTONIC);
	if (copy_all(d, err) < 0 || give_forks(d, err) < 0 || walk_threads(d, CHANGE_INHERIT, err) < 0)
		return -1;
	change->scanning = 1;
	if (programs__scan(d->p, err) < 0)
		return -1;
	change->waiting = 0; /* each thread that can fork is counted */
	if (programs__scan(d->p, err) < 0)
		return -1;
	change->scanning = 0;
	change->until_ns = clock_ns(CLOCK_BOOTTIME);
	give_time(d, since_ns);
	upgrade_forget(upgrade_our_map(d, "inherited"));
	return 0;
}

int upgrade_replace(struct programs *p, struct bpf_object *object, struct old *old, struct error *err)
{
	struct upgrade d = { .p = p, .old = old, .object = object };
	int status = change(&d, err);

	p->change->waiting = p->change->scanning = 0;
	if (status < 0)
		upgrade_forget_copies(&d);
	release(&d);
	return status;
}

