/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates the maps of programs of another layout into the maps of this stintd.
 */
#include "collector/kernel/upgrade/upgrade_internal.h"

#include <bpf/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"

struct copy {
	const char *name;
	void (*mend)(struct upgrade *drain, void *value);
	/* Members that the value must have. "key." before a name means a member of the key. */
	const char *needed[12];
	bool optional; /* older programs do not have the map */
};

static void mend_totals(struct upgrade *drain, void *value);
static void mend_process(struct upgrade *drain, void *value);
static void mend_process_use(struct upgrade *drain, void *value);
static void mend_gpu_file(struct upgrade *drain, void *value);

static const struct copy copies[COPIED] = {
	[C_TOTALS] = { "totals", mend_totals,
		       { "job", "slot", "use.CPU", "use.READ_BYTES", "processes", "live", "threads_peak", "tools" }, false },
	[C_JOB_CGROUPS] = { "job_cgroups", NULL, { "" }, false },
	[C_TOOLS] = { "tools", NULL, { "key.job", "key.tool", "runs", "use.CPU", "name", "path", "script", "serial" }, false },
	[C_MEMORY_CGROUPS] = { "memory_cgroups", NULL, { "job", "id" }, false },
	[C_FILE_SYSTEMS] = { "file_systems", NULL, { "key.job", "key.magic", "wait_ns", "type" }, false },
	[C_FILES] = { "files", NULL, { "key.job", "key.inode", "key.device", "path" }, false },
	[C_CONTAINERS] = { .name = "containers", .needed = { "key.job", "key.container", "serial", "start_ns" }, .optional = true },
	[C_GPU_FILES] = { "gpu_files", mend_gpu_file, { "key.job", "key.tool", "key.device", "opens", "held_ns" }, true },
	[C_PROCESSES] = { "processes", mend_process, { "job", "step", "tool", "start_ns", "flags", "threads", "exec_id" }, false },
	[C_PROCESS_USES] = { "process_uses", mend_process_use, { "use.CPU" }, false },
	[C_PRESSURES] = { "pressures", NULL, { "job", "active_ns", "some_ns.FILE_IO" }, false },
	[C_CPU_USES] = { "cpu_uses", NULL, { "job", "cpu_ns" }, false },
};

int upgrade_our_map(const struct upgrade *d, const char *name)
{
	return bpf_object__find_map_fd_by_name(d->object, name);
}

struct translation *upgrade_translation(const struct upgrade *d, __u32 theirs, __u32 ours)
{
	return theirs && ours ? translation_make(d->old->btf, theirs, bpf_object__btf(d->object), ours) : NULL;
}

struct translation *upgrade_translation_of_values(const struct upgrade *d, const char *name)
{
	const struct old_map *from = old_map(d->old, name);
	const struct bpf_map *to = bpf_object__find_map_by_name(d->object, name);

	return from && to ? upgrade_translation(d, from->info.btf_value_type_id, bpf_map__btf_value_type_id(to)) : NULL;
}

static bool has_needed(const struct upgrade *d, enum copied c)
{
	for (const char *const *name = copies[c].needed; *name; name++) {
		bool of_key = strncmp(*name, "key.", 4) == 0;

		if (translation_at(of_key ? d->keys[c] : d->values[c], of_key ? *name + 4 : *name) < 0)
			return false;
	}
	return true;
}

int upgrade_prepare_map(struct upgrade *d, enum copied c, struct error *err)
{
	const struct old_map *from = old_map(d->old, copies[c].name);
	const struct bpf_map *to = bpf_object__find_map_by_name(d->object, copies[c].name);

	if (!from && copies[c].optional)
		return 0;
	if (!from || !to)
		return error_set(err, "the map '%s' of the former kernel programs is missing", copies[c].name);
	d->keys[c] = upgrade_translation(d, from->info.btf_key_type_id, bpf_map__btf_key_type_id(to));
	d->values[c] = upgrade_translation_of_values(d, copies[c].name);
	if (!d->keys[c] || !d->values[c] || !has_needed(d, c))
		return error_set(err, "the BTF of the former kernel programs' map '%s' lacks fields that stint needs", copies[c].name);
	if (translation_from_bytes(d->keys[c]) != from->info.key_size ||
	    translation_from_bytes(d->values[c]) != from->info.value_size)
		return error_set(err, "the BTF of the former kernel programs' map '%s' does not fit the map's "
				      "entries", copies[c].name);
	return 0;
}

