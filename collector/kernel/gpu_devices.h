/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the device numbers of GPU drivers by the names in /proc/devices: NVIDIA's, kfd (AMD), DRM render nodes, accel.
 * The last two are taken only if there is such a device: many nodes have DRM for the display of their BMC.
 * A driver that is loaded later is found when the file is read again.
 */
#ifndef STINT_GPU_DEVICES_H
#define STINT_GPU_DEVICES_H

#include <linux/types.h>

#include "bpf/abi.h"

/*
 * Reads @text, which has the form of /proc/devices. Returns the number of ranges: each pair of a major number and its
 * minor numbers is there once, and those beyond ABI_GPU_RANGES are left out.
 *
 * @devices: directory whose names are the numbers of devices, such as 226:128
 */
__u32 gpu_devices_parse(const char *text, const char *devices, struct gpu_range ranges[ABI_GPU_RANGES]);

/* Works like gpu_devices_parse() for the kernel's file. Without this file, there are no ranges. */
__u32 gpu_devices_read(struct gpu_range ranges[ABI_GPU_RANGES]);

/*
 * Returns the driver's name of a device: "nvidia" (a GPU of NVIDIA's), "nvidiactl", "nvidia-modeset", "nvidia-uvm",
 * "nvidia-caps", "kfd", "drm" or "accel". Returns NULL if the device is in none of the @count @ranges.
 */
const char *gpu_devices_name(const struct gpu_range *ranges, __u32 count, __u32 major, __u32 minor);

#endif
