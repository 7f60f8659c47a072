/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/job/job_gpus.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_US 3600000000ull /* a reading that stands for a longer time is an error */
/* A sum whose first reading comes later after the job's begin is not the job's. A library can take 20 s to load. */
#define LATE_NS 30000000000ull
#define IDLE_BELOW (GPU_SHARE_ALL / 1000) /* of a reading: less than a thousandth is a counter's noise */

static bool is_same(const struct gpu_device *a, const struct gpu_device *b)
{
	if (a->uuid[0] || b->uuid[0])
		return strcmp(a->uuid, b->uuid) == 0;
	return a->vendor == b->vendor && a->index == b->index && (a->card == GPU_NONE) == (b->card == GPU_NONE) &&
	       strcmp(a->pci, b->pci) == 0 && a->gpu == b->gpu;
}

/* Returns the job's entry for @device, which may be new; NULL if there is no room. */
static struct job_gpu *find(struct job_gpus *gpus, const struct gpu_device *device)
{
	struct job_gpu *more;

	for (uint32_t i = 0; i < gpus->count; i++)
		if (is_same(&gpus->gpus[i].device, device))
			return &gpus->gpus[i];
	if (gpus->count == GPU_MAX)
		return NULL;
	more = realloc(gpus->gpus, (gpus->count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	gpus->gpus = more;
	more = &gpus->gpus[gpus->count++];
	memset(more, 0, sizeof(*more));
	more->device = *device;
	return more;
}

static void add_share(struct gpu_use *use, const struct gpu_number *number, uint64_t us)
{
	uint64_t share, covered_us = number->covered_ns / 1000;

	if (!gpu_number_get(number, &share)) {
		use->why = number->why;
		return;
	}
	use->known_us += us;
	use->busy += share * us;
	if (number->state == GPU_KNOWN) {
		use->counted_us += us;
		use->covered_us += us;
	} else {
		use->covered_us += covered_us < us ? covered_us : us;
	}
}

/* A reading that samples cover by less than nine tenths does not show that nothing ran. Nor does a gap before it. */
static void add_idle(struct job_gpu *gpu, const struct gpu_sample *sample, uint64_t us)
{
	const struct gpu_number *busy = &sample->values[GPU_BUSY];
	uint64_t share, covered_us = busy->state == GPU_KNOWN ? us : busy->covered_ns / 1000;

	if (!gpu_number_get(busy, &share) || share >= IDLE_BELOW || covered_us < us - us / 10) {
		gpu->idle_us = 0;
		return;
	}
	if (sample->from_ns > gpu->last_ns)
		gpu->idle_us = 0;
	gpu->idle_us += us;
}

static void raise(struct gpu_number *peak, const struct gpu_number *now)
{
	uint64_t value, before;

	if (!gpu_number_get(now, &value)) {
		if (!gpu_number_get(peak, &before))
			*peak = *now; /* the reason */
		return;
	}
	if (!gpu_number_get(peak, &before) || value > before)
		*peak = gpu_sampled(value, 0);
}

static bool is_late(uint64_t first_ns, uint64_t since_ns)
{
	return first_ns > since_ns + LATE_NS;
}

/* A counter that goes back was reset: what was used in between is not known. */
static void note_counter(struct gpu_counter *counter, const struct gpu_number *number, uint64_t at_ns,
			 uint64_t since_ns)
{
	uint64_t value;

	if (!gpu_number_get(number, &value)) {
		if (!counter->known)
			counter->why = number->why;
		return;
	}
	if (!counter->known && counter->last_ns)
		return;
	if (!counter->last_ns) {
		counter->first = value;
		counter->first_ns = at_ns;
		counter->known = !is_late(at_ns, since_ns);
		counter->why = GPU_WHY_LATE;
	}
	if (value < counter->last) {
		counter->known = false;
		counter->why = GPU_WHY_JUNK;
	}
	counter->last = value;
	counter->last_ns = at_ns;
}

static void note_xid(struct job_gpu *gpu, const struct gpu_xid *xid)
{
	for (int i = 0; xid->count && i < GPU_XIDS_MAX; i++) {
		if (gpu->xid[i].count && gpu->xid[i].xid != xid->xid)
			continue;
		gpu->xid[i].xid = xid->xid;
		gpu->xid[i].count += xid->count;
		return;
	}
}

static void add_xids(struct job_gpu *gpu, const struct gpu_sample *sample, uint64_t since_ns)
{
	uint64_t before = 0, value;
	bool known = gpu_number_get(&gpu->xids, &before);

	if (!gpu_number_get(&sample->values[GPU_XIDS], &value)) {
		gpu->xids = sample->values[GPU_XIDS]; /* for good: errors may have been missed */
		return;
	}
	if (!gpu->readings && is_late(sample->to_ns, since_ns)) {
		gpu->xids = gpu_absent(GPU_WHY_LATE);
		return;
	}
	/* A new stint-gpu does not know of the errors before its first reading. */
	if (known && gpu->readings && sample->from_ns > gpu->last_ns) {
		gpu->xids = gpu_absent(GPU_WHY_GAP);
		return;
	}
	if (!known && gpu->readings)
		return;
	gpu->xids = gpu_known(before + value);
	for (int i = 0; i < GPU_XIDS_MAX; i++)
		note_xid(gpu, &sample->xids[i]);
}

static void add_throttle(struct job_gpu *gpu, const struct gpu_number *number, uint64_t us)
{
	uint64_t value;

	if (!gpu_number_get(number, &value)) {
		gpu->throttle_why = number->why;
		return;
	}
	gpu->throttle_known_us += us;
	if (value & GPU_THROTTLE_HEAT)
		gpu->heat_us += us;
	if (value & GPU_THROTTLE_POWER)
		gpu->power_us += us;
}

/* A pid that was not seen for some time may be another process by now; the record joins it by time. */
static struct job_gpu_process *find_process(struct job_gpu *gpu, uint32_t pid, uint64_t since_ns)
{
	for (uint32_t i = gpu->process_count; i > 0; i--)
		if (gpu->processes[i - 1].pid == pid && gpu->processes[i - 1].last_ns >= since_ns)
			return &gpu->processes[i - 1];
	if (gpu->process_count == JOB_GPU_PROCESSES_MAX)
		return NULL;
	gpu->processes[gpu->process_count] = (struct job_gpu_process){ .pid = pid };
	return &gpu->processes[gpu->process_count++];
}

/* Returns false if there is no room. */
static bool note_process(struct job_gpu *gpu, const struct gpu_process *now, const struct gpu_sample *sample)
{
	struct job_gpu_process *process = find_process(gpu, now->pid, sample->from_ns);
	uint64_t bytes;

	if (!process)
		return false;
	if (!process->first_ns)
		process->first_ns = sample->to_ns;
	process->last_ns = sample->to_ns;
	if (!gpu_number_get(&now->memory, &bytes))
		return true;
	if (!process->peak_known || bytes > process->peak_bytes)
		process->peak_bytes = bytes;
	process->peak_known = true;
	return true;
}

/* The memory of the job's processes is known only if that of each one is. */
static void add_processes(struct job_gpu *gpu, const struct gpu_sample *sample, const bool owned[GPU_PROCESSES_MAX])
{
	struct gpu_number sum = sample->values[GPU_PROCESSES];
	uint64_t total = 0, lost = 0, value;

	for (uint32_t i = 0; i < sample->processes; i++) {
		if (!owned[i]) {
			gpu->others = true;
			continue;
		}
		gpu->used = true;
		lost += !note_process(gpu, &sample->process[i], sample);
		if (gpu_number_get(&sample->process[i].memory, &value))
			total += value;
		else
			sum = sample->process[i].memory;
	}
	if (lost > gpu->processes_lost)
		gpu->processes_lost = lost;
	gpu->others |= sample->processes_lost > 0;
	if (sample->processes_lost)
		sum = gpu_absent(GPU_WHY_TOO_MANY);
	if (gpu_number_get(&sum, &value))
		sum = gpu_known(total);
	raise(&gpu->job_peak, &sum);
}

void job_gpus_add(struct job_gpus *gpus, const struct gpu_device *device, const struct gpu_sample *sample,
		  uint64_t since_ns, const bool owned[GPU_PROCESSES_MAX], bool known)
{
	struct job_gpu *gpu = find(gpus, device);
	uint64_t from_ns = sample->from_ns > since_ns ? sample->from_ns : since_ns;
	uint64_t us = sample->to_ns > from_ns ? (sample->to_ns - from_ns) / 1000 : 0;

	if (!gpu) {
		gpus->lost++;
		return;
	}
	if (sample->to_ns < since_ns || us > LONGEST_US)
		return;
	for (int i = 0; i < JOB_GPU_SHARES; i++)
		add_share(&gpu->shares[i], &sample->values[i], us);
	add_idle(gpu, sample, us);
	if (known && sample->values[GPU_PROCESSES].state == GPU_KNOWN && !sample->processes_lost)
		gpu->listed_us += us;
	raise(&gpu->total, &sample->values[GPU_MEMORY_TOTAL]);
	raise(&gpu->peak, &sample->values[GPU_MEMORY_USED]);
	note_counter(&gpu->energy, &sample->values[GPU_ENERGY], sample->to_ns, since_ns);
	add_xids(gpu, sample, since_ns);
	add_throttle(gpu, &sample->values[GPU_THROTTLE], us);
	add_processes(gpu, sample, owned);
	gpu->junk += sample->junk;
	gpu->readings++;
	if (!gpu->first_ns)
		gpu->first_ns = from_ns;
	gpu->last_ns = sample->to_ns;
}

uint64_t job_gpus_listed_us(const struct job_gpus *gpus)
{
	uint64_t least = gpus->count && !gpus->lost ? UINT64_MAX : 0;

	for (uint32_t i = 0; i < gpus->count; i++)
		if (gpus->gpus[i].listed_us < least)
			least = gpus->gpus[i].listed_us;
	return least;
}

void job_gpus_miss(struct job_gpus *gpus, const char *why)
{
	char *copy;

	if (gpus->why && strcmp(gpus->why, why) == 0)
		return;
	copy = strdup(why);
	if (!copy)
		return;
	free(gpus->why);
	gpus->why = copy;
}

void job_gpus_free(struct job_gpus *gpus)
{
	free(gpus->why);
	free(gpus->gpus);
	*gpus = (struct job_gpus){ 0 };
}
