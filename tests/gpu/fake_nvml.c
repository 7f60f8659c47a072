/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A libnvidia-ml.so.1 for tests: it says what scene.h describes. Its pointers are made of numbers. */
#include "tests/gpu/scene.h"

#include "collector/gpu/nvml_abi.h"

#define SLICE 100 /* handle of slice S of GPU G: 1 + G + SLICE * (S + 1) */
#define HANDLE(number) ((nvml_device)(uintptr_t)(number))

#define NVML_DECLARE(name, parameters) uint32_t nvml##name parameters;
NVML_FUNCTIONS(NVML_DECLARE)

#define BEGIN(name)                       \
	uint32_t status;                  \
	const char *const call = name;    \
	if (scene_answers(call, &status)) \
	return status

static unsigned int gpu_of(nvml_device device)
{
	return ((unsigned int)(uintptr_t)device - 1) % SLICE;
}

static unsigned int slice_of(nvml_device device) /* 0: none */
{
	return ((unsigned int)(uintptr_t)device - 1) / SLICE;
}

uint32_t nvmlInit_v2(void)
{
	BEGIN("Init_v2");
	return NVML_SUCCESS;
}

uint32_t nvmlSystemGetDriverVersion(char *version, uint32_t size)
{
	BEGIN("SystemGetDriverVersion");
	if (scene_junk(call))
		memset(version, 0x80, size);
	else
		snprintf(version, size, "550.54.15");
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetCount_v2(uint32_t *count)
{
	BEGIN("DeviceGetCount_v2");
	*count = scene_junk(call) ? 1000000 : scene.gpus;
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetHandleByIndex_v2(uint32_t index, nvml_device *device)
{
	BEGIN("DeviceGetHandleByIndex_v2");
	*device = scene_junk(call) ? NULL : HANDLE(1 + index);
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetName(nvml_device device, char *name, uint32_t size)
{
	BEGIN("DeviceGetName");
	if (scene_junk(call))
		memset(name, '\n', size);
	else
		snprintf(name, size, slice_of(device) ? "NVIDIA H100 MIG 1g.10gb" : "NVIDIA H100");
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetUUID(nvml_device device, char *uuid, uint32_t size)
{
	BEGIN("DeviceGetUUID");
	if (scene_junk(call))
		memset(uuid, 0xff, size);
	else
		snprintf(uuid, size, "%s-00000000-0000-0000-0000-%012x", slice_of(device) ? "MIG" : "GPU",
			 (unsigned int)(uintptr_t)device);
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetPciInfo_v3(nvml_device device, struct nvml_pci_info *pci)
{
	BEGIN("DeviceGetPciInfo_v3");
	if (scene_junk(call))
		memset(pci, 0xff, sizeof(*pci));
	else
		snprintf(pci->bus_id, sizeof(pci->bus_id), "00000000:%02X:00.0", 0x10 + gpu_of(device));
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetMinorNumber(nvml_device device, uint32_t *minor)
{
	BEGIN("DeviceGetMinorNumber");
	*minor = scene.gpu[gpu_of(device)].minor;
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetMigMode(nvml_device device, uint32_t *now, uint32_t *pending)
{
	BEGIN("DeviceGetMigMode");
	*now = *pending = scene.gpu[gpu_of(device)].slices > 0;
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetMaxMigDeviceCount(nvml_device device, uint32_t *count)
{
	(void)device;
	BEGIN("DeviceGetMaxMigDeviceCount");
	*count = scene_junk(call) ? UINT32_MAX : 7;
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetMigDeviceHandleByIndex(nvml_device device, uint32_t index, nvml_device *slice)
{
	BEGIN("DeviceGetMigDeviceHandleByIndex");
	if (index >= scene.gpu[gpu_of(device)].slices)
		return NVML_NOT_FOUND;
	*slice = HANDLE(1 + gpu_of(device) + SLICE * (index + 1));
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetGpuInstanceId(nvml_device device, uint32_t *id)
{
	BEGIN("DeviceGetGpuInstanceId");
	*id = 6 + slice_of(device); /* 7, 8... */
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetComputeInstanceId(nvml_device device, uint32_t *id)
{
	(void)device;
	BEGIN("DeviceGetComputeInstanceId");
	*id = 0;
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetMemoryInfo(nvml_device device, struct nvml_memory *memory)
{
	BEGIN("DeviceGetMemoryInfo");
	*memory = (struct nvml_memory){ .total = SCENE_TOTAL, .used = scene.gpu[gpu_of(device)].memory + 500 };
	if (scene_junk(call))
		memory->used = SCENE_TOTAL + 1;
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetMemoryInfo_v2(nvml_device device, struct nvml_memory_v2 *memory)
{
	BEGIN("DeviceGetMemoryInfo_v2");
	if (memory->version != (sizeof(*memory) | 2 << 24))
		return NVML_ARGUMENT_VERSION_MISMATCH;
	memory->total = SCENE_TOTAL;
	memory->used = scene_junk(call) ? SCENE_TOTAL + 1 : scene.gpu[gpu_of(device)].memory;
	return NVML_SUCCESS;
}

static uint32_t list_processes(nvml_device device, uint32_t *count, struct nvml_process *processes)
{
	uint32_t room = *count, found = 0;

	for (unsigned int i = 0; i < scene.processes; i++) {
		if (scene.process[i].gpu != gpu_of(device))
			continue;
		if (found < room)
			processes[found] = (struct nvml_process){ scene.process[i].pid, scene.process[i].bytes,
								  NVML_NO_INSTANCE, NVML_NO_INSTANCE };
		found++;
	}
	*count = found;
	return found > room ? NVML_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

uint32_t nvmlDeviceGetComputeRunningProcesses_v2(nvml_device device, uint32_t *count, struct nvml_process *processes)
{
	BEGIN("DeviceGetComputeRunningProcesses_v2");
	return list_processes(device, count, processes);
}

uint32_t nvmlDeviceGetComputeRunningProcesses_v3(nvml_device device, uint32_t *count, struct nvml_process *processes)
{
	BEGIN("DeviceGetComputeRunningProcesses_v3");
	if (!scene_junk(call))
		return list_processes(device, count, processes);
	processes[0] = (struct nvml_process){ .pid = UINT32_MAX };
	processes[1] = (struct nvml_process){ .pid = 0, .used_memory = 5 };
	processes[2] = (struct nvml_process){ .pid = 77, .used_memory = SCENE_TOTAL * 2 };
	*count = 3;
	return NVML_SUCCESS;
}

/* No process draws. */
static uint32_t list_none(uint32_t *count)
{
	*count = 0;
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetGraphicsRunningProcesses_v2(nvml_device device, uint32_t *count, struct nvml_process *processes)
{
	BEGIN("DeviceGetGraphicsRunningProcesses_v2");
	(void)device, (void)processes;
	return list_none(count);
}

uint32_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvml_device device, uint32_t *count, struct nvml_process *processes)
{
	BEGIN("DeviceGetGraphicsRunningProcesses_v3");
	(void)device, (void)processes;
	return list_none(count);
}

uint32_t nvmlDeviceGetTotalEnergyConsumption(nvml_device device, uint64_t *mj)
{
	struct scene_gpu *gpu = &scene.gpu[gpu_of(device)];
	BEGIN("DeviceGetTotalEnergyConsumption");
	if (!gpu->energy)
		gpu->energy = 1000000;
	*mj = scene_junk(call) ? 0 : (gpu->energy += 1000);
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetCurrentClocksEventReasons(nvml_device device, uint64_t *reasons)
{
	BEGIN("DeviceGetCurrentClocksEventReasons");
	*reasons = scene.gpu[gpu_of(device)].throttle;
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceGetCurrentClocksThrottleReasons(nvml_device device, uint64_t *reasons)
{
	BEGIN("DeviceGetCurrentClocksThrottleReasons");
	*reasons = scene.gpu[gpu_of(device)].throttle;
	return NVML_SUCCESS;
}

/* A sample each 100 ms. */
uint32_t nvmlDeviceGetSamples(nvml_device device, uint32_t type, uint64_t after_us, uint32_t *value_type,
			      uint32_t *count, struct nvml_sample *samples)
{
	uint64_t now_us = scene_now_ns(CLOCK_REALTIME) / 1000, at_us = now_us / 100000 * 100000 - 3000000;
	uint32_t room = *count;
	BEGIN("DeviceGetSamples");
	if (type != NVML_GPU_UTILIZATION_SAMPLES || slice_of(device))
		return NVML_NOT_SUPPORTED;
	*value_type = NVML_VALUE_UNSIGNED_INT;
	*count = 0;
	for (; at_us <= now_us && *count + 3 < room; at_us += 100000)
		if (at_us > after_us)
			samples[(*count)++] =
				(struct nvml_sample){ .time_us = at_us,
						      .uint_value = (uint32_t)scene.gpu[gpu_of(device)].busy };
	if (scene_junk(call)) {
		samples[(*count)++] = (struct nvml_sample){ .time_us = now_us, .uint_value = 30000 };
		samples[(*count)++] = (struct nvml_sample){ .time_us = 1 }; /* before the last one */
		samples[(*count)++] = (struct nvml_sample){ .time_us = now_us * 10 }; /* in many years */
	}
	return *count ? NVML_SUCCESS : NVML_NOT_FOUND;
}

uint32_t nvmlDeviceGetUtilizationRates(nvml_device device, struct nvml_utilization *rates)
{
	BEGIN("DeviceGetUtilizationRates");
	if (slice_of(device))
		return NVML_NOT_SUPPORTED;
	rates->gpu = scene_junk(call) ? 4000000 : (uint32_t)scene.gpu[gpu_of(device)].busy;
	rates->memory = 1;
	return NVML_SUCCESS;
}

uint32_t nvmlGpmQueryDeviceSupport(nvml_device device, struct nvml_gpm_support *support)
{
	(void)device;
	BEGIN("GpmQueryDeviceSupport");
	if (support->version != 1)
		return NVML_ARGUMENT_VERSION_MISMATCH;
	support->supported = scene.counters;
	return NVML_SUCCESS;
}

struct nvml_gpm_sample {
	uint64_t at_ns;
	unsigned int gpu;
};

uint32_t nvmlGpmSampleAlloc(nvml_gpm_sample *sample)
{
	BEGIN("GpmSampleAlloc");
	*sample = calloc(1, sizeof(**sample));
	return *sample ? NVML_SUCCESS : NVML_NOT_SUPPORTED;
}

static uint32_t take_sample(nvml_device device, nvml_gpm_sample sample)
{
	*sample = (struct nvml_gpm_sample){ scene_now_ns(CLOCK_MONOTONIC), gpu_of(device) };
	return NVML_SUCCESS;
}

uint32_t nvmlGpmSampleGet(nvml_device device, nvml_gpm_sample sample)
{
	BEGIN("GpmSampleGet");
	return slice_of(device) ? NVML_INVALID_ARGUMENT : take_sample(device, sample);
}

uint32_t nvmlGpmMigSampleGet(nvml_device device, uint32_t gpu_instance, nvml_gpm_sample sample)
{
	BEGIN("GpmMigSampleGet");
	return gpu_instance < 7 ? NVML_INVALID_ARGUMENT : take_sample(device, sample);
}

uint32_t nvmlGpmMetricsGet(struct nvml_gpm_metrics *metrics)
{
	BEGIN("GpmMetricsGet");
	if (metrics->version != 1)
		return NVML_ARGUMENT_VERSION_MISMATCH;
	if (metrics->first->at_ns + 100000000 > metrics->second->at_ns)
		return NVML_NO_DATA;
	for (uint32_t i = 0; i < metrics->count; i++) {
		double busy = scene.gpu[metrics->second->gpu].busy;
		struct nvml_gpm_metric *metric = &metrics->metrics[i];

		metric->status = NVML_SUCCESS;
		metric->value = metric->id == NVML_GPM_ANY_TENSOR_UTIL ? busy / 2
				: metric->id == NVML_GPM_DRAM_BW_UTIL  ? busy / 4
								       : busy;
		if (scene_junk(call))
			metric->value = i % 2 ? -1 : 1e300 * 1e300 - 1e300 * 1e300;
	}
	return NVML_SUCCESS;
}

uint32_t nvmlEventSetCreate(nvml_event_set *set)
{
	BEGIN("EventSetCreate");
	*set = (nvml_event_set)(uintptr_t)1;
	return NVML_SUCCESS;
}

uint32_t nvmlDeviceRegisterEvents(nvml_device device, uint64_t types, nvml_event_set set)
{
	(void)device;
	(void)set;
	BEGIN("DeviceRegisterEvents");
	return types == NVML_EVENT_XID ? NVML_SUCCESS : NVML_NOT_SUPPORTED;
}

/* Lets a test see that the GPUs have been read once more: FAKE_GPU_ROUNDS grows. */
static void note_round(void)
{
	const char *path = getenv("FAKE_GPU_ROUNDS");
	FILE *file = path ? fopen(path, "ae") : NULL;

	if (file) {
		fputc('.', file);
		fclose(file);
	}
}

uint32_t nvmlEventSetWait_v2(nvml_event_set set, struct nvml_event *event, uint32_t timeout_ms)
{
	static unsigned int given;

	(void)set;
	(void)timeout_ms;
	BEGIN("EventSetWait_v2");
	if (given >= scene.xids) {
		note_round();
		return NVML_TIMEOUT;
	}
	*event = (struct nvml_event){ HANDLE(1 + scene.xid[given].gpu), NVML_EVENT_XID, scene.xid[given].number,
				      NVML_NO_INSTANCE, NVML_NO_INSTANCE };
	given++;
	return NVML_SUCCESS;
}
