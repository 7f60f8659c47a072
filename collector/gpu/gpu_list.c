/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/gpu/gpu_list.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const vendors[GPU_VENDORS] = { "NVIDIA", "AMD" };

void gpu_list_libraries(const struct gpu_hello *hello)
{
	for (int i = 0; i < GPU_VENDORS; i++) {
		const struct gpu_library *library = &hello->libraries[i];

		if (library->loaded)
			printf("%s: %s%s\n", vendors[i], library->version[0] ? "driver " : "driver's version not known",
			       library->version);
		else
			printf("%s: %s\n", vendors[i], gpu_why_text(library->why));
	}
}

static void print_number(const char *name, const struct gpu_number *number, double unit, const char *unit_name)
{
	uint64_t value;

	if (!gpu_number_get(number, &value))
		printf("  %-13s not known: %s\n", name, gpu_why_text(number->why));
	else if (number->state == GPU_SAMPLED && number->covered_ns)
		printf("  %-13s %.1f %s (samples that cover %.3f s)\n", name, value / unit, unit_name,
		       number->covered_ns / 1e9);
	else
		printf("  %-13s %.1f %s\n", name, value / unit, unit_name);
}

static void print_throttle(const struct gpu_number *number)
{
	static const char *const texts[] = { "no", "by heat or a fault", "by the power limit",
					     "by heat or a fault, and by the power limit" };
	uint64_t value;

	if (gpu_number_get(number, &value))
		printf("  %-13s %s\n", "throttled", texts[value & 3]);
	else
		printf("  %-13s not known: %s\n", "throttled", gpu_why_text(number->why));
}

static void print_processes(const struct gpu_sample *sample)
{
	uint64_t value;

	for (uint32_t i = 0; i < sample->processes; i++) {
		const struct gpu_process *process = &sample->process[i];

		if (gpu_number_get(&process->memory, &value))
			printf("    process %-8" PRIu32 " %.1f MiB\n", process->pid, value / 1048576.0);
		else
			printf("    process %-8" PRIu32 " memory not known: %s\n", process->pid,
			       gpu_why_text(process->memory.why));
	}
	if (sample->junk)
		printf("    %" PRIu32 " entries of the driver that cannot be right were left out\n", sample->junk);
}

static void print_identity(const struct gpu_device *device)
{
	uint64_t value;

	printf("GPU %" PRIu32 ": ", device->gpu);
	if (device->card != GPU_NONE)
		printf("slice of GPU %" PRIu32 ", ", device->card);
	printf("%s%s\n", device->model[0] ? "" : "model not known, of ",
	       device->model[0] ? device->model : vendors[device->vendor]);
	printf("  %-13s %s\n", "UUID", device->uuid[0] ? device->uuid : "not known");
	printf("  %-13s %s\n", "PCI", device->pci[0] ? device->pci : "not known");
	if (gpu_number_get(&device->minor, &value))
		printf("  %-13s %" PRIu64 "\n", "minor number", value);
	else
		printf("  %-13s not known: %s\n", "minor number", gpu_why_text(device->minor.why));
	if (device->card != GPU_NONE && gpu_number_get(&device->gpu_instance, &value))
		printf("  %-13s %" PRIu64 "\n", "GPU instance", value);
}

void gpu_list_print(const struct gpu_device *device, const struct gpu_sample *sample)
{
	static const struct {
		enum gpu_value value;
		const char *name;
		double unit;
		const char *unit_name;
	} rows[] = {
		{ GPU_BUSY, "busy", GPU_SHARE_ALL / 100, "%" },
		{ GPU_SM, "SMs busy", GPU_SHARE_ALL / 100, "%" },
		{ GPU_TENSOR, "tensor units", GPU_SHARE_ALL / 100, "%" },
		{ GPU_BANDWIDTH, "bandwidth", GPU_SHARE_ALL / 100, "%" },
		{ GPU_MEMORY_TOTAL, "memory", 1048576, "MiB" },
		{ GPU_MEMORY_USED, "memory used", 1048576, "MiB" },
		{ GPU_ENERGY, "energy", 1000, "J since the driver was loaded" },
		{ GPU_XIDS, "XID errors", 1, "in this second" },
		{ GPU_PROCESSES, "processes", 1, "" },
	};

	print_identity(device);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		print_number(rows[i].name, &sample->values[rows[i].value], rows[i].unit, rows[i].unit_name);
	print_throttle(&sample->values[GPU_THROTTLE]);
	print_processes(sample);
}
