/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds the open files of GPUs' devices, each with the tools that had it open. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/kernel/gpu_devices.h"
#include "collector/record/node_record_internal.h"
#include "common/json_writer.h"
#include "common/memory/array.h"

#define REASON_BYTES 512

struct listed_file {
	struct gpu_file_key key;
	struct gpu_file file;
};

struct files {
	struct listed_file *list;
	size_t count;
	bool failed; /* out of memory */
};

static void collect(const struct gpu_file_key *key, const struct gpu_file *file, void *data)
{
	struct files *files = data;

	if (!array_room(&files->list, files->count, sizeof(*files->list))) {
		files->failed = true;
		return;
	}
	files->list[files->count++] = (struct listed_file){ *key, *file };
}

/* Sorts by device. The entry of all tools comes first. */
static int by_device(const void *left, const void *right)
{
	const struct gpu_file_key *a = &((const struct listed_file *)left)->key, *b = &((const struct listed_file *)right)->key;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return (a->tool > b->tool) - (a->tool < b->tool);
}

static void put_opens(const struct build *b, struct json_object *object, const struct gpu_file *file)
{
	if (programs__loaded(b->source->programs, PROGRAM_gpu_opened))
		put_count(object, "opens", file->opens);
	/* Without looks, a close would not be seen. */
	if (node_record_was_sampled(b))
		put_count(object, "held_ns", file->held_ns);
}

static struct json_object *build_file(const struct build *b, const struct listed_file *listed)
{
	const struct settings *s = programs__settings(b->source->programs);
	struct json_object *object = json_object_new_object();
	uint32_t major = listed->key.device >> 32, minor = (uint32_t)listed->key.device;

	put_known_text(object, "device", gpu_devices_name(s->gpu_ranges, s->gpu_range_count, major, minor));
	put_count(object, "minor", minor);
	put_opens(b, object, &listed->file);
	put_count(object, "first_unix_ns", listed->file.first_ns + b->to_unix_ns);
	put_count(object, "last_unix_ns", listed->file.last_ns + b->to_unix_ns);
	if (listed->file.found)
		put_flag(object, "found", true);
	return object;
}

static void add_tool(const struct build *b, struct json_object *tools, const struct listed_file *listed)
{
	struct json_object *object = json_object_new_object();

	if (!node_record_add_tool(b, object, listed->key.tool)) {
		json_object_put(object);
		return;
	}
	put_opens(b, object, &listed->file);
	json_object_array_add(tools, object);
}

static void put_files(const struct build *b, const struct files *files)
{
	struct json_object *array = put_array(b->record, "gpu_files"), *object, *tools = NULL;

	for (size_t i = 0; i < files->count; i++) {
		if (files->list[i].key.tool) {
			if (tools)
				add_tool(b, tools, &files->list[i]);
			continue;
		}
		object = build_file(b, &files->list[i]);
		json_object_array_add(array, object);
		tools = put_array(object, "tools");
	}
}

static void find_reason(const struct build *b, char why[REASON_BYTES])
{
	struct program_state states[PROGRAMS];
	int count = programs__states(b->source->programs, states), at = 0;

	while (at < count && strcmp(states[at].name, "gpu_opened") != 0)
		at++;
	snprintf(why, REASON_BYTES,
		 "opens of GPUs are not counted, because the kernel program gpu_opened is not loaded%s%s. A look once a second, and when "
		 "a process ends, finds which are open: one that was opened and closed in between is missing",
		 at < count ? ": " : "", at < count ? states[at].reason : "");
}

/* Writes why something may be missing; "" if nothing is. */
static void write_missing(const struct build *b, bool failed, char why[REASON_BYTES])
{
	why[0] = '\0';
	if (failed)
		snprintf(why, REASON_BYTES, "out of memory");
	else if (b->totals.lost_gpu_files)
		snprintf(why, REASON_BYTES, "stint's BPF map of GPUs' open files, or the job's share of it, was full: some are missing");
	else if (!programs__loaded(b->source->programs, PROGRAM_gpu_opened))
		find_reason(b, why);
	else if (!node_record_was_sampled(b))
		snprintf(why, REASON_BYTES, "the job's threads were not sampled: for how long a GPU was open is not known");
}

void node_record_gpu_files(struct build *b)
{
	const struct settings *s = programs__settings(b->source->programs);
	struct files files = { 0 };
	char why[REASON_BYTES];

	if (!b->have_totals || (!s->gpu_range_count && !b->totals.gpu_files))
		return;
	if (b->totals.gpu_files && programs__gpu_files(b->source->programs, b->job->key, collect, &files) < 0)
		files.failed = true;
	if (files.count)
		qsort(files.list, files.count, sizeof(*files.list), by_device);
	put_files(b, &files);
	free(files.list);
	write_missing(b, files.failed, why);
	put_known_text(b->record, "gpu_opens_missing", why);
}
