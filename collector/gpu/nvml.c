/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/gpu/nvml.h"

#include <stddef.h>
#include <string.h>

#include "collector/gpu/nvml_internal.h"

#define SLICES_MAX 16 /* of a card; a card has at most 7 */
#define PROCESSES_ROOM 1024

static void find_functions(void *library)
{
#define NVML_FIND(name, parameters) gpu_library_find(library, "nvml" #name, &nvml.call.name);
	NVML_FUNCTIONS(NVML_FIND)
#undef NVML_FIND
}

/* @text: at most @size bytes of the library, perhaps without an end */
static void copy_text(char *to, size_t to_size, char *text, size_t size, uint32_t status)
{
	text[size - 1] = '\0';
	if (status == NVML_SUCCESS)
		gpu_text_copy(to, to_size, text);
}

static struct gpu_number id_number(uint32_t status, uint32_t id)
{
	return status == NVML_SUCCESS ? gpu_known(id) : gpu_absent(nvml_why(status));
}

static void identify_card(struct gpu_device *device, nvml_device card)
{
	struct nvml_pci_info pci = { .bus_id = "" };
	uint32_t minor = 0, status;

	status = NVML_CALL(DeviceGetPciInfo_v3, card, &pci);
	copy_text(device->pci, sizeof(device->pci), pci.bus_id, sizeof(pci.bus_id), status);
	status = NVML_CALL(DeviceGetMinorNumber, card, &minor);
	device->minor = id_number(status, minor);
}

static void identify(struct gpu_device *device, nvml_device handle)
{
	char text[128] = "";
	uint32_t status;

	status = NVML_CALL(DeviceGetUUID, handle, text, sizeof(text));
	copy_text(device->uuid, sizeof(device->uuid), text, sizeof(text), status);
	memset(text, 0, sizeof(text));
	status = NVML_CALL(DeviceGetName, handle, text, sizeof(text));
	copy_text(device->model, sizeof(device->model), text, sizeof(text), status);
	device->gpu_instance = device->compute_instance = gpu_absent(GPU_WHY_NOT_SUPPORTED);
}

static void add_slice(struct gpu_table *table, const struct gpu_device *of, nvml_device card, nvml_device handle)
{
	struct gpu_device *device = gpu_table_add(table, GPU_NVIDIA);
	struct nvml_gpu *gpu = device ? &nvml.gpus[device->gpu] : NULL;
	uint32_t id = 0, status;

	if (!device)
		return;
	device->card = of->gpu;
	device->index = of->index;
	identify_card(device, card);
	identify(device, handle);
	status = NVML_CALL(DeviceGetComputeInstanceId, handle, &id);
	device->compute_instance = id_number(status, id);
	id = 0;
	status = NVML_CALL(DeviceGetGpuInstanceId, handle, &id);
	device->gpu_instance = id_number(status, id);
	*gpu = (struct nvml_gpu){ .used = true, .handle = handle, .card = card, .instance = NVML_NO_INSTANCE };
	if (status == NVML_SUCCESS)
		gpu->instance = id;
	gpu->xids_unknown = nvml.gpus[of->gpu].xids_unknown;
}

static void add_slices(struct gpu_table *table, const struct gpu_device *of, nvml_device card)
{
	uint32_t now = 0, pending = 0, count = 0;
	nvml_device slice;

	if (NVML_CALL(DeviceGetMigMode, card, &now, &pending) != NVML_SUCCESS || now != 1 ||
	    NVML_CALL(DeviceGetMaxMigDeviceCount, card, &count) != NVML_SUCCESS)
		return;
	for (uint32_t i = 0; i < count && i < SLICES_MAX; i++) {
		slice = NULL;
		if (NVML_CALL(DeviceGetMigDeviceHandleByIndex, card, i, &slice) == NVML_SUCCESS && slice)
			add_slice(table, of, card, slice);
	}
}

