/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/gpu_devices.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"

#define DEVICES_BYTES 65536
#define MINOR_MAX ((1u << 20) - 1) /* MINORMASK in linux/kdev_t.h */
#define MAJOR_MAX ((1u << 12) - 1)

/*
 * The names that drivers register. NVIDIA's drivers have changed some names of major 195.
 * In DRM, minor numbers below 128 are of displays. Render nodes, which compute, are from 128 on (drm_minor_alloc()).
 */
static const struct {
	const char *name;
	__u32 first;
} drivers[] = {
	{ "nvidia", 0 },
	{ "nvidia-frontend", 0 },
	{ "nvidiactl", 0 },
	{ "nvidia-modeset", 0 },
	{ "nvidia-uvm", 0 },
	{ "nvidia-caps", 0 },
	{ "kfd", 0 },
	{ "drm", 128 },
	{ "accel", 0 },
};

/* Reads a line such as "195 nvidia". Returns false if the device is no GPU's. */
static bool read_line(const char *line, struct gpu_range *range)
{
	char name[32];

	if (sscanf(line, "%u %31s", &range->major, name) != 2 || range->major == 0 || range->major > MAJOR_MAX)
		return false;
	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		if (strcmp(drivers[i].name, name) != 0)
			continue;
		range->first = drivers[i].first;
		range->last = MINOR_MAX;
		return true;
	}
	return false;
}

static bool is_among(const struct gpu_range *range, const struct gpu_range *ranges, __u32 count)
{
	for (__u32 i = 0; i < count; i++)
		if (memcmp(range, &ranges[i], sizeof(*range)) == 0)
			return true;
	return false;
}

/* Character devices come first. The numbers of block devices, which follow, mean others. */
__u32 gpu_devices_parse(const char *text, struct gpu_range ranges[ABI_GPU_RANGES])
{
	const char *end = strstr(text, "Block devices:");
	struct gpu_range range;
	__u32 count = 0;

	memset(ranges, 0, ABI_GPU_RANGES * sizeof(*ranges));
	for (const char *line = text; line && count < ABI_GPU_RANGES; line = strchr(line, '\n')) {
		line += strspn(line, "\n");
		if (line == end)
			break;
		if (read_line(line, &range) && !is_among(&range, ranges, count))
			ranges[count++] = range;
	}
	return count;
}

__u32 gpu_devices_read(struct gpu_range ranges[ABI_GPU_RANGES])
{
	cleanup_free char *text = file_read_kernel("/proc/devices", DEVICES_BYTES);

	return gpu_devices_parse(text ? text : "", ranges);
}
