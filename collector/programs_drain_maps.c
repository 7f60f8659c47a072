/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maps of programs of another layout, turned into ours. */
#include "collector/programs_drain.h"

#include <bpf/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"

struct copy {
	const char *name;
	void (*mend)(struct drain *drain, void *value); /* what is not to be taken as it is */
	const char *needed[12]; /* members of the value without which it is of no use; "key." begins one of the key */
};

static void mend_totals(struct drain *drain, void *value);
static void mend_process(struct drain *drain, void *value);
static void mend_process_use(struct drain *drain, void *value);

static const struct copy copies[COPIED] = {
	[C_TOTALS] = { "totals", mend_totals,
		       { "job", "slot", "use.CPU", "use.READ_BYTES", "processes", "live", "threads_peak", "tools" } },
	[C_JOB_CGROUPS] = { "job_cgroups", NULL, { "" } },
	[C_TOOLS] = { "tools", NULL, { "key.job", "key.tool", "runs", "use.CPU", "name", "path", "script", "serial" } },
	[C_MEMORY_CGROUPS] = { "memory_cgroups", NULL, { "job", "id" } },
	[C_FILE_SYSTEMS] = { "file_systems", NULL, { "key.job", "key.magic", "wait_ns", "type" } },
	[C_FILES] = { "files", NULL, { "key.job", "key.inode", "key.device", "path" } },
	[C_PROCESSES] = { "processes", mend_process, { "job", "step", "tool", "start_ns", "flags", "threads", "exec_id" } },
	[C_PROCESS_USES] = { "process_uses", mend_process_use, { "use.CPU" } },
	[C_PRESSURES] = { "pressures", NULL, { "job", "active_ns", "some_ns.FILE_IO" } },
	[C_CPU_USES] = { "cpu_uses", NULL, { "job", "cpu_ns" } },
};

int drain_our_map(const struct drain *d, const char *name)
{
	return bpf_object__find_map_fd_by_name(d->object, name);
}

struct translation *drain_translation(const struct drain *d, __u32 theirs, __u32 ours)
{
	return theirs && ours ? translation_make(d->old->btf, theirs, bpf_object__btf(d->object), ours) : NULL;
}

struct translation *drain_translation_of_values(const struct drain *d, const char *name)
{
	const struct old_map *from = old_map(d->old, name);
	const struct bpf_map *to = bpf_object__find_map_by_name(d->object, name);

	return from && to ? drain_translation(d, from->info.btf_value_type_id, bpf_map__btf_value_type_id(to)) : NULL;
}

static bool has_needed(const struct drain *d, enum copied c)
{
	for (const char *const *name = copies[c].needed; *name; name++) {
		bool of_key = strncmp(*name, "key.", 4) == 0;

		if (translation_at(of_key ? d->keys[c] : d->values[c], of_key ? *name + 4 : *name) < 0)
			return false;
	}
	return true;
}

int drain_prepare_map(struct drain *d, enum copied c, struct error *err)
{
	const struct old_map *from = old_map(d->old, copies[c].name);
	const struct bpf_map *to = bpf_object__find_map_by_name(d->object, copies[c].name);

	if (!from || !to)
		return error_set(err, "the map '%s' of the former programs is not there", copies[c].name);
	d->keys[c] = drain_translation(d, from->info.btf_key_type_id, bpf_map__btf_key_type_id(to));
	d->values[c] = drain_translation_of_values(d, copies[c].name);
	if (!d->keys[c] || !d->values[c] || !has_needed(d, c))
		return error_set(err, "the map '%s' of the former programs does not tell what stands in it", copies[c].name);
	if (translation_from_bytes(d->keys[c]) != from->info.key_size ||
	    translation_from_bytes(d->values[c]) != from->info.value_size)
		return error_set(err, "the map '%s' of the former programs is not what it says", copies[c].name);
	return 0;
}

/* The sums that the former programs did not have are told to be of a part of the job's time. */
static void note_partial(struct drain *d, struct totals *totals)
{
	static const char *const names[USES] = {
#define PARTIAL_NAME(name, text) [USE_##name] = "use." #name,
		RECORD_USES(PARTIAL_NAME)
#undef PARTIAL_NAME
	};

	for (int i = 0; i < USES; i++)
		if (translation_at(d->values[C_TOTALS], names[i]) < 0)
			totals->partial[i] = 1;
}