static void add_card(struct gpu_table *table, uint32_t index)
{
	struct gpu_device *device = gpu_table_add(table, GPU_NVIDIA);
	struct nvml_gpu *gpu = device ? &nvml.gpus[device->gpu] : NULL;
	nvml_device handle = NULL;
	uint32_t status;

	if (!device)
		return;
	device->index = index;
	status = NVML_CALL(DeviceGetHandleByIndex_v2, index, &handle);
	*gpu = (struct nvml_gpu){ .used = true, .instance = NVML_NO_INSTANCE };
	if (status != NVML_SUCCESS || !handle) {
		gpu->lost = status == NVML_SUCCESS ? GPU_WHY_JUNK : nvml_why(status);
		device->minor = device->gpu_instance = device->compute_instance = gpu_absent(gpu->lost);
		return;
	}
	gpu->handle = gpu->card = handle;
	identify_card(device, handle);
	identify(device, handle);
	nvml_events_register(gpu);
	add_slices(table, device, handle);
}

static bool fail(struct gpu_library *state, enum gpu_why why)
{
	*state = (struct gpu_library){ .why = why };
	return false;
}

static bool open_library(struct gpu_table *table, struct gpu_library *state)
{
	static const char *const names[] = { "libnvidia-ml.so.1", NULL };
	void *library = gpu_library_open(names);
	char version[128] = "";
	uint32_t count = 0, status;

	if (!library)
		return fail(state, GPU_WHY_NO_LIBRARY);
	find_functions(library);
	status = NVML_CALL(Init_v2);
	if (status == NVML_SUCCESS)
		status = NVML_CALL(DeviceGetCount_v2, &count);
	if (status != NVML_SUCCESS)
		return fail(state, nvml_why(status));
	if (count > GPU_MAX)
		return fail(state, GPU_WHY_JUNK);
	*state = (struct gpu_library){ .loaded = 1 };
	status = NVML_CALL(SystemGetDriverVersion, version, sizeof(version));
	copy_text(state->version, sizeof(state->version), version, sizeof(version), status);
	for (uint32_t i = 0; i < count; i++)
		add_card(table, i);
	return count;
}

static void set_memory(struct gpu_sample *sample, uint64_t used, uint64_t total)
{
	struct gpu_number none = gpu_absent(GPU_WHY_NOT_READ);

	sample->values[GPU_MEMORY_TOTAL] = total ? gpu_bytes(total, &none) : gpu_absent(GPU_WHY_JUNK);
	sample->values[GPU_MEMORY_USED] = gpu_bytes(used, &sample->values[GPU_MEMORY_TOTAL]);
}

/* Version 2 leaves out what the driver keeps for itself. An older driver has version 1 only. */
static void read_memory(const struct nvml_gpu *gpu, struct gpu_sample *sample)
{
	struct nvml_memory_v2 memory = { .version = NVML_VERSION(struct nvml_memory_v2, 2) };
	struct nvml_memory old = { 0 };
	uint32_t status = NVML_CALL(DeviceGetMemoryInfo_v2, gpu->handle, &memory);

	if (status == NVML_SUCCESS) {
		set_memory(sample, memory.used, memory.total);
		return;
	}
	if (status == NVML_FUNCTION_NOT_FOUND || status == NVML_ARGUMENT_VERSION_MISMATCH || status == NVML_NOT_SUPPORTED) {
		status = NVML_CALL(DeviceGetMemoryInfo, gpu->handle, &old);
		if (status == NVML_SUCCESS) {
			set_memory(sample, old.used, old.total);
			return;
		}
	}
	sample->values[GPU_MEMORY_USED] = sample->values[GPU_MEMORY_TOTAL] = gpu_absent(nvml_why(status));
}

static struct gpu_number process_memory(const struct nvml_process *process, const struct gpu_sample *sample)
{
	if (process->used_memory == NVML_NOT_AVAILABLE)
		return gpu_absent(GPU_WHY_NO_DATA);
	return gpu_bytes(process->used_memory, &sample->values[GPU_MEMORY_TOTAL]);
}

static uint32_t list_processes(const struct nvml_gpu *gpu, uint32_t *count, struct nvml_process *processes)
{
	uint32_t room = *count, status = NVML_CALL(DeviceGetComputeRunningProcesses_v3, gpu->handle, count, processes);

	if (status != NVML_FUNCTION_NOT_FOUND)
		return status;
	*count = room;
	return NVML_CALL(DeviceGetComputeRunningProcesses_v2, gpu->handle, count, processes);
}