static void note_partial(struct upgrade *d, struct totals *totals)
{
	static const char *const names[USES] = {
#define PARTIAL_NAME(name, ...) [USE_##name] = "use." #name,
		SUM_LIST(PARTIAL_NAME)
#undef PARTIAL_NAME
	};

	for (int i = 0; i < USES; i++)
		if (translation_at(d->values[C_TOTALS], names[i]) < 0)
			totals->partial[i] = 1;
}

/* Sets the number of live threads to zero. Each thread is counted again when it is taken over. */
static void mend_totals(struct upgrade *d, void *value)
{
	struct totals *totals = value;
	__u64 id;

	memcpy(&id, d->key, sizeof(id));
	totals->unseen_threads += totals->live;
	totals->live = totals->threads = 0;
	if (id == totals->job)
		totals->lost_records += d->lost_events;
	if (totals->slot >= d->p->slots.room)
		totals->slot = 0;
	note_partial(d, totals);
}

/* Nothing else counts these entries now. */
static void note_place(const struct upgrade *d, __u32 uid, enum place place)
{
	int users = d->p->maps[USERS];
	struct user user = {};

	bpf_map_lookup_elem(users, &uid, &user);
	user.taken[place]++;
	bpf_map_update_elem(users, &uid, &user, BPF_ANY);
}

/* Returns the user; root if the former programs did not store users. */
static __u32 uid_of(const struct upgrade *d, const void *process)
{
	long at = translation_at(d->values[C_PROCESSES], "uid");
	__u32 uid = 0;

	if (at >= 0)
		memcpy(&uid, (const char *)process + at, sizeof(uid));
	return uid;
}

static void mend_process(struct upgrade *d, void *value)
{
	memset((char *)value + translation_at(d->values[C_PROCESSES], "threads"), 0, sizeof(__u32));
	note_place(d, uid_of(d, value), PLACE_PROCESS);
}

/* Marks the sums from ABI_USES_COMMON on as used, because the two versions may have different sums there. */
static void mend_process_use(struct upgrade *d, void *value)
{
	cleanup_free void *process = malloc(translation_to_bytes(d->values[C_PROCESSES]));
	long at = translation_at(d->values[C_PROCESS_USES], "extra");
	const __u64 yes = 1;

	if (at >= 0)
		memcpy((char *)value + at, &yes, sizeof(yes));
	if (process && bpf_map_lookup_elem(upgrade_our_map(d, "processes"), d->key, process) == 0)
		note_place(d, uid_of(d, process), PLACE_PROCESS_USE);
}

/* The new programs count their walks from 0. Their first walk finds the open descriptors. */
static void mend_gpu_file(struct upgrade *d, void *value)
{
	static const char *const unknown[] = { "fds", "walk" };
	const __u64 zero = 0;

	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		long at = translation_at(d->values[C_GPU_FILES], unknown[i]);

		if (at >= 0)
			memcpy((char *)value + at, &zero, sizeof(zero));
	}
}

static bool copy_entry(const void *key, const void *value, void *data)
{
	struct upgrade *d = data;

	translation_run(d->keys[d->index], key, d->key);
	translation_run(d->values[d->index], value, d->value);
	if (copies[d->index].mend)
		copies[d->index].mend(d, d->value);
	if (bpf_map_update_elem(d->to_fd, d->key, d->value, BPF_ANY) < 0)
		d->failed = true;
	return false;
}

