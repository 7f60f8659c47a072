/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A librocm_smi64.so for tests: it says what scene.h describes. */
#include <stddef.h>

#include "tests/gpu/scene.h"

#include "collector/gpu/rsmi_abi.h"

#define RSMI_DECLARE(name, parameters) uint32_t rsmi_##name parameters;
RSMI_FUNCTIONS(RSMI_DECLARE)

#define BEGIN(name) \
	uint32_t status; \
	const char *const call = name; \
	if (scene_answers(call, &status)) \
	return status

uint32_t rsmi_init(uint64_t flags)
{
	(void)flags;
	BEGIN("init");
	return RSMI_SUCCESS;
}

uint32_t rsmi_num_monitor_devices(uint32_t *count)
{
	BEGIN("num_monitor_devices");
	*count = scene_junk(call) ? 1000000 : scene.gpus;
	return RSMI_SUCCESS;
}

uint32_t rsmi_dev_name_get(uint32_t index, char *name, size_t size)
{
	(void)index;
	BEGIN("dev_name_get");
	if (scene_junk(call))
		memset(name, 0x1b, size);
	else
		snprintf(name, size, "AMD Instinct MI250X");
	return RSMI_SUCCESS;
}

uint32_t rsmi_dev_unique_id_get(uint32_t index, uint64_t *id)
{
	BEGIN("dev_unique_id_get");
	*id = scene_junk(call) ? 0 : 0xabc0 + index;
	return RSMI_SUCCESS;
}

uint32_t rsmi_dev_pci_id_get(uint32_t index, uint64_t *id)
{
	BEGIN("dev_pci_id_get");
	*id = 0x200000000 + ((0xc1u + index) << 8);
	return RSMI_SUCCESS;
}

uint32_t rsmi_dev_drm_render_minor_get(uint32_t index, uint32_t *minor)
{
	BEGIN("dev_drm_render_minor_get");
	*minor = 128 + scene.gpu[index].minor;
	return RSMI_SUCCESS;
}

uint32_t rsmi_dev_busy_percent_get(uint32_t index, uint32_t *percent)
{
	BEGIN("dev_busy_percent_get");
	*percent = scene_junk(call) ? 101 : (uint32_t)scene.gpu[index].busy;
	return RSMI_SUCCESS;
}

uint32_t rsmi_dev_memory_total_get(uint32_t index, uint32_t kind, uint64_t *bytes)
{
	(void)index;
	BEGIN("dev_memory_total_get");
	*bytes = scene_junk(call) ? 0 : SCENE_TOTAL;
	return kind == RSMI_MEMORY_VRAM ? RSMI_SUCCESS : RSMI_INVALID_ARGS;
}

uint32_t rsmi_dev_memory_usage_get(uint32_t index, uint32_t kind, uint64_t *bytes)
{
	BEGIN("dev_memory_usage_get");
	*bytes = scene_junk(call) ? SCENE_TOTAL + 1 : scene.gpu[index].memory;
	return kind == RSMI_MEMORY_VRAM ? RSMI_SUCCESS : RSMI_INVALID_ARGS;
}

uint32_t rsmi_dev_energy_count_get(uint32_t index, uint64_t *count, float *uj, uint64_t *ns)
{
	BEGIN("dev_energy_count_get");
	if (!scene.gpu[index].energy)
		scene.gpu[index].energy = 1000000;
	*count = scene_junk(call) ? 0 : (scene.gpu[index].energy += 1000);
	*uj = 1000;
	*ns = 1;
	return RSMI_SUCCESS;
}

uint32_t rsmi_compute_process_info_get(struct rsmi_process *processes, uint32_t *count)
{
	BEGIN("compute_process_info_get");
	*count = 0;
	for (unsigned int i = 0; i < scene.processes; i++)
		processes[(*count)++] = (struct rsmi_process){ .pid = scene.process[i].pid, .vram_bytes = scene.process[i].bytes };
	if (scene_junk(call))
		processes[(*count)++] = (struct rsmi_process){ .pid = UINT32_MAX };
	return RSMI_SUCCESS;
}

uint32_t rsmi_compute_process_gpus_get(uint32_t pid, uint32_t *indexes, uint32_t *count)
{
	BEGIN("compute_process_gpus_get");
	*count = 0;
	for (unsigned int i = 0; i < scene.processes; i++)
		if (scene.process[i].pid == pid)
			indexes[(*count)++] = scene.process[i].gpu;
	if (pid == UINT32_MAX)
		indexes[(*count)++] = 0;
	return RSMI_SUCCESS;
}

uint32_t rsmi_compute_process_info_by_device_get(uint32_t pid, uint32_t index, struct rsmi_process *process)
{
	BEGIN("compute_process_info_by_device_get");
	for (unsigned int i = 0; i < scene.processes; i++)
		if (scene.process[i].pid == pid && scene.process[i].gpu == index) {
			process->vram_bytes = scene.process[i].bytes;
			return RSMI_SUCCESS;
		}
	return RSMI_NOT_FOUND;
}
