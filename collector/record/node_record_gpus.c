/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds the GPUs. A number that is not known is not there; "absent" lists it with its reason. */
#include <inttypes.h>

#include "collector/gpu/gpu_protocol.h"
#include "collector/record/node_record_internal.h"
#include "common/json_writer.h"

#define READ_TO_END_NS 10000000000ull

static const char *const vendors[GPU_VENDORS] = { "nvidia", "amd" };

static void put_absent(struct json_object *absent, const char *name, uint32_t why)
{
	struct json_object *gap = json_object_new_object();

	put_text(gap, "name", name);
	put_text(gap, "reason", gpu_why_text(why));
	json_object_array_add(absent, gap);
}

static void put_number(struct json_object *object, struct json_object *absent, const char *name,
		       const struct gpu_number *number)
{
	uint64_t value;

	if (gpu_number_get(number, &value) && value <= INT64_MAX)
		put_count(object, name, (int64_t)value);
	else
		put_absent(absent, name, number->why);
}

static void put_share(struct json_object *object, struct json_object *absent, const char *name,
		      const struct gpu_use *use)
{
	struct json_object *share;

	if (!use->known_us) {
		put_absent(absent, name, use->why);
		return;
	}
	share = put_object(object, name);
	put_count(share, "busy_ns", use->busy / (GPU_SHARE_ALL / 1000));
	put_count(share, "known_ns", use->known_us * 1000);
	put_count(share, "covered_ns", use->covered_us * 1000);
	put_count(share, "counted_ns", use->counted_us * 1000);
}

static void put_energy(struct json_object *object, struct json_object *absent, const struct gpu_counter *energy)
{
	if (!energy->known) {
		put_absent(absent, "energy_mj", energy->why);
	} else if (energy->last_ns == energy->first_ns) {
		put_absent(absent, "energy_mj", GPU_WHY_FIRST);
	} else {
		put_count(object, "energy_mj", energy->last - energy->first);
		put_count(object, "energy_known_ns", energy->last_ns - energy->first_ns);
	}
}

static void put_xids(struct json_object *object, struct json_object *absent, const struct job_gpu *gpu)
{
	struct json_object *list;

	put_number(object, absent, "xid_errors", &gpu->xids);
	if (!gpu->xid[0].count)
		return;
	list = put_array(object, "xids");
	for (int i = 0; i < GPU_XIDS_MAX && gpu->xid[i].count; i++) {
		struct json_object *xid = json_object_new_object();

		put_count(xid, "xid", gpu->xid[i].xid);
		put_count(xid, "count", gpu->xid[i].count);
		json_object_array_add(list, xid);
	}
}

/* Finds the image that ran in the process when it was on the GPU: ended ones are in the timeline. */
static uint64_t tool_of(const struct build *b, const struct job_gpu_process *process)
{
	const struct timeline *timeline = &b->job->timeline;

	for (size_t i = timeline->count; i > 0; i--) {
		const struct timeline_entry *entry = &timeline->entries[i - 1];

		if (entry->count == 1 && entry->pid == process->pid && entry->start_ns <= process->last_ns &&
		    entry->end_ns >= process->first_ns)
			return entry->tool;
	}
	return 0;
}

static void put_processes(const struct build *b, struct json_object *object, const struct job_gpu *gpu)
{
	struct json_object *list;

	if (!gpu->process_count)
		return;
	list = put_array(object, "processes");
	for (uint32_t i = 0; i < gpu->process_count; i++) {
		const struct job_gpu_process *from = &gpu->processes[i];
		struct json_object *process = json_object_new_object();

		put_count(process, "pid", from->pid);
		node_record_add_tool(b, process, tool_of(b, from));
		put_count(process, "first_unix_ns", from->first_ns + b->to_unix_ns);
		put_count(process, "last_unix_ns", from->last_ns + b->to_unix_ns);
		if (from->peak_known)
			put_count(process, "memory_peak_bytes", from->peak_bytes);
		json_object_array_add(list, process);
	}
	if (gpu->processes_lost)
		put_count(object, "processes_lost", gpu->processes_lost);
}

