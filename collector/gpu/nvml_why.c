/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the library said, and why it did not. */
#include "collector/gpu/nvml_internal.h"

struct nvml nvml;

enum gpu_why nvml_why(uint32_t status)
{
	switch (status) {
	case NVML_FUNCTION_NOT_FOUND:
		return GPU_WHY_NO_SYMBOL;
	case NVML_NOT_SUPPORTED:
	case NVML_DEPRECATED:
		return GPU_WHY_NOT_SUPPORTED;
	case NVML_NO_PERMISSION:
	case NVML_OPERATING_SYSTEM:
		return GPU_WHY_NO_PERMISSION;
	case NVML_NOT_FOUND:
	case NVML_NO_DATA:
		return GPU_WHY_NO_DATA;
	case NVML_UNINITIALIZED:
	case NVML_DRIVER_NOT_LOADED:
	case NVML_LIB_RM_VERSION_MISMATCH:
		return GPU_WHY_NO_DRIVER;
	case NVML_GPU_IS_LOST:
	case NVML_RESET_REQUIRED:
	case NVML_GPU_NOT_FOUND:
		return GPU_WHY_LOST;
	case NVML_INSUFFICIENT_SIZE:
		return GPU_WHY_TOO_MANY;
	case NVML_ARGUMENT_VERSION_MISMATCH:
		return GPU_WHY_VERSION;
	}
	return GPU_WHY_FAILED;
}