/* Processes that only draw (OpenGL, Vulkan) are in a list of their own. */
static bool may_draw(const struct nvml_gpu *gpu)
{
	static struct nvml_process processes[PROCESSES_ROOM];
	uint32_t count = PROCESSES_ROOM, status = NVML_CALL(DeviceGetGraphicsRunningProcesses_v3, gpu->handle, &count, processes);

	if (status == NVML_FUNCTION_NOT_FOUND) {
		count = PROCESSES_ROOM;
		status = NVML_CALL(DeviceGetGraphicsRunningProcesses_v2, gpu->handle, &count, processes);
	}
	return status != NVML_SUCCESS || count != 0;
}

static void read_processes(const struct nvml_gpu *gpu, struct gpu_sample *sample)
{
	static struct nvml_process processes[PROCESSES_ROOM];
	uint32_t count = PROCESSES_ROOM, status;

	memset(processes, 0, sizeof(processes[0])); /* an entry that is not written is no process */
	status = list_processes(gpu, &count, processes);
	if (status != NVML_SUCCESS || count > PROCESSES_ROOM) {
		sample->values[GPU_PROCESSES] = gpu_absent(status == NVML_SUCCESS ? GPU_WHY_JUNK : nvml_why(status));
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		gpu_sample_add_process(sample, processes[i].pid, process_memory(&processes[i], sample));
	count = sample->processes + sample->processes_lost;
	sample->values[GPU_PROCESSES] = may_draw(gpu) ? gpu_sampled(count, 0) : gpu_known(count);
}

/* A driver that counts nothing says 0, which no card has used. */
static void read_energy(const struct nvml_gpu *gpu, struct gpu_sample *sample)
{
	uint64_t mj = 0;
	uint32_t status;

	if (gpu->handle != gpu->card) {
		sample->values[GPU_ENERGY] = gpu_absent(GPU_WHY_SLICE);
		return;
	}
	status = NVML_CALL(DeviceGetTotalEnergyConsumption, gpu->handle, &mj);
	if (status != NVML_SUCCESS)
		sample->values[GPU_ENERGY] = gpu_absent(nvml_why(status));
	else
		sample->values[GPU_ENERGY] = mj && mj <= INT64_MAX ? gpu_known(mj) : gpu_absent(GPU_WHY_JUNK);
}

static void read_throttle(const struct nvml_gpu *gpu, struct gpu_sample *sample)
{
	uint64_t reasons = 0, value = 0;
	uint32_t status = NVML_CALL(DeviceGetCurrentClocksEventReasons, gpu->card, &reasons);

	if (status == NVML_FUNCTION_NOT_FOUND)
		status = NVML_CALL(DeviceGetCurrentClocksThrottleReasons, gpu->card, &reasons);
	if (status != NVML_SUCCESS) {
		sample->values[GPU_THROTTLE] = gpu_absent(nvml_why(status));
		return;
	}
	if (reasons & (NVML_REASON_HW_SLOWDOWN | NVML_REASON_SW_THERMAL | NVML_REASON_HW_THERMAL))
		value |= GPU_THROTTLE_HEAT;
	if (reasons & (NVML_REASON_POWER_CAP | NVML_REASON_HW_POWER_BRAKE))
		value |= GPU_THROTTLE_POWER;
	sample->values[GPU_THROTTLE] = gpu_sampled(value, 0);
}

static void read_gpu(const struct gpu_device *device, struct gpu_sample *sample)
{
	struct nvml_gpu *gpu = &nvml.gpus[device->gpu];

	if (!gpu->handle) {
		for (int i = 0; i < GPU_VALUES; i++)
			sample->values[i] = gpu_absent(gpu->lost);
		return;
	}
	nvml_read_busy(gpu, sample);
	read_memory(gpu, sample);
	read_processes(gpu, sample);
	read_energy(gpu, sample);
	read_throttle(gpu, sample);
	nvml_events_give(gpu, sample);
}

const struct gpu_source nvml_source = { open_library, nvml_events_take, read_gpu };