static void put_throttle(struct json_object *object, struct json_object *absent, const struct job_gpu *gpu)
{
	if (!gpu->throttle_known_us) {
		put_absent(absent, "throttled", gpu->throttle_why);
		return;
	}
	put_count(object, "throttled_known_ns", gpu->throttle_known_us * 1000);
	put_count(object, "throttled_heat_ns", gpu->heat_us * 1000);
	put_count(object, "throttled_power_ns", gpu->power_us * 1000);
}

static void put_identity(struct json_object *object, struct json_object *absent, const struct gpu_device *device)
{
	put_text(object, "vendor", vendors[device->vendor]);
	put_known_text(object, "model", device->model);
	put_known_text(object, "uuid", device->uuid);
	put_known_text(object, "pci", device->pci);
	put_number(object, absent, "minor", &device->minor);
	if (device->card != GPU_NONE) {
		put_flag(object, "slice", true);
		put_number(object, absent, "gpu_instance", &device->gpu_instance);
	}
}

/* Without readings up to the end, the GPU's last use is not known. */
static void put_idle_tail(const struct build *b, struct json_object *object, const struct job_gpu *gpu)
{
	if (gpu->idle_us && gpu->last_ns + READ_TO_END_NS >= b->job->series.end_ns)
		put_count(object, "idle_tail_ns", gpu->idle_us * 1000);
}

static struct json_object *build_gpu(const struct build *b, const struct job_gpu *gpu)
{
	static const char *const shares[JOB_GPU_SHARES] = { "busy", "sm", "tensor", "bandwidth" };
	struct json_object *object = json_object_new_object(), *absent = json_object_new_array();

	put_identity(object, absent, &gpu->device);
	if (gpu->used)
		put_flag(object, "used", true);
	put_count(object, "first_unix_ns", gpu->first_ns + b->to_unix_ns);
	put_count(object, "last_unix_ns", gpu->last_ns + b->to_unix_ns);
	put_count(object, "readings", gpu->readings);
	put_idle_tail(b, object, gpu);
	for (int i = 0; i < JOB_GPU_SHARES; i++)
		put_share(object, absent, shares[i], &gpu->shares[i]);
	put_number(object, absent, "memory_total_bytes", &gpu->total);
	put_number(object, absent, "memory_peak_bytes", &gpu->peak);
	put_number(object, absent, "job_memory_peak_bytes", &gpu->job_peak);
	put_energy(object, absent, &gpu->energy);
	put_xids(object, absent, gpu);
	put_throttle(object, absent, gpu);
	put_processes(b, object, gpu);
	if (gpu->junk)
		put_count(object, "junk", gpu->junk);
	json_object_object_add(object, "absent", absent);
	return object;
}

/* A GPU on which none of the job's processes was can be another job's, which is no business of this job's user. */
static bool may_be_shown(const struct job_gpus *gpus, const struct job_gpu *gpu)
{
	return gpu->readings && (gpu->used || !(gpus->shared || gpu->others));
}

void node_record_gpus(struct build *b)
{
	const struct job_gpus *gpus = &b->job->gpus;
	struct json_object *list;

	if (!gpus->watched) {
		if (gpus->why)
			put_text(b->record, "gpu_samples_missing", gpus->why);
		return;
	}
	list = put_array(b->record, "gpus");
	for (uint32_t i = 0; i < gpus->count; i++)
		if (may_be_shown(gpus, &gpus->gpus[i]))
			json_object_array_add(list, build_gpu(b, &gpus->gpus[i]));
	if (gpus->shared)
		put_flag(b->record, "gpus_shared", true);
	if (gpus->count)
		put_count(b->record, "gpus_listed_ns", job_gpus_listed_us(gpus) * 1000);
	if (gpus->why)
		put_text(b->record, "gpu_samples_missing", gpus->why);
	else if (gpus->lost)
		put_text(b->record, "gpu_samples_missing", "stintd had no memory for them");
	else if (!gpus->count)
		put_text(b->record, "gpu_samples_missing", "the job ended before the GPUs were read");
}
