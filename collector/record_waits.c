/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the job waited for as a whole, on which file systems, and for which files. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collector/clock.h"
#include "collector/common/cleanup.h"
#include "collector/common/utf8.h"
#include "collector/json.h"
#include "collector/record_own.h"
#include "collector/use.h"

static uint64_t since(uint64_t begin_ns, uint64_t now)
{
	return begin_ns && now > begin_ns ? now - begin_ns : 0;
}

/* What lasts is told up to now: only where processes outlived their job is there any. */
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

	json_add_number(object, "some_ns", p->some_ns[wait]);
	json_add_number(object, "full_ns", p->full_ns[wait]);
	json_add_number(object, "bound_ns", p->bound_ns[wait]);
	json_add_number(object, "waits", p->waiting[wait] / PRESSURE_WAIT);
	return object;
}

void record_pressure(struct build *b)
{
	struct json_object *object, *waits;
	struct pressure pressure;
	char name[32];

	if (!b->have_totals)
		return;
	if (programs__pressure(b->source->programs, b->totals.slot, b->job->key, &pressure) < 0) {
		record_gap(b, "states.some", "more jobs ran at once than can be followed as wholes");
		return;
	}
	settle(&pressure);
	object = json_object_new_object();
	json_add_number(object, "active_ns", pressure.active_ns);
	json_add_number(object, "parallel_ns", pressure.parallel_ns);
	json_add_number(object, "busy_peak", pressure.busy_peak);
	waits = json_object_new_object();
	for (int wait = WAIT_NONE + 1; wait < WAITS; wait++)
		json_object_object_add(waits, use_wait_name(wait, name), build_wait(&pressure, wait));
	json_object_object_add(object, "waits", waits);
	json_object_object_add(b->record, "pressure", object);
}

/* A list of copies of what a map has. */
struct list {
	char *items;
	size_t item_bytes;
	size_t count;
	size_t room;
	bool failed;
};

static void *list_add(struct list *list)
{
	size_t room = list->room ? list->room * 2 : 16;
	char *items;

	if (list->count == list->room) {
		items = realloc(list->items, room * list->item_bytes);
		if (!items) {
			list->failed = true;
			return NULL;
		}
		list->items = items;
		list->room = room;
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
	cleanup_free char *type = utf8_valid(fs->type);

	json_object_object_add(object, "type", json_object_new_string(type ? type : ""));
	json_add_number(object, "magic", item->magic);
	json_add_number(object, "wait_ns", fs->wait_ns);
	json_add_number(object, "waits", fs->waits);
	if (!programs__loaded(b->source->programs, PROGRAM_file_called))
		return object;
	json_add_number(object, "reads", fs->reads);
	json_add_number(object, "writes", fs->writes);
	json_add_number(object, "read_bytes", fs->read_bytes);
	json_add_number(object, "write_bytes", fs->write_bytes);
	json_add_number(object, "opens", fs->opens);
	return object;
}

void record_file_systems(struct build *b)
{
	struct json_object *array = json_object_new_array();
	struct list list = list_file_systems(b);
	struct listed_file_system *items = (struct listed_file_system *)list.items;

	if (list.failed)
		record_gap(b, "used.file_systems", "out of memory");
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

	if (!file->cut) /* part of a path is another path */
		json_add_text(object, "path", file->path);
	json_add_text(object, "type", type);
	json_add_number(object, "opens", file->opens);
	json_add_number(object, "reads", file->reads);
	json_add_number(object, "writes", file->writes);
	json_add_number(object, "read_bytes", file->read_bytes);
	json_add_number(object, "write_bytes", file->write_bytes);
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
		record_gap(b, "files.path", "a file's path is too long to be kept whole, and left out");
	free(file_systems.items);
}

void record_files(struct build *b)
{
	struct list list = { .item_bytes = sizeof(struct file_use) };
	struct json_object *array;

	if (!b->have_totals || !programs__loaded(b->source->programs, PROGRAM_file_called))
		return;
	array = json_object_new_array();
	if (programs__files(b->source->programs, b->job->key, collect_file, &list) < 0 || list.failed)
		record_gap(b, "files", "out of memory");
	if (list.count)
		qsort(list.items, list.count, list.item_bytes, by_bytes);
	add_files(b, &list, array);
	json_object_object_add(b->record, "files", array);
	json_add_number(b->record, "files_count", b->totals.files);
	free(list.items);
}
