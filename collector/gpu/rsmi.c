/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/gpu/rsmi.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "collector/gpu/rsmi_abi.h"

#define PROCESSES_ROOM 1024
/* AMD does not say of which time its percentage is. Its firmware updates it every millisecond or less often. */
#define BUSY_COVERS_NS 1000000ull

struct on_gpus {
	struct rsmi_process process;
	uint32_t indexes[GPU_MAX];
	uint32_t count; /* of its GPUs */
};

static struct {
	struct rsmi_functions call;
	struct on_gpus processes[PROCESSES_ROOM]; /* in this round */
	uint32_t process_count;
	struct gpu_number known; /* absent: why there is no list of processes */
} rsmi;

#define RSMI_CALL(name, ...) (rsmi.call.name ? rsmi.call.name(__VA_ARGS__) : RSMI_NO_SYMBOL)

static enum gpu_why why_of(uint32_t status)
{
	switch (status) {
	case RSMI_NO_SYMBOL:
		return GPU_WHY_NO_SYMBOL;
	case RSMI_NOT_SUPPORTED:
	case RSMI_NOT_YET_IMPLEMENTED:
		return GPU_WHY_NOT_SUPPORTED;
	case RSMI_PERMISSION:
		return GPU_WHY_NO_PERMISSION;
	case RSMI_NOT_FOUND:
	case RSMI_NO_DATA:
	case RSMI_BUSY:
		return GPU_WHY_NO_DATA;
	case RSMI_INIT_ERROR:
		return GPU_WHY_NO_DRIVER;
	case RSMI_INSUFFICIENT_SIZE:
		return GPU_WHY_TOO_MANY;
	case RSMI_UNEXPECTED_DATA:
		return GPU_WHY_JUNK;
	}
	return GPU_WHY_FAILED;
}

static void find_functions(void *library)
{
#define RSMI_FIND(name, parameters) gpu_library_find(library, "rsmi_" #name, &rsmi.call.name);
	RSMI_FUNCTIONS(RSMI_FIND)
#undef RSMI_FIND
}

static void set_pci(struct gpu_device *device)
{
	uint64_t id = 0;

	if (RSMI_CALL(dev_pci_id_get, device->index, &id) != RSMI_SUCCESS)
		return;
	snprintf(device->pci, sizeof(device->pci), "%08" PRIX32 ":%02X:%02X.%u", (uint32_t)(id >> 32), (unsigned int)(id >> 8) & 0xff,
		 (unsigned int)(id >> 3) & 0x1f, (unsigned int)id & 7);
}

static void add_gpu(struct gpu_table *table, uint32_t index)
{
	struct gpu_device *device = gpu_table_add(table, GPU_AMD);
	char name[128] = "";
	uint32_t minor = 0, status;
	uint64_t id = 0;

	if (!device)
		return;
	device->index = index;
	status = RSMI_CALL(dev_name_get, index, name, sizeof(name));
	name[sizeof(name) - 1] = '\0';
	if (status == RSMI_SUCCESS)
		gpu_text_copy(device->model, sizeof(device->model), name);
	if (RSMI_CALL(dev_unique_id_get, index, &id) == RSMI_SUCCESS && id)
		snprintf(device->uuid, sizeof(device->uuid), "GPU-%016" PRIx64, id);
	set_pci(device);
	status = RSMI_CALL(dev_drm_render_minor_get, index, &minor);
	device->minor = status == RSMI_SUCCESS ? gpu_known(minor) : gpu_absent(why_of(status));
	device->gpu_instance = device->compute_instance = gpu_absent(GPU_WHY_NOT_SUPPORTED);
}

static bool fail(struct gpu_library *state, enum gpu_why why)
{
	*state = (struct gpu_library){ .why = why };
	return false;
}

static bool open_library(struct gpu_table *table, struct gpu_library *state)
{
	static const char *const names[] = {
		"librocm_smi64.so.7", "librocm_smi64.so.6", "librocm_smi64.so.5", "librocm_smi64.so.1",
		"/opt/rocm/lib/librocm_smi64.so", NULL,
	};
	void *library = gpu_library_open(names);
	uint32_t count = 0, status;

	if (!library)
		return fail(state, GPU_WHY_NO_LIBRARY);
	find_functions(library);
	status = RSMI_CALL(init, RSMI_INIT_THREAD_ONLY);
	if (status == RSMI_SUCCESS)
		status = RSMI_CALL(num_monitor_devices, &count);
	if (status != RSMI_SUCCESS)
		return fail(state, why_of(status));
	if (count > GPU_MAX)
		return fail(state, GPU_WHY_JUNK);
	*state = (struct gpu_library){ .loaded = 1 };
	for (uint32_t i = 0; i < count; i++)
		add_gpu(table, i);
	return count;
}

