/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds the job's waits, file systems and files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collector/job/use.h"
#include "collector/record/node_record_internal.h"
#include "common/clock.h"
#include "common/json_writer.h"
#include "common/memory/array.h"

static uint64_t since(uint64_t begin_ns, uint64_t now)
{
	return begin_ns && now > begin_ns ? now - begin_ns : 0;
}

/* For waits that have not ended, adds the time until now. */
static void settle(struct pressure *p)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), full = p->busy ? 0 : since(p->full_since, now);
	bool bound = false;

	p->active_ns += p->busy ? since(p->active_since, now) : 0;
	p->parallel_ns += p->busy > 1 ? since(p->parallel_since, now) : 0;
	for (int wait = WAIT_NONE + 1; wait < WAITS; wait++) {
		if (!(p->waiting[wait] & PRESSURE_WAITING))
			continue;
		p->some_ns[wait] += since(p->some_since[wait], now);
		p->full_ns[wait] += full;
		if (!bound)
			p->bound_ns[wait] += full;
		bound = true;
	}
}

static struct json_object *build_wait(const struct pressure *p, int wait)
{
	struct json_object *object = json_object_new_object();

	put_count(object, "some_ns", p->some_ns[wait]);
	put_count(object, "full_ns", p->full_ns[wait]);
	put_count(object, "bound_ns", p->bound_ns[wait]);
	put_count(object, "waits", p->waiting[wait] / PRESSURE_WAIT);
	return object;
}

/* Leaves out incomplete waits, and adds the reason. */
static void not_followed(struct build *b)
{
	struct pressure pressure;
	char why[256];
	uint64_t after = 0;

	if (!programs__was_left(b->source->programs, b->totals.slot, b->job->key, &pressure)) {
		node_record_gap(b, "states.some", "more jobs ran at once than stint can follow as a whole");
		return;
	}
	if (b->job->opened_ns && pressure.left_ns > b->job->opened_ns)
		after = (pressure.left_ns - b->job->opened_ns) / 1000000000;
	snprintf(why, sizeof(why),
		 "the job waited %llu times a second on %llu CPUs at once, too often to follow it as a whole (stint.conf, "
		 "follow_waits_per_s): it was followed for the first %llu s",
		 (unsigned long long)pressure.left_waits, (unsigned long long)pressure.left_cpus,
		 (unsigned long long)after);
	node_record_gap(b, "states.some", why);
}

void node_record_pressure(struct build *b)
{
	struct json_object *object, *waits;
	struct pressure pressure;
	char name[32];

	if (!b->have_totals)
		return;
	if (programs__pressure(b->source->programs, b->totals.slot, b->job->key, &pressure) < 0) {
		not_followed(b);
		return;
	}
	settle(&pressure);
	object = json_object_new_object();
	put_count(object, "active_ns", pressure.active_ns);
	put_count(object, "parallel_ns", pressure.parallel_ns);
	put_count(object, "busy_peak", pressure.busy_peak);
	waits = json_object_new_object();
	for (int wait = WAIT_NONE + 1; wait < WAITS; wait++)
		if (pressure.some_ns[wait] || pressure.waiting[wait])
			json_object_object_add(waits, use_wait_name(wait, name), build_wait(&pressure, wait));
	put_count(waits, SUM_REST, WAITS - 1);
	json_object_object_add(object, "waits", waits);
	json_object_object_add(b->record, "pressure", object);
}

/* Copies of the entries of a map. */
struct list {
	char *items;
	size_t item_bytes;
	size_t count;
	bool failed;
};

static void *list_add(struct list *list)
{
	if (!array_room(&list->items, list->count, list->item_bytes)) {
		list->failed = true;
		return NULL;
	}
	return list->items + list->count++ * list->item_bytes;
}

struct listed_file_system {
	uint64_t magic;
	struct file_system fs;
};

static void collect_file_system(uint64_t magic, const struct file_system *fs, void *data)
{
	struct listed_file_system *item = list_add(data);

	if (!item)
		return;
	item->magic = magic;
	item->fs = *fs;
	item->fs.type[sizeof(fs->type) - 1] = '\0';
}

static struct list list_file_systems(const struct build *b)
{
	struct list list = { .item_bytes = sizeof(struct listed_file_system) };

