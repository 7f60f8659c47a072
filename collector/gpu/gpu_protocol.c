/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/gpu/gpu_protocol.h"

#include <string.h>

static bool text_ends(const char *text, size_t size)
{
	return memchr(text, '\0', size);
}

static bool hello_is_valid(const struct gpu_hello *hello, size_t size)
{
	if (size != sizeof(*hello))
		return false;
	for (int i = 0; i < GPU_VENDORS; i++)
		if (hello->libraries[i].loaded > 1 || hello->libraries[i].why >= GPU_WHY_COUNT ||
		    !text_ends(hello->libraries[i].version, sizeof(hello->libraries[i].version)))
			return false;
	return true;
}

static bool device_is_valid(const struct gpu_device *device, size_t size)
{
	return size == sizeof(*device) && device->gpu < GPU_MAX && (device->card == GPU_NONE || device->card < GPU_MAX) &&
	       device->vendor < GPU_VENDORS && text_ends(device->uuid, sizeof(device->uuid)) &&
	       text_ends(device->pci, sizeof(device->pci)) && text_ends(device->model, sizeof(device->model)) &&
	       gpu_number_is_valid(&device->minor) && gpu_number_is_valid(&device->gpu_instance) &&
	       gpu_number_is_valid(&device->compute_instance);
}

static bool share_is_valid(const struct gpu_number *number)
{
	uint64_t value;

	return !gpu_number_get(number, &value) || value <= GPU_SHARE_ALL;
}

static bool values_are_valid(const struct gpu_number values[GPU_VALUES])
{
	for (int i = 0; i < GPU_VALUES; i++)
		if (!gpu_number_is_valid(&values[i]))
			return false;
	return share_is_valid(&values[GPU_BUSY]) && share_is_valid(&values[GPU_SM]) && share_is_valid(&values[GPU_TENSOR]) &&
	       share_is_valid(&values[GPU_BANDWIDTH]);
}

static bool sample_is_valid(const struct gpu_sample *sample, size_t size)
{
	if (size < sizeof(*sample) || sample->processes > GPU_PROCESSES_MAX ||
	    size != sizeof(*sample) + sample->processes * sizeof(sample->process[0]))
		return false;
	for (uint32_t i = 0; i < sample->processes; i++)
		if (!gpu_number_is_valid(&sample->process[i].memory))
			return false;
	return sample->gpu < GPU_MAX && sample->from_ns <= sample->to_ns && values_are_valid(sample->values);
}

bool gpu_message_is_valid(const void *message, size_t size)
{
	const struct gpu_header *header = message;

	if (size < sizeof(*header) || header->protocol != GPU_PROTOCOL || header->size != size)
		return false;
	switch (header->kind) {
	case GPU_HELLO:
		return hello_is_valid(message, size);
	case GPU_DEVICE:
		return device_is_valid(message, size);
	case GPU_SAMPLE:
		return sample_is_valid(message, size);
	case GPU_ROUND:
		return size == sizeof(struct gpu_round);
	}
	return false;
}
