/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of AMD's library librocm_smi64.so that stint-gpu calls: types and numbers of its binary interface, the same
 * in the versions 5.2 (Debian 12) to 7. libamd_smi.so is not used: its structs change from version to version without
 * a version field.
 */
#ifndef STINT_RSMI_ABI_H
#define STINT_RSMI_ABI_H

#include <stdint.h>

enum rsmi_status {
	RSMI_SUCCESS = 0,
	RSMI_INVALID_ARGS = 1,
	RSMI_NOT_SUPPORTED = 2,
	RSMI_FILE_ERROR = 3,
	RSMI_PERMISSION = 4,
	RSMI_INIT_ERROR = 8,
	RSMI_NOT_YET_IMPLEMENTED = 9,
	RSMI_NOT_FOUND = 10,
	RSMI_INSUFFICIENT_SIZE = 11,
	RSMI_NO_DATA = 14,
	RSMI_UNEXPECTED_DATA = 15,
	RSMI_BUSY = 16,
	RSMI_NO_SYMBOL = 0x7fffffff, /* of stint-gpu */
};

/* The library's lock is of threads only: no file in /dev/shm. Versions before 6 do not know it. */
#define RSMI_INIT_THREAD_ONLY 0x400000000000000ull

#define RSMI_MEMORY_VRAM 0

struct rsmi_process {
	uint32_t pid;
	uint32_t pasid;
	uint64_t vram_bytes; /* on all GPUs, or on one: by the function */
	uint64_t sdma_us;
	uint32_t cu_percent;
};

_Static_assert(sizeof(struct rsmi_process) == 32, "rsmi_process_info_t");

/* All functions: name, parameters. Each may be missing. */
#define RSMI_FUNCTIONS(F) \
	F(init, (uint64_t flags)) \
	F(num_monitor_devices, (uint32_t *count)) \
	F(dev_name_get, (uint32_t index, char *name, size_t size)) \
	F(dev_unique_id_get, (uint32_t index, uint64_t *id)) \
	F(dev_pci_id_get, (uint32_t index, uint64_t *id)) \
	F(dev_drm_render_minor_get, (uint32_t index, uint32_t *minor)) \
	F(dev_busy_percent_get, (uint32_t index, uint32_t *percent)) \
	F(dev_memory_total_get, (uint32_t index, uint32_t kind, uint64_t *bytes)) \
	F(dev_memory_usage_get, (uint32_t index, uint32_t kind, uint64_t *bytes)) \
	F(dev_energy_count_get, (uint32_t index, uint64_t *count, float *uj, uint64_t *ns)) \
	F(compute_process_info_get, (struct rsmi_process *processes, uint32_t *count)) \
	F(compute_process_gpus_get, (uint32_t pid, uint32_t *indexes, uint32_t *count)) \
	F(compute_process_info_by_device_get, (uint32_t pid, uint32_t index, struct rsmi_process *process))

struct rsmi_functions {
#define RSMI_FUNCTION(name, parameters) uint32_t(*name) parameters;
	RSMI_FUNCTIONS(RSMI_FUNCTION)
#undef RSMI_FUNCTION
};

#endif
