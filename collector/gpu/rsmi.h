/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AMD's GPUs, by librocm_smi64.so. */
#ifndef STINT_RSMI_H
#define STINT_RSMI_H

#include "collector/gpu/gpu_source.h"

extern const struct gpu_source rsmi_source;

#endif
