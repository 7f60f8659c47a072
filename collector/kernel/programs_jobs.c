/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Manages a job's entries in the kernel programs' maps. */
#include "collector/kernel/programs_internal.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collector/kernel/gpu_devices.h"

static int add_totals(struct programs *p, uint64_t id, const struct totals *fresh, bool *existed, struct error *err)
{
	if (bpf_map_update_elem(p->maps[TOTALS], &id, fresh, BPF_NOEXIST) == 0) {
		*existed = false;
		return 0;
	}
	*existed = errno == EEXIST;
	return *existed ? 0 : error_errno(err, "cannot update stint's BPF map of totals");
}

/* Empties the elements of @slot. @job may be 0. Returns 0; -1 on errors. */
static int prepare_slot(struct programs *p, __u32 slot, uint64_t job)
{
	unsigned int cpus = libbpf_num_possible_cpus();
	struct cpu_use *uses = calloc(cpus, sizeof(*uses));
	struct pressure pressure = { .job = job };
	struct sample sample = { .job = job };
	int status = -1;

	for (unsigned int cpu = 0; uses && cpu < cpus; cpu++)
		uses[cpu].job = job;
	if (uses && bpf_map_update_elem(p->maps[CPU_USES], &slot, uses, BPF_ANY) == 0 &&
	    bpf_map_update_elem(p->maps[SAMPLES], &slot, &sample, BPF_ANY) == 0 &&
	    bpf_map_update_elem(p->maps[PRESSURES], &slot, &pressure, BPF_ANY) == 0)
		status = 0;
	free(uses);
	return status;
}

static void give_slot(struct programs *p, uint64_t job)
{
	unsigned int slot = slots_give(&p->slots, job);

	if (slot)
		prepare_slot(p, slot, 0);
}

static unsigned int take_slot(struct programs *p, uint64_t job)
{
	unsigned int slot = slots_take(&p->slots, job);

	if (!slot || prepare_slot(p, slot, job) == 0)
		return slot;
	give_slot(p, job);
	return 0;
}

static bool note_slot(const void *key, const void *value, void *data)
{
	const struct totals *totals = value;
	struct programs *p = data;
	__u64 id;

	memcpy(&id, key, sizeof(id));
	if (id == totals->job)
		slots_keep(&p->slots, totals->slot, totals->job);
	return false;
}

void programs__find_slots(struct programs *p)
{
	programs__walk(p->maps[TOTALS], note_slot, p);
}

static int make_job(struct programs *p, uint64_t job, uint32_t uid, bool *existed, struct error *err)
{
	struct totals totals = { .job = job, .uid = uid };

	*existed = programs__totals(p, job, &totals) == 0;
	if (*existed)
		return 0;
	totals.slot = take_slot(p, job);
	if (add_totals(p, job, &totals, existed, err) == 0) {
		own_entries_note(&p->own, job, TOTALS, job, *existed);
		if (!*existed)
			own_entries_are_first(&p->own, job);
		return 0;
	}
	give_slot(p, job);
	return -1;
}

/* A GPU's driver may have been loaded since the last job. */
static int find_gpus(struct programs *p, struct error *err)
{
	struct gpu_range ranges[ABI_GPU_RANGES];
	__u32 count = gpu_devices_read(ranges);

	if (count == p->settings.gpu_range_count && memcmp(ranges, p->settings.gpu_ranges, sizeof(ranges)) == 0)
		return 0;
	p->settings.gpu_range_count = count;
	memcpy(p->settings.gpu_ranges, ranges, sizeof(ranges));
	return programs__write_settings(p, err);
}

int programs__add_job(struct programs *p, uint64_t job, uint32_t uid, uint64_t cgroup, bool *existed, struct error *err)
{
	if (find_gpus(p, err) < 0 || make_job(p, job, uid, existed, err) < 0)
		return -1;
	if (bpf_map_update_elem(p->maps[JOB_CGROUPS], &cgroup, &job, BPF_ANY) == 0) {
		own_entries_note(&p->own, job, JOB_CGROUPS, cgroup, false);
		return 0;
	}
	error_errno(err, "cannot update stint's BPF map of job cgroups");
	if (!*existed)
		programs__forget(p, job);
	return -1;
}

int programs__add_step(struct programs *p, uint64_t job, uint64_t step, struct error *err)
{
	struct totals fresh = { .job = job };
	bool existed;

	if (add_totals(p, step, &fresh, &existed, err) < 0)
		return -1;
	own_entries_note(&p->own, job, TOTALS, step, existed);
	return 0;
}

int programs__add_memory(struct programs *p, uint64_t memory_id, uint64_t job, uint64_t id, struct error *err)
{
	struct memory_cgroup memory = { .job = job, .id = id };

	if (bpf_map_update_elem(p->maps[MEMORY_CGROUPS], &memory_id, &memory, BPF_ANY) < 0)
		return error_errno(err, "cannot update stint's BPF map of memory cgroups");
	own_entries_note(&p->own, job, MEMORY_CGROUPS, memory_id, false);
	return 0;
}