/* Lists the processes once for all GPUs, with the GPUs of each. */
static void begin_round(void)
{
	static struct rsmi_process list[PROCESSES_ROOM];
	uint32_t count = PROCESSES_ROOM, status;

	rsmi.process_count = 0;
	status = RSMI_CALL(compute_process_info_get, list, &count);
	if (status == RSMI_SUCCESS && count > PROCESSES_ROOM)
		status = RSMI_UNEXPECTED_DATA;
	rsmi.known = status == RSMI_SUCCESS ? gpu_known(0) : gpu_absent(why_of(status));
	for (uint32_t i = 0; status == RSMI_SUCCESS && i < count; i++) {
		struct on_gpus *on = &rsmi.processes[rsmi.process_count];
		uint32_t of = GPU_MAX, of_status;

		*on = (struct on_gpus){ .process = list[i] };
		of_status = RSMI_CALL(compute_process_gpus_get, list[i].pid, on->indexes, &of);
		/* without its GPUs, the process would be missing on them */
		if (of_status != RSMI_SUCCESS || of > GPU_MAX)
			rsmi.known = gpu_absent(of_status != RSMI_SUCCESS ? why_of(of_status) : GPU_WHY_JUNK);
		else
			on->count = of;
		rsmi.process_count++;
	}
}

static bool is_on(const struct on_gpus *on, uint32_t index)
{
	for (uint32_t i = 0; i < on->count; i++)
		if (on->indexes[i] == index)
			return true;
	return false;
}

/* An older library knows only the sum over all GPUs of a process. */
static struct gpu_number memory_on(const struct on_gpus *on, const struct gpu_device *device, const struct gpu_sample *sample)
{
	struct rsmi_process process = { .vram_bytes = UINT64_MAX };
	uint32_t status = RSMI_CALL(compute_process_info_by_device_get, on->process.pid, device->index, &process);

	if (status == RSMI_SUCCESS)
		return gpu_bytes(process.vram_bytes, &sample->values[GPU_MEMORY_TOTAL]);
	if (status == RSMI_NO_SYMBOL && on->count == 1)
		return gpu_bytes(on->process.vram_bytes, &sample->values[GPU_MEMORY_TOTAL]);
	return gpu_absent(why_of(status));
}

static void read_processes(const struct gpu_device *device, struct gpu_sample *sample)
{
	uint64_t known;

	if (!gpu_number_get(&rsmi.known, &known)) {
		sample->values[GPU_PROCESSES] = rsmi.known;
		return;
	}
	for (uint32_t i = 0; i < rsmi.process_count; i++)
		if (is_on(&rsmi.processes[i], device->index))
			gpu_sample_add_process(sample, rsmi.processes[i].process.pid,
					       memory_on(&rsmi.processes[i], device, sample));
	/* the library knows those of KFD only */
	sample->values[GPU_PROCESSES] = gpu_sampled(sample->processes + sample->processes_lost, 0);
}

static void read_memory(const struct gpu_device *device, struct gpu_sample *sample)
{
	struct gpu_number none = gpu_absent(GPU_WHY_NOT_READ);
	uint64_t bytes = 0;
	uint32_t status;

	status = RSMI_CALL(dev_memory_total_get, device->index, RSMI_MEMORY_VRAM, &bytes);
	sample->values[GPU_MEMORY_TOTAL] = status != RSMI_SUCCESS ? gpu_absent(why_of(status)) :
					   bytes                  ? gpu_bytes(bytes, &none) :
								    gpu_absent(GPU_WHY_JUNK);
	bytes = UINT64_MAX;
	status = RSMI_CALL(dev_memory_usage_get, device->index, RSMI_MEMORY_VRAM, &bytes);
	sample->values[GPU_MEMORY_USED] =
		status == RSMI_SUCCESS ? gpu_bytes(bytes, &sample->values[GPU_MEMORY_TOTAL]) : gpu_absent(why_of(status));
}

static struct gpu_number read_energy(uint32_t index)
{
	uint64_t count = 0, ns;
	float uj = 0;
	uint32_t status = RSMI_CALL(dev_energy_count_get, index, &count, &uj, &ns);
	double mj = (double)count * (double)uj / 1000;

	if (status != RSMI_SUCCESS)
		return gpu_absent(why_of(status));
	return mj >= 1 && mj < 1e18 ? gpu_known((uint64_t)mj) : gpu_absent(GPU_WHY_JUNK);
}

static struct gpu_number read_busy(uint32_t index)
{
	uint32_t percent = UINT32_MAX, status = RSMI_CALL(dev_busy_percent_get, index, &percent);

	if (status != RSMI_SUCCESS)
		return gpu_absent(why_of(status));
	return percent <= 100 ? gpu_sampled(percent * (GPU_SHARE_ALL / 100), BUSY_COVERS_NS) : gpu_absent(GPU_WHY_JUNK);
}

static void read_gpu(const struct gpu_device *device, struct gpu_sample *sample)
{
	sample->values[GPU_SM] = sample->values[GPU_TENSOR] = sample->values[GPU_BANDWIDTH] = sample->values[GPU_THROTTLE] =
		sample->values[GPU_XIDS] = gpu_absent(GPU_WHY_NOT_SUPPORTED);
	sample->values[GPU_BUSY] = read_busy(device->index);
	read_memory(device, sample);
	read_processes(device, sample);
	sample->values[GPU_ENERGY] = read_energy(device->index);
}

const struct gpu_source rsmi_source = { open_library, begin_round, read_gpu };
