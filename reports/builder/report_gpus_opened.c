/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_gpus_opened.h"

#include "common/time_text.h"
#include "reports/records/record_parts.h"

static const struct {
	const char *name;
	bool gpu; /* the device is a GPU */
} devices[] = {
	{ "nvidia", true },      { "drm", true },         { "accel", true },      { "nvidiactl", false },
	{ "nvidia-uvm", false }, { "nvidia-caps", false }, { "kfd", false },      { "nvidia-modeset", false },
};

#define DEVICES (sizeof(devices) / sizeof(devices[0]))

/* Returns the index in devices[]; DEVICES if this stint does not know the device. */
static size_t device_of(const struct record_gpu_file *file)
{
	size_t i = 0;

	while (i < DEVICES && !report_text_is(file->device, devices[i].name))
		i++;
	return i;
}

static bool is_valid(const struct record_gpu_file *file)
{
	return device_of(file) < DEVICES && file->minor >= 0;
}

static void put_tools(const struct record *record, const struct record_gpu_file *from, const struct merge_script *script,
		      struct report *report, struct report_gpu_opened *out)
{
	out->tools.known = true;
	for (size_t i = 0; i < from->tools.count; i++) {
		const struct record_gpu_opener *tool = &from->tools.items[i];
		const char *name = merge_tool_name(record, tool->tool, script);
		struct report_gpu_opener *to;

		if (!name)
			continue;
		to = REPORT_ADD(report, &out->tools, gpu_opener);
		to->name = report_copy(report, name);
		to->opens = tool->opens;
		if (tool->held_ns >= 0)
			to->held_s.ns = tool->held_ns;
	}
}

static void put_file(const struct record *record, const struct record_gpu_file *from, const struct merge_script *script,
		     struct report *report)
{
	struct report_gpu_opened *out = REPORT_ADD(report, &report->gpus_opened, gpu_opened);
	char text[TIME_TEXT];

	out->node = report_copy(report, record_node(record));
	out->device = devices[device_of(from)].name;
	out->minor = from->minor;
	out->opens = from->opens;
	if (from->first_unix_ns >= 0)
		out->first_open = report_copy(report, time_text(from->first_unix_ns, text));
	out->opened_before = from->found;
	if (from->last_unix_ns >= 0)
		out->open_until = report_copy(report, time_text(from->last_unix_ns, text));
	if (from->held_ns >= 0)
		out->held_s.ns = from->held_ns;
	put_tools(record, from, script, report, out);
}

/*
 * Returns how many GPUs the job opened on one node; -1 if this is not known.
 *
 * One GPU of NVIDIA's can have a render node as well. A slice (MIG) is opened by a file of nvidia-caps, and several slices
 * of a card have one device.
 */
static int64_t count_gpus(const struct record_gpu_file_list *files)
{
	int64_t count[DEVICES] = { 0 };

	for (size_t i = 0; i < files->count; i++) {
		if (!is_valid(&files->items[i]))
			continue;
		count[device_of(&files->items[i])]++;
		if (report_text_is(files->items[i].device, "nvidia-caps"))
			return -1;
	}
	for (size_t i = 0; i < DEVICES && devices[i].gpu; i++)
		if (count[i])
			return count[i];
	return 0;
}

static bool has_shares(const struct report *report)
{
	const struct report_gpu_allocated_list *list = &report->allocated.gpus_allocated;

	for (size_t i = 0; i < list->count; i++)
		if (!report_text_is(list->items[i].kind, "gpu"))
			return true;
	return false;
}

/* If opens may be missing, the number is known only if all allocated GPUs were opened. */
static void put_count(const struct record *const records[], size_t count, bool records_missing, struct report *report)
{
	bool missing = records_missing;
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		int64_t gpus = records[i]->gpu_files.known ? count_gpus(&records[i]->gpu_files) : -1;

		if (gpus < 0)
			return;
		sum += gpus;
		missing |= records[i]->gpu_opens_missing && records[i]->gpu_opens_missing[0];
	}
	if (missing && !(report->allocated.gpus > 0 && sum >= report->allocated.gpus))
		return;
	if (!has_shares(report))
		report->allocated.gpus_opened = sum;
}

static bool any_opened(const struct record *const records[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (records[i]->gpu_files.count)
			return true;
	return false;
}

void gpus_opened_put(const struct record *const records[], size_t count, bool records_missing,
		     const struct merge_script *script, struct making *making)
{
	struct report *report = making->report;

	if (report->allocated.gpus <= 0 && !any_opened(records, count))
		return;
	for (size_t i = 0; i < count; i++) {
		const struct record_gpu_file_list *files = &records[i]->gpu_files;
		const char *missing = records[i]->gpu_opens_missing;

		if (missing && missing[0])
			making_gapf(making, "gpus_opened", "%s: %s", record_node(records[i]), missing);
		report->gpus_opened.known |= files->known;
		for (size_t j = 0; j < files->count; j++)
			if (is_valid(&files->items[j]))
				put_file(records[i], &files->items[j], script, report);
	}
	put_count(records, count, records_missing, report);
}
