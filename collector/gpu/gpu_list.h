/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints GPUs for people: stint-gpu --list. */
#ifndef STINT_GPU_LIST_H
#define STINT_GPU_LIST_H

#include "collector/gpu/gpu_protocol.h"

/* Prints a line for each vendor: the driver, or why it is not used. */
void gpu_list_libraries(const struct gpu_hello *hello);

/* Prints what is known about a GPU, and why the rest is not. */
void gpu_list_print(const struct gpu_device *device, const struct gpu_sample *sample);

#endif
