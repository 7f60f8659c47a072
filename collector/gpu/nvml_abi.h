/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of NVIDIA's management library (libnvidia-ml.so.1) that stint-gpu calls: types and numbers of its binary
 * interface, from the NVML API reference, versions 11 to 13. The struct sizes are checked below.
 */
#ifndef STINT_NVML_ABI_H
#define STINT_NVML_ABI_H

#include <stdint.h>

typedef struct nvml_device *nvml_device;
typedef struct nvml_event_set *nvml_event_set;
typedef struct nvml_gpm_sample *nvml_gpm_sample;

enum nvml_return {
	NVML_SUCCESS = 0,
	NVML_UNINITIALIZED = 1,
	NVML_INVALID_ARGUMENT = 2,
	NVML_NOT_SUPPORTED = 3,
	NVML_NO_PERMISSION = 4,
	NVML_NOT_FOUND = 6,
	NVML_INSUFFICIENT_SIZE = 7,
	NVML_DRIVER_NOT_LOADED = 9,
	NVML_TIMEOUT = 10,
	NVML_FUNCTION_NOT_FOUND = 13,
	NVML_GPU_IS_LOST = 15,
	NVML_RESET_REQUIRED = 16,
	NVML_OPERATING_SYSTEM = 17, /* cgroups do not allow the device */
	NVML_LIB_RM_VERSION_MISMATCH = 18,
	NVML_NO_DATA = 21,
	NVML_ARGUMENT_VERSION_MISMATCH = 25,
	NVML_DEPRECATED = 26,
	NVML_GPU_NOT_FOUND = 28,
};

/* The version of a struct: its number, and its size. */
#define NVML_VERSION(type, number) ((uint32_t)(sizeof(type) | (number) << 24))

#define NVML_NOT_AVAILABLE UINT64_MAX /* a process's memory */
#define NVML_NO_INSTANCE UINT32_MAX

struct nvml_pci_info {
	char bus_id_legacy[16];
	uint32_t domain, bus, device, pci_device_id, pci_subsystem_id;
	char bus_id[32];
};

struct nvml_memory {
	uint64_t total, free, used; /* used: with what the driver keeps for itself */
};

struct nvml_memory_v2 {
	uint32_t version;
	uint64_t total, reserved, free, used;
};

/* of nvmlDeviceGetComputeRunningProcesses_v2 and _v3, and of nvmlDeviceGetGraphicsRunningProcesses_v2 and _v3 */
struct nvml_process {
	uint32_t pid;
	uint64_t used_memory;
	uint32_t gpu_instance, compute_instance;
};

struct nvml_utilization {
	uint32_t gpu, memory; /* percent */
};

struct nvml_sample {
	uint64_t time_us; /* CLOCK_REALTIME */
	union {
		double double_value;
		uint32_t uint_value;
		uint64_t ullong_value;
	};
};

#define NVML_GPU_UTILIZATION_SAMPLES 1
#define NVML_VALUE_UNSIGNED_INT 1

struct nvml_event {
	nvml_device device;
	uint64_t type;
	uint64_t data; /* the XID */
	uint32_t gpu_instance, compute_instance;
};

#define NVML_EVENT_XID 8ull

struct nvml_gpm_metric {
	uint32_t id;
	uint32_t status; /* enum nvml_return */
	double value;
	char *short_name, *long_name, *unit;
};

#define NVML_GPM_GRAPHICS_UTIL 1
#define NVML_GPM_SM_UTIL 2
#define NVML_GPM_ANY_TENSOR_UTIL 5
#define NVML_GPM_DRAM_BW_UTIL 10
#define NVML_GPM_METRICS_MAX 333 /* NVML 13; earlier ones have less, and read only count entries */

struct nvml_gpm_metrics {
	uint32_t version; /* 1 */
	uint32_t count;
	nvml_gpm_sample first, second;
	struct nvml_gpm_metric metrics[NVML_GPM_METRICS_MAX];
};

struct nvml_gpm_support {
	uint32_t version; /* 1 */
	uint32_t supported;
};

#define NVML_REASON_POWER_CAP 0x4ull
#define NVML_REASON_HW_SLOWDOWN 0x8ull
#define NVML_REASON_SW_THERMAL 0x20ull
#define NVML_REASON_HW_THERMAL 0x40ull
#define NVML_REASON_HW_POWER_BRAKE 0x80ull