	if (b->have_totals &&
	    programs__file_systems(b->source->programs, b->job->key, collect_file_system, &list) < 0)
		list.failed = true;
	return list;
}

static int by_wait(const void *left, const void *right)
{
	const struct listed_file_system *a = left, *b = right;

	return (a->fs.wait_ns < b->fs.wait_ns) - (a->fs.wait_ns > b->fs.wait_ns);
}

static struct json_object *build_file_system(const struct build *b, const struct listed_file_system *item)
{
	struct json_object *object = json_object_new_object();
	const struct file_system *fs = &item->fs;

	put_text(object, "type", fs->type);
	put_count(object, "magic", item->magic);
	put_count(object, "wait_ns", fs->wait_ns);
	put_count(object, "waits", fs->waits);
	if (!programs__loaded(b->source->programs, PROGRAM_file_called))
		return object;
	put_count(object, "reads", fs->reads);
	put_count(object, "writes", fs->writes);
	put_count(object, "read_bytes", fs->read_bytes);
	put_count(object, "write_bytes", fs->write_bytes);
	put_count(object, "opens", fs->opens);
	return object;
}

void node_record_file_systems(struct build *b)
{
	struct json_object *array = json_object_new_array();
	struct list list = list_file_systems(b);
	struct listed_file_system *items = (struct listed_file_system *)list.items;

	if (list.failed)
		node_record_gap(b, "used.file_systems", "out of memory");
	if (list.count)
		qsort(items, list.count, sizeof(*items), by_wait);
	for (size_t i = 0; i < list.count; i++)
		json_object_array_add(array, build_file_system(b, &items[i]));
	json_object_object_add(b->record, "file_systems", array);
	free(list.items);
}

static void collect_file(const struct file_use *file, void *data)
{
	struct file_use *item = list_add(data);

	if (item)
		*item = *file;
}

static int by_bytes(const void *left, const void *right)
{
	const struct file_use *a = left, *b = right;
	uint64_t of_a = a->read_bytes + a->write_bytes, of_b = b->read_bytes + b->write_bytes;

	if (of_a != of_b)
		return of_a < of_b ? 1 : -1;
	return strcmp(a->path, b->path);
}

static const char *type_of(const struct list *file_systems, uint64_t magic)
{
	const struct listed_file_system *items = (const struct listed_file_system *)file_systems->items;

	for (size_t i = 0; i < file_systems->count; i++)
		if (items[i].magic == magic)
			return items[i].fs.type;
	return "";
}

static struct json_object *build_file(const struct file_use *file, const char *type)
{
	struct json_object *object = json_object_new_object();

	if (!file->cut) /* a cut path would be another path */
		put_known_text(object, "path", file->path);
	put_known_text(object, "type", type);
	put_count(object, "opens", file->opens);
	put_count(object, "reads", file->reads);
	put_count(object, "writes", file->writes);
	put_count(object, "read_bytes", file->read_bytes);
	put_count(object, "write_bytes", file->write_bytes);
	return object;
}

static void add_files(struct build *b, const struct list *list, struct json_object *array)
{
	struct list file_systems = list_file_systems(b);
	struct file_use *files = (struct file_use *)list->items;
	bool cut = false;

	for (size_t i = 0; i < list->count; i++) {
		json_object_array_add(array, build_file(&files[i], type_of(&file_systems, files[i].magic)));
		cut |= files[i].cut;
	}
	if (cut)
		node_record_gap(b, "files.path", "the path of a file is too long, and is left out");
	free(file_systems.items);
}

void node_record_files(struct build *b)
{
	struct list list = { .item_bytes = sizeof(struct file_use) };
	struct json_object *array;

	if (!b->have_totals || !programs__loaded(b->source->programs, PROGRAM_file_called))
		return;
	array = json_object_new_array();
	/* Few jobs have entries in this large table. */
	if (b->totals.files &&
	    (programs__files(b->source->programs, b->job->key, collect_file, &list) < 0 || list.failed))
		node_record_gap(b, "files", "out of memory");
	if (list.count) {
		qsort(list.items, list.count, list.item_bytes, by_bytes);
		add_files(b, &list, array);
	}
	json_object_object_add(b->record, "files", array);
	put_count(b->record, "files_count", b->totals.files);
	free(list.items);
}