/* Threads are counted as they are taken over; and forks have been noted here already. */
static void mend_totals(struct drain *d, void *value)
{
	struct totals *totals = value, seen;
	__u64 id;

	memcpy(&id, d->key, sizeof(id));
	totals->unseen_threads += totals->live;
	if (id == totals->job && bpf_map_lookup_elem(d->to_fd, &id, &seen) == 0) {
		totals->unseen_threads += seen.unseen_threads;
		totals->unseen_processes += seen.unseen_processes;
	}
	totals->live = totals->threads = 0;
	if (id == totals->job)
		totals->lost_records += d->lost_events;
	if (totals->slot >= d->p->slots.room)
		totals->slot = 0;
	note_partial(d, totals);
}

static void mend_process(struct drain *d, void *value)
{
	memset((char *)value + translation_at(d->values[C_PROCESSES], "threads"), 0, sizeof(__u32));
}

/* Which sums stand beyond RECORD_USES_COMMON may be another question with us. */
static void mend_process_use(struct drain *d, void *value)
{
	long at = translation_at(d->values[C_PROCESS_USES], "extra");
	const __u64 yes = 1;

	if (at >= 0)
		memcpy((char *)value + at, &yes, sizeof(yes));
}

static bool copy_entry(const void *key, const void *value, void *data)
{
	struct drain *d = data;

	translation_run(d->keys[d->index], key, d->key);
	translation_run(d->values[d->index], value, d->value);
	if (copies[d->index].mend)
		copies[d->index].mend(d, d->value);
	if (bpf_map_update_elem(d->to_fd, d->key, d->value, BPF_ANY) < 0)
		d->failed = true;
	return false;
}

int drain_copy_map(struct drain *d, enum copied c, struct error *err)
{
	int status;

	d->index = c;
	d->to_fd = drain_our_map(d, copies[c].name);
	d->key = malloc(translation_to_bytes(d->keys[c]));
	d->value = malloc(translation_to_bytes(d->values[c]));
	d->failed = !d->key || !d->value;
	status = d->failed ? -1 : programs__walk(old_map(d->old, copies[c].name)->fd, copy_entry, d);
	free(d->key);
	free(d->value);
	d->key = d->value = NULL;
	return status < 0 || d->failed ? error_set(err, "what stands in the map '%s' finds no room", copies[c].name) : 0;
}

static bool forget_entry(const void *key, const void *value, void *data)
{
	(void)key;
	(void)value;
	(void)data;
	return true;
}

void drain_forget(int map_fd)
{
	programs__walk(map_fd, forget_entry, NULL);
}

void drain_forget_copies(struct drain *d)
{
	for (int c = 0; c < C_PRESSURES; c++)
		drain_forget(drain_our_map(d, copies[c].name));
}

static __u64 span(__u64 since, __u64 now)
{
	return since && now > since ? now - since : 0;
}

/* Ends all spans at @now: who is busy and who waits is counted anew. As bpf/pressure.h does it. */
static void close_spans(struct pressure *p, __u64 now)
{
	__u64 full = p->busy ? 0 : span(p->full_since, now);
	bool told = false;

	if (p->busy)
		p->active_ns += span(p->active_since, now);
	if (p->busy > 1)
		p->parallel_ns += span(p->parallel_since, now);
	for (int w = WAIT_MEMORY_STALL; w < WAITS; w++) {
		if (!(p->waiting[w] & PRESSURE_WAITING))
			continue;
		p->some_ns[w] += span(p->some_since[w], now);
		p->full_ns[w] += full;
		if (!told)
			p->bound_ns[w] += full;
		told = true;
	}
	for (int w = 0; w < WAITS; w++)
		p->waiting[w] &= ~(__u64)PRESSURE_WAITING;
	p->busy = p->active_since = p->parallel_since = p->full_since = 0;
	memset(p->some_since, 0, sizeof(p->some_since));
}

/* Returns 0; -1 when there is no memory. A job's place is its slot; one that we have not is let go. */
static int copy_pressure(struct drain *d, __u32 slot)
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

static int copy_cpu_uses(struct drain *d, __u32 slot)
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

int drain_copy_slots(struct drain *d, struct error *err)
{
	for (__u32 slot = 1; slot < RECORD_SLOTS; slot++) {
		struct sample sample = { .job = d->p->slots.jobs[slot] };

		if (sample.job && (copy_pressure(d, slot) < 0 || copy_cpu_uses(d, slot) < 0 ||
				   bpf_map_update_elem(d->p->maps[SAMPLES], &slot, &sample, BPF_ANY) < 0))
			return error_errno(err, "the kernel's tables of jobs");
	}
	return 0;
}