int upgrade_copy_map(struct upgrade *d, enum copied c, struct error *err)
{
	int status;

	if (!d->values[c])
		return 0;
	d->index = c;
	d->to_fd = upgrade_our_map(d, copies[c].name);
	d->key = malloc(translation_to_bytes(d->keys[c]));
	d->value = malloc(translation_to_bytes(d->values[c]));
	d->failed = !d->key || !d->value;
	status = d->failed ? -1 : programs__walk(old_map(d->old, copies[c].name)->fd, copy_entry, d);
	free(d->key);
	free(d->value);
	d->key = d->value = NULL;
	return status < 0 || d->failed ? error_set(err, "there is no room for the entries of the map '%s'", copies[c].name) : 0;
}

static bool forget_entry(const void *key, const void *value, void *data)
{
	(void)key;
	(void)value;
	(void)data;
	return true;
}

void upgrade_forget(int map_fd)
{
	programs__walk(map_fd, forget_entry, NULL);
}

void upgrade_forget_copies(struct upgrade *d)
{
	upgrade_forget(d->p->maps[USERS]);
	for (int c = 0; c < C_PRESSURES; c++)
		upgrade_forget(upgrade_our_map(d, copies[c].name));
}

static __u64 span(__u64 since, __u64 now)
{
	return since && now > since ? now - since : 0;
}

/* Ends all time spans, as bpf/pressure.h does. */
static void close_spans(struct pressure *p, __u64 now)
{
	__u64 full = p->busy ? 0 : span(p->full_since, now);
	bool bound = false;

	if (p->busy)
		p->active_ns += span(p->active_since, now);
	if (p->busy > 1)
		p->parallel_ns += span(p->parallel_since, now);
	for (int w = WAIT_MEMORY_STALL; w < WAITS; w++) {
		if (!(p->waiting[w] & PRESSURE_WAITING))
			continue;
		p->some_ns[w] += span(p->some_since[w], now);
		p->full_ns[w] += full;
		if (!bound)
			p->bound_ns[w] += full;
		bound = true;
	}
	for (int w = 0; w < WAITS; w++)
		p->waiting[w] &= ~(__u64)PRESSURE_WAITING;
	p->busy = p->active_since = p->parallel_since = p->full_since = 0;
	memset(p->some_since, 0, sizeof(p->some_since));
}

/* The former programs may lack the slot. Returns 0; -1 on errors. */
static int copy_pressure(struct upgrade *d, __u32 slot)
{
	cleanup_free void *from = malloc(translation_from_bytes(d->values[C_PRESSURES]));
	struct pressure pressure;

	if (!from)
		return -1;
	if (bpf_map_lookup_elem(old_map(d->old, "pressures")->fd, &slot, from) < 0)
		return 0;
	translation_run(d->values[C_PRESSURES], from, &pressure);
	close_spans(&pressure, d->stopped_ns);
	return bpf_map_update_elem(d->p->maps[PRESSURES], &slot, &pressure, BPF_ANY);
}

static int copy_cpu_uses(struct upgrade *d, __u32 slot)
{
	const struct translation *t = d->values[C_CPU_USES];
	size_t stride = (translation_from_bytes(t) + 7) / 8 * 8, cpus = libbpf_num_possible_cpus();
	cleanup_free char *from = calloc(cpus, stride);
	cleanup_free struct cpu_use *to = calloc(cpus, sizeof(*to));

	if (!from || !to)
		return -1;
	if (bpf_map_lookup_elem(old_map(d->old, "cpu_uses")->fd, &slot, from) < 0)
		return 0;
	for (size_t i = 0; i < cpus; i++)
		translation_run(t, from + i * stride, &to[i]);
	return bpf_map_update_elem(d->p->maps[CPU_USES], &slot, to, BPF_ANY);
}

int upgrade_copy_slots(struct upgrade *d, struct error *err)
{
	for (__u32 slot = 1; slot < ABI_SLOTS; slot++) {
		struct sample sample = { .job = d->p->slots.jobs[slot] };

		if (sample.job && (copy_pressure(d, slot) < 0 || copy_cpu_uses(d, slot) < 0 ||
				   bpf_map_update_elem(d->p->maps[SAMPLES], &slot, &sample, BPF_ANY) < 0))
			return error_errno(err, "cannot copy the jobs' entries into stint's BPF maps");
	}
	return 0;
}
