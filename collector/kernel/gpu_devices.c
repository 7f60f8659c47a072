/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/kernel/gpu_devices.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"

#define DEVICES_BYTES 65536
#define NVIDIA_MAJOR 195 /* NVIDIA's drivers have always had this number */
#define NVIDIA_CONTROL 255 /* minor numbers: nv.h of NVIDIA's open driver */
#define NVIDIA_MODESET 254
#define MINOR_MAX ((1u << 20) - 1) /* MINORMASK in linux/kdev_t.h */
#define MAJOR_MAX ((1u << 12) - 1)

/*
 * The names that drivers register. NVIDIA's drivers have changed some names of major 195.
 * In DRM, minor numbers below 128 are of displays. Render nodes, which compute, are from 128 on (drm_minor_alloc()).
 * The kernel's DRM registers both of its names even if there is only a display. NVIDIA's devices are not in sysfs.
 */
static const struct {
	const char *name;
	__u32 first;
	bool in_sysfs; /* is a GPU's only with a device in sysfs */
} drivers[] = {
	{ "nvidia", 0, false },
	{ "nvidia-frontend", 0, false },
	{ "nvidiactl", 0, false },
	{ "nvidia-modeset", 0, false },
	{ "nvidia-uvm", 0, false },
	{ "nvidia-caps", 0, false },
	{ "kfd", 0, false },
	{ "drm", 128, true },
	{ "accel", 0, true },
};

/* Returns true if @devices has a device of @range, or cannot be read. */
static bool has_device(const char *devices, const struct gpu_range *range)
{
	struct file_names names = { .fd = open(devices, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	__u32 major, minor;
	bool found = false;
	const char *name;

	if (names.fd < 0)
		return true;
	while (!found && (name = file_names_next(&names)))
		found = sscanf(name, "%u:%u", &major, &minor) == 2 && major == range->major && minor >= range->first &&
			minor <= range->last;
	close(names.fd);
	return found;
}

/* Reads a line such as "195 nvidia". Returns false if the device is no GPU's. */
static bool read_line(const char *line, const char *devices, struct gpu_range *range)
{
	char name[32];

	if (sscanf(line, "%u %31s", &range->major, name) != 2 || range->major == 0 || range->major > MAJOR_MAX)
		return false;
	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		if (strcmp(drivers[i].name, name) != 0)
			continue;
		range->first = drivers[i].first;
		range->last = MINOR_MAX;
		range->driver = i;
		return !drivers[i].in_sysfs || has_device(devices, range);
	}
	return false;
}

static bool is_among(const struct gpu_range *range, const struct gpu_range *ranges, __u32 count)
{
	for (__u32 i = 0; i < count; i++)
		if (range->major == ranges[i].major && range->first == ranges[i].first)
			return true;
	return false;
}

/* Character devices come first. The numbers of block devices, which follow, mean others. */
__u32 gpu_devices_parse(const char *text, const char *devices, struct gpu_range ranges[ABI_GPU_RANGES])
{
	const char *end = strstr(text, "Block devices:");
	struct gpu_range range;
	__u32 count = 0;

	memset(ranges, 0, ABI_GPU_RANGES * sizeof(*ranges));
	for (const char *line = text; line && count < ABI_GPU_RANGES; line = strchr(line, '\n')) {
		line += strspn(line, "\n");
		if (line == end)
			break;
		if (read_line(line, devices, &range) && !is_among(&range, ranges, count))
			ranges[count++] = range;
	}
	return count;
}

__u32 gpu_devices_read(struct gpu_range ranges[ABI_GPU_RANGES])
{
	cleanup_free char *text = file_read_kernel("/proc/devices", DEVICES_BYTES);

	return gpu_devices_parse(text ? text : "", "/sys/dev/char", ranges);
}

const char *gpu_devices_name(const struct gpu_range *ranges, __u32 count, __u32 major, __u32 minor)
{
	if (major == NVIDIA_MAJOR && minor >= NVIDIA_MODESET)
		return minor == NVIDIA_MODESET ? "nvidia-modeset" : minor == NVIDIA_CONTROL ? "nvidiactl" : NULL;
	if (major == NVIDIA_MAJOR)
		return "nvidia";
	for (__u32 i = 0; i < count && i < ABI_GPU_RANGES; i++)
		if (ranges[i].major == major && ranges[i].driver < sizeof(drivers) / sizeof(drivers[0]))
			return drivers[ranges[i].driver].name;
	return NULL;
}
