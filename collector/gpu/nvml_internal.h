/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of NVIDIA's library share.
 *
 * nvml.c: loads the library, lists the GPUs, and reads them
 * nvml_busy.c: how busy a GPU was
 * nvml_events.c: XID errors
 * nvml_why.c: reasons; calls no other file
 */
#ifndef STINT_NVML_INTERNAL_H
#define STINT_NVML_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/gpu/gpu_source.h"
#include "collector/gpu/nvml_abi.h"

struct nvml_gpu {
	bool used;
	nvml_device handle; /* NULL: see lost */
	nvml_device card;   /* of a slice; otherwise the same as handle */
	uint32_t instance;  /* of a slice; otherwise NVML_NO_INSTANCE */
	enum gpu_why lost;  /* why there is no handle */
	nvml_gpm_sample gpm[2]; /* the last two samples of counters */
	unsigned int gpm_last;  /* index of the last one */
	bool gpm_has_last;
	enum gpu_why gpm_refused; /* GPU_WHY_NOT_READ: not refused */
	uint64_t samples_us; /* time of the driver's last sample that was read; 0: none */
	enum gpu_why xids_unknown; /* GPU_WHY_NOT_READ: they are known */
	uint32_t xids;
	struct gpu_xid xid[GPU_XIDS_MAX];
};

struct nvml {
	struct nvml_functions call;
	struct nvml_gpu gpus[GPU_MAX]; /* by number; used: it is NVIDIA's */
	nvml_event_set events; /* NULL: none */
};

extern struct nvml nvml;

/* Calls a function of the library; NVML_FUNCTION_NOT_FOUND if it does not have it. */
#define NVML_CALL(name, ...) (nvml.call.name ? nvml.call.name(__VA_ARGS__) : NVML_FUNCTION_NOT_FOUND)

/* Returns why there is no number. @status: an enum nvml_return other than NVML_SUCCESS */
enum gpu_why nvml_why(uint32_t status);

/* Reads GPU_BUSY, GPU_SM, GPU_TENSOR and GPU_BANDWIDTH. */
void nvml_read_busy(struct nvml_gpu *gpu, struct gpu_sample *sample);

/* Registers for errors of @gpu, a whole card. */
void nvml_events_register(struct nvml_gpu *gpu);

/* Takes the errors that have come. */
void nvml_events_take(void);

/* Moves the errors of @gpu to @sample. */
void nvml_events_give(struct nvml_gpu *gpu, struct gpu_sample *sample);

#endif