_Static_assert(sizeof(struct nvml_pci_info) == 68, "nvmlPciInfo_t");
_Static_assert(sizeof(struct nvml_memory_v2) == 40, "nvmlMemory_v2_t");
_Static_assert(sizeof(struct nvml_process) == 24, "nvmlProcessInfo_v2_t");
_Static_assert(sizeof(struct nvml_sample) == 16, "nvmlSample_t");
_Static_assert(sizeof(struct nvml_event) == 32, "nvmlEventData_t");
_Static_assert(sizeof(struct nvml_gpm_metric) == 40, "nvmlGpmMetric_t");

/* All functions: name, parameters. Each may be missing. */
#define NVML_FUNCTIONS(F) \
	F(Init_v2, (void)) \
	F(SystemGetDriverVersion, (char *version, uint32_t size)) \
	F(DeviceGetCount_v2, (uint32_t *count)) \
	F(DeviceGetHandleByIndex_v2, (uint32_t index, nvml_device *device)) \
	F(DeviceGetName, (nvml_device device, char *name, uint32_t size)) \
	F(DeviceGetUUID, (nvml_device device, char *uuid, uint32_t size)) \
	F(DeviceGetPciInfo_v3, (nvml_device device, struct nvml_pci_info *pci)) \
	F(DeviceGetMinorNumber, (nvml_device device, uint32_t *minor)) \
	F(DeviceGetMigMode, (nvml_device device, uint32_t *now, uint32_t *pending)) \
	F(DeviceGetMaxMigDeviceCount, (nvml_device device, uint32_t *count)) \
	F(DeviceGetMigDeviceHandleByIndex, (nvml_device device, uint32_t index, nvml_device *slice)) \
	F(DeviceGetGpuInstanceId, (nvml_device device, uint32_t *id)) \
	F(DeviceGetComputeInstanceId, (nvml_device device, uint32_t *id)) \
	F(DeviceGetMemoryInfo, (nvml_device device, struct nvml_memory *memory)) \
	F(DeviceGetMemoryInfo_v2, (nvml_device device, struct nvml_memory_v2 *memory)) \
	F(DeviceGetComputeRunningProcesses_v2, (nvml_device device, uint32_t *count, struct nvml_process *processes)) \
	F(DeviceGetComputeRunningProcesses_v3, (nvml_device device, uint32_t *count, struct nvml_process *processes)) \
	F(DeviceGetGraphicsRunningProcesses_v2, (nvml_device device, uint32_t *count, struct nvml_process *processes)) \
	F(DeviceGetGraphicsRunningProcesses_v3, (nvml_device device, uint32_t *count, struct nvml_process *processes)) \
	F(DeviceGetTotalEnergyConsumption, (nvml_device device, uint64_t *mj)) \
	F(DeviceGetCurrentClocksEventReasons, (nvml_device device, uint64_t *reasons)) \
	F(DeviceGetCurrentClocksThrottleReasons, (nvml_device device, uint64_t *reasons)) \
	F(DeviceGetSamples, (nvml_device device, uint32_t type, uint64_t after_us, uint32_t *value_type, uint32_t *count, \
			     struct nvml_sample *samples)) \
	F(DeviceGetUtilizationRates, (nvml_device device, struct nvml_utilization *rates)) \
	F(GpmQueryDeviceSupport, (nvml_device device, struct nvml_gpm_support *support)) \
	F(GpmSampleAlloc, (nvml_gpm_sample *sample)) \
	F(GpmSampleGet, (nvml_device device, nvml_gpm_sample sample)) \
	F(GpmMigSampleGet, (nvml_device device, uint32_t gpu_instance, nvml_gpm_sample sample)) \
	F(GpmMetricsGet, (struct nvml_gpm_metrics *metrics)) \
	F(EventSetCreate, (nvml_event_set *set)) \
	F(DeviceRegisterEvents, (nvml_device device, uint64_t types, nvml_event_set set)) \
	F(EventSetWait_v2, (nvml_event_set set, struct nvml_event *event, uint32_t timeout_ms))

struct nvml_functions {
#define NVML_FUNCTION(name, parameters) uint32_t(*name) parameters;
	NVML_FUNCTIONS(NVML_FUNCTION)
#undef NVML_FUNCTION
};

#endif
