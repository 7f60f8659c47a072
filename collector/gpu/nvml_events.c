/* SPDX-License-Identifier: GPL-2.0-or-later */
/* XID errors, by the library's events. */
#include <string.h>

#include "collector/gpu/nvml_internal.h"

#define EVENTS_MAX 256 /* taken in a round; the others wait for the next */

void nvml_events_register(struct nvml_gpu *gpu)
{
	uint32_t status = NVML_SUCCESS;

	if (!nvml.events)
		status = NVML_CALL(EventSetCreate, &nvml.events);
	if (status == NVML_SUCCESS && nvml.events)
		status = NVML_CALL(DeviceRegisterEvents, gpu->card, NVML_EVENT_XID, nvml.events);
	if (status == NVML_SUCCESS && !nvml.call.EventSetWait_v2)
		status = NVML_FUNCTION_NOT_FOUND;
	if (!nvml.events && status == NVML_SUCCESS)
		status = NVML_NOT_SUPPORTED;
	gpu->xids_unknown = status == NVML_SUCCESS ? GPU_WHY_NOT_READ : nvml_why(status);
}

static void note(struct nvml_gpu *gpu, uint32_t xid)
{
	gpu->xids++;
	for (int i = 0; i < GPU_XIDS_MAX; i++) {
		if (gpu->xid[i].count && gpu->xid[i].xid != xid)
			continue;
		gpu->xid[i].xid = xid;
		gpu->xid[i].count++;
		return;
	}
}

/* An error that belongs to no slice belongs to all slices of the card. */
static void note_event(const struct nvml_event *event)
{
	for (int i = 0; i < GPU_MAX; i++) {
		struct nvml_gpu *gpu = &nvml.gpus[i];

		if (!gpu->used || gpu->card != event->device)
			continue;
		if (gpu->handle == gpu->card || event->gpu_instance == NVML_NO_INSTANCE || event->gpu_instance == gpu->instance)
			note(gpu, event->data <= UINT32_MAX ? event->data : UINT32_MAX);
	}
}

static void lose_events(enum gpu_why why)
{
	for (int i = 0; i < GPU_MAX; i++)
		if (nvml.gpus[i].used && nvml.gpus[i].handle)
			nvml.gpus[i].xids_unknown = why;
}

void nvml_events_take(void)
{
	uint32_t status = NVML_SUCCESS;

	for (int i = 0; nvml.events && i < EVENTS_MAX && status == NVML_SUCCESS; i++) {
		struct nvml_event event = { .gpu_instance = NVML_NO_INSTANCE };

		status = NVML_CALL(EventSetWait_v2, nvml.events, &event, 0);
		if (status == NVML_SUCCESS && event.type == NVML_EVENT_XID)
			note_event(&event);
	}
	if (status != NVML_SUCCESS && status != NVML_TIMEOUT && nvml.call.EventSetWait_v2)
		lose_events(nvml_why(status));
}

void nvml_events_give(struct nvml_gpu *gpu, struct gpu_sample *sample)
{
	if (gpu->xids_unknown) {
		sample->values[GPU_XIDS] = gpu_absent(gpu->xids_unknown);
	} else {
		sample->values[GPU_XIDS] = gpu_known(gpu->xids);
		memcpy(sample->xids, gpu->xid, sizeof(sample->xids));
	}
	gpu->xids = 0;
	memset(gpu->xid, 0, sizeof(gpu->xid));
}
