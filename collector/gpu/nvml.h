/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NVIDIA's GPUs, by libnvidia-ml.so.1. */
#ifndef STINT_NVML_H
#define STINT_NVML_H

#include "collector/gpu/gpu_source.h"

extern const struct gpu_source nvml_source;

#endif