void programs__forget_cgroup(struct programs *p, uint64_t cgroup, uint64_t memory_id)
{
	bpf_map_delete_elem(p->maps[JOB_CGROUPS], &cgroup);
	if (memory_id)
		bpf_map_delete_elem(p->maps[MEMORY_CGROUPS], &memory_id);
}

bool programs__has_memory(const struct programs *p, uint64_t memory_id)
{
	struct memory_cgroup memory;

	return bpf_map_lookup_elem(p->maps[MEMORY_CGROUPS], &memory_id, &memory) == 0;
}

/* @bytes: the key of an entry, in the maps of tools, file systems and files; in other maps, the value */
static bool begins_with(const void *bytes, const void *job)
{
	return memcmp(bytes, job, sizeof(uint64_t)) == 0;
}

static bool key_belongs(const void *key, const void *value, void *job)
{
	(void)value;
	return begins_with(key, job);
}

static bool value_belongs(const void *key, const void *value, void *job)
{
	(void)key;
	return begins_with(value, job);
}

/* Searches the map if @own is NULL. */
static void forget_by_value(struct programs *p, enum map_index map, uint64_t job, const struct own_job *own)
{
	union {
		uint64_t job;
		struct memory_cgroup memory;
		struct totals totals;
	} value;

	if (!own)
		programs__walk(p->maps[map], value_belongs, &job);
	for (size_t i = 0; own && i < own->count; i++)
		if (own->entries[i].map == map && bpf_map_lookup_elem(p->maps[map], &own->entries[i].key, &value) == 0 &&
		    value.job == job)
			bpf_map_delete_elem(p->maps[map], &own->entries[i].key);
}

/* Searches the map if @own is NULL or incomplete. */
static void forget_by_key(struct programs *p, enum map_index map, uint64_t job, const struct own_job *own)
{
	if (!own || !(own->read & 1u << map)) {
		programs__walk(p->maps[map], key_belongs, &job);
		return;
	}
	for (size_t i = 0; i < own->count; i++) {
		const uint64_t key[] = { job, own->entries[i].key };

		_Static_assert(sizeof(key) == sizeof(struct tool_key) && sizeof(key) == sizeof(struct file_system_key),
			       "a key is the job's, and what is within it");
		if (own->entries[i].map == map)
			bpf_map_delete_elem(p->maps[map], key);
	}
}

void programs__forget(struct programs *p, uint64_t job)
{
	struct own_job *own = own_entries_take(&p->own, job);
	struct totals totals;
	bool have_totals;

	forget_by_value(p, JOB_CGROUPS, job, own);
	forget_by_value(p, MEMORY_CGROUPS, job, own);
	forget_by_key(p, TOOLS, job, own);
	forget_by_key(p, FILE_SYSTEMS, job, own);
	/* This map is one of the largest. It is empty with files = off. */
	have_totals = programs__totals(p, job, &totals) == 0;
	if (!have_totals || totals.files)
		programs__walk(p->maps[FILES], key_belongs, &job);
	if (!have_totals || totals.containers || totals.lost_containers)
		programs__walk(p->maps[CONTAINERS], key_belongs, &job);
	if (!have_totals || totals.gpu_files || totals.lost_gpu_files)
		programs__walk(p->maps[GPU_FILES], key_belongs, &job);
	/*
	 * Delete the totals last, because programs__forget_unknown() finds a job by its totals.
	 *
	 * The kernel programs may have made totals of steps that stintd does not know. If the two numbers are equal,
	 * stintd knows all keys.
	 */
	forget_by_value(p, TOTALS, job, own && have_totals && totals.steps == own->found ? own : NULL);
	free(own);
	give_slot(p, job);
}

struct users {
	bool (*has_jobs)(uint32_t uid, void *data);
	void *data;
};

static bool has_no_jobs(const void *key, const void *value, void *data)
{
	const struct users *users = data;
	__u32 uid;

	(void)value;
	memcpy(&uid, key, sizeof(uid));
	return !users->has_jobs(uid, users->data);
}

void programs__forget_users(struct programs *p, bool (*has_jobs)(uint32_t uid, void *data), void *data)
{
	struct users users = { has_jobs, data };

	programs__walk(p->maps[USERS], has_no_jobs, &users);
	programs__walk(p->maps[SHARES], has_no_jobs, &users);
}

struct unknown {
	bool (*known)(uint64_t job, void *data);
	void *data;
	uint64_t job;
};

static bool note_unknown(const void *key, const void *value, void *data)
{
	const struct totals *totals = value;
	struct unknown *unknown = data;

	(void)key;
	if (!unknown->known(totals->job, unknown->data))
		unknown->job = totals->job;
	return false;
}

void programs__forget_unknown(struct programs *p, bool (*known)(uint64_t job, void *data), void *data)
{
	struct unknown unknown = { .known = known, .data = data };

	for (;;) {
		unknown.job = 0;
		programs__walk(p->maps[TOTALS], note_unknown, &unknown);
		if (!unknown.job)
			return;
		programs__forget(p, unknown.job);
	}
}
