/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/record_join.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/memory/map.h"
#include "common/memory/memory_limit.h"
#include "common/suffix.h"
#include "reports/builder/report_files.h"
#include "reports/builder/report_series.h"
#include "reports/json/field.h"
#include "reports/model/report_values.h"
#include "reports/records/record_parts.h"

#define TIMELINE_MAX 65536 /* entries in the timeline of one report */
#define GAPS_LATER 24 /* gaps that may be added after the join */
#define RECORD_JOIN_REST "(other tools)" /* the entry for all tools that do not fit */

static void add_gap(struct record *record, const char *name, const char *reason)
{
	for (size_t i = 0; i < record->gaps.count; i++)
		if (report_text_is(record->gaps.items[i].name, name) && report_text_is(record->gaps.items[i].reason, reason))
			return;
	record_add_gap(record, name, reason);
}

static void add_part_gap(struct record *record, const char *name)
{
	add_gap(record, name, "the value is not known for a part of the job's time on this node");
}

static void join_gaps(const struct record *former, struct record *later)
{
	for (size_t i = 0; i < former->gaps.count; i++)
		if (former->gaps.items[i].name && former->gaps.items[i].reason)
			add_gap(later, former->gaps.items[i].name, former->gaps.items[i].reason);
}

static bool is_peak(const char *name)
{
	return has_suffix(name, "_peak") || has_suffix(name, "peak_bytes") || strncmp(name, "last_", 5) == 0;
}

static bool is_same(const char *name)
{
	return strcmp(name, "memory_limit_bytes") == 0 || strcmp(name, "core") == 0 || strcmp(name, "package") == 0 ||
	       strcmp(name, "magic") == 0 || strcmp(name, "container") == 0;
}

/* Joins two counts in the way that fits @name. If only one count is known, returns this count. */
static int64_t join_count(const char *name, int64_t former, int64_t later)
{
	if (former < 0 || later < 0)
		return former < 0 ? later : former;
	if (is_same(name))
		return later;
	if (is_peak(name))
		return former > later ? former : later;
	if (strncmp(name, "first_", 6) == 0)
		return former < later ? former : later;
	return count_sum(former, later);
}

static int64_t join_sum(int64_t former, int64_t later)
{
	return former < 0 || later < 0 ? REPORT_UNKNOWN : count_sum(former, later);
}

static void join_numbers(const struct report_object *of, const void *former, void *later);

/*
 * Joins the object @former to @later.
 * @rest: records leave out objects that have only zeros. If an object is still unknown, the joined object is unknown.
 */
static void join_object(const struct report_object *of, bool rest, const void *former, void *later)
{
	const bool *one = former, *other = later; /* each object begins with the bool "known" */

	if (*one && *other)
		join_numbers(of, former, later);
	else if (rest)
		of->forget(later);
	else if (*one)
		memcpy(later, former, of->bytes);
}

static void join_numbers(const struct report_object *of, const void *former, void *later)
{
	for (size_t i = 0; i < of->count; i++) {
		const struct report_field *field = &of->fields[i];
		const void *one = (const char *)former + field->offset;
		void *other = report_member(field, later);

		if (field->type == REPORT_TYPE_COUNT)
			*(int64_t *)other = join_count(field->name, *(const int64_t *)one, *(int64_t *)other);
		else if (field->type == REPORT_TYPE_SUM)
			*(int64_t *)other = join_sum(*(const int64_t *)one, *(int64_t *)other);
		else if (field->type == REPORT_TYPE_OBJECT)
			join_object(field->of(), report_rest(of), one, other);
	}
}

static void join_lost(const struct record *former, struct record *later)
{
	struct report_count_map *lost = &later->lost;
	size_t count = lost->count, at;

	for (size_t i = 0; lost->known && i < former->lost.count; i++) {
		const struct report_named_count *one = &former->lost.items[i];

		for (at = 0; at < count && strcmp(lost->items[at].name, one->name) != 0; at++)
			;
		if (at < count)
			lost->items[at].value = join_sum(one->value, lost->items[at].value);
		else
			report_add_count(record_memory(later), lost, one->name, one->value);
	}
}

/*
 * Makes @both a list of the items of @former, with room for the items of @later. An item has @bytes bytes.
 * If one of the lists is not known, sets @later to the known list and returns false.
 */
static bool begin_list(const void *former, void *later, size_t bytes, struct report_any_list *rest, struct report_any_list *both)
{
	struct report_any_list first;

	memcpy(&first, former, sizeof(first));
	memcpy(rest, later, sizeof(*rest));
	if (!first.known || !rest->known) {
		memcpy(later, first.known ? &first : rest, sizeof(first));
		return false;
	}
	*both = (struct report_any_list){ malloc((first.count + rest->count + 1) * bytes), first.count, .known = true };
	if (both->items && first.count)
		memcpy(both->items, first.items, first.count * bytes);
	return true;
}

/* Adds the items one by one, so that many joins need hardly more memory than a single join. */
static void end_list(struct report *memory, const struct report_object *of, void *later, struct report_any_list *both)
{
	struct report_any_list now;

	memcpy(&now, later, sizeof(now));
	while (both->items && now.count < both->count && !report_lacks_memory(memory)) {
		report_add(memory, later, of);
		memcpy(&now, later, sizeof(now));
	}
	if (!both->items || now.count < both->count) {
		report_lacked(memory);
	} else if (both->count) {
		memcpy(now.items, both->items, both->count * of->bytes);
		now.count = both->count;
		memcpy(later, &now, sizeof(now));
	}
	free(both->items);
}

struct kind {
	const struct report_object *(*of)(void);
	size_t fields; /* how many of the first fields identify an entry; the first field must be known */
	size_t max; /* most entries of this list */
};

/*
 * Makes the key of @entry, which the caller frees.
 * Returns the size of the key; 0 if the first field is unknown, or if out of memory.
 */
static size_t make_key(const struct kind *kind, const void *entry, char **key)
{
	const struct report_field *fields = kind->of()->fields + (report_rest(kind->of()) ? 1 : 0);
	size_t size = 0;
	FILE *out = values_known(fields->type, (const char *)entry + fields->offset) ? open_memstream(key, &size) : NULL;

	for (size_t i = 0; out && i < kind->fields; i++) {
		const void *member = (const char *)entry + fields[i].offset;

		if (values_known(fields[i].type, member))
			values_print(fields[i].type, member, out);
		fputc(' ', out);
	}
	return out && fclose(out) == 0 ? size : 0;
}

static void note_place(const struct kind *kind, const void *entry, size_t i, struct map *places)
{
	cleanup_free char *key = NULL;
	size_t size = make_key(kind, entry, &key);
	struct map_entry *noted = size ? map_get(places, key, size) : NULL;

	if (noted)
		noted->number = (int64_t)i;
}

static bool lacks_used_peak(const struct record_tool *tool)
{
	return tool->peak_bytes >= 0 && tool->used_peak_bytes < 0;
}

/* If one of two tools lacks the peak without mapped files, the joined tool lacks this peak, too. */
static void join_entry(const struct report_object *of, const void *entry, void *into)
{
	bool lacks = of == record_table_tool() && (lacks_used_peak(entry) || lacks_used_peak(into));

	join_numbers(of, entry, into);
	if (lacks)
		((struct record_tool *)into)->used_peak_bytes = REPORT_UNKNOWN;
}

static void make_rest(struct record_tool *tool)
{
	tool->name = RECORD_JOIN_REST;
	tool->interpreter = tool->path = tool->interpreter_path = NULL;
	tool->slurm = tool->runtime = false;
	tool->image = NULL;
	tool->container = REPORT_UNKNOWN;
}

/*
 * Joins @entry to the entry of @list with the same key, or appends it.
 * If @list is full, joins @entry to the last entry. The memory of @list must have room.
 * @places: where each key is in @list.
 * @same: increased by one if @list had the entry.
 * Returns the index of the entry.
 */
static size_t put_entry(const struct kind *kind, struct report_any_list *list, const struct map *places, const void *entry,
			size_t *same)
{
	cleanup_free char *key = NULL;
	size_t size = make_key(kind, entry, &key), bytes = kind->of()->bytes, place = list->count;
	const struct map_entry *found = size ? map_find(places, key, size) : NULL;
	char *items = list->items;

	*same += found != NULL;
	if (found)
		place = (size_t)found->number;
	else if (place >= kind->max)
		place = kind->max - 1;
	if (place < list->count) {
		join_entry(kind->of(), entry, items + place * bytes);
		return place;
	}
	memcpy(items + place * bytes, entry, bytes);
	list->count++;
	if (list->count == kind->max)
		make_rest((struct record_tool *)(items + place * bytes));
	return place;
}

/*
 * Joins two lists into @later. The entries of @former come first.
 * Entries with the same key become one. All entries for which there is no room become one entry.
 * If one of the lists is not known, @later becomes the known list.
 * @moved_to: set to the new index of each entry of @later; may be NULL.
 * Returns how many entries were in both lists.
 */
static size_t join_list(struct report *memory, const struct kind *kind, const void *former, void *later, size_t *moved_to)
{
	struct report_any_list rest, both;
	struct map places = { 0 };
	size_t same = 0, place, bytes = kind->of()->bytes;
	bool begun = begin_list(former, later, bytes, &rest, &both);

	for (size_t i = 0; moved_to && i < rest.count; i++)
		moved_to[i] = i;
	if (!begun)
		return 0;
	for (size_t i = 0; both.items && i < both.count; i++)
		note_place(kind, (const char *)both.items + i * bytes, i, &places);
	for (size_t i = 0; both.items && i < rest.count; i++) {
		place = put_entry(kind, &both, &places, (const char *)rest.items + i * bytes, &same);
		if (moved_to)
			moved_to[i] = place;
	}
	map_free(&places);
	end_list(memory, kind->of(), later, &both);
	return same;
}

/*
 * Puts the items of @former before the items of @later. @of: the table of the items.
 * If one of the lists is not known, @later becomes the known list.
 */
static void append_list(struct report *memory, const struct report_object *of, const void *former, void *later)
{
	struct report_any_list rest, both;

	if (!begin_list(former, later, of->bytes, &rest, &both))
		return;
	if (both.items && rest.count)
		memcpy((char *)both.items + both.count * of->bytes, rest.items, rest.count * of->bytes);
	both.count += rest.count;
	end_list(memory, of, later, &both);
}

#define APPEND(former, later, list, of) append_list(record_memory(later), record_table_##of(), &(former)->list, &(later)->list)

static void cut(size_t *count, size_t max)
{
	if (*count > max)
		*count = max;
}

static void join_moved_out(const struct record *former, struct record *later)
{
	if (!later->moved_out.known)
		later->moved_out = former->moved_out;
	else if (former->moved_out.known)
		join_numbers(record_table_moved_out(), &former->moved_out, &later->moved_out);
}

static void join_ooms(const struct record *former, struct record *later)
{
	APPEND(former, later, oom, oom_kill);
	if (later->oom.count > RECORD_OOM_MAX)
		add_gap(later, "oom", "the kernel killed more processes than stint lists one by one; oom_kills counts all of them");
	cut(&later->oom.count, RECORD_OOM_MAX);
}

static int by_quiet_time(const void *left, const void *right)
{
	int64_t a = 0, b = 0;

	take_count(((const struct record_stall *)left)->quiet_ns, &a);
	take_count(((const struct record_stall *)right)->quiet_ns, &b);
	return (a < b) - (a > b);
}

static void join_progress(const struct record *former, struct record *later)
{
	struct record_stall_list *stalls = &later->progress.stalls;

	APPEND(former, later, progress.stalls, stall);
	if (stalls->count)
		qsort(stalls->items, stalls->count, sizeof(*stalls->items), by_quiet_time);
	cut(&stalls->count, RECORD_STALLS_MAX);
	join_numbers(record_table_progress(), &former->progress, &later->progress);
}

static void join_steps(const struct record *former, struct record *later)
{
	struct record_step_list *steps = &later->steps;
	size_t tasks = 0;
	bool left_out;

	APPEND(former, later, steps, step);
	left_out = steps->count > RECORD_STEPS_MAX;
	cut(&steps->count, RECORD_STEPS_MAX);
	for (size_t i = 0; i < steps->count; i++) {
		struct record_task_list *here = &steps->items[i].tasks;

		tasks += here->count;
		if (here->count && tasks > RECORD_TASKS_MAX) {
			*here = (struct record_task_list){ .known = true };
			left_out = true;
		}
	}
	if (left_out)
		add_gap(later, "steps", "there were more steps, or tasks of steps, than one record can list");
}

/* If both records are of one cgroup, the CPU time before @later includes what @former counted. */
static void take_from_before(const struct record *former, struct record *later)
{
	struct record_totals *totals = &later->totals;
	int64_t counted = former->totals.cpu_ns;

	if (former->cgroup_id < 0 || former->cgroup_id != later->cgroup_id || counted < 0 || totals->cpu_before_ns < 0 ||
	    totals->cpu_ns < 0)
		return;
	if (counted > totals->cpu_before_ns)
		counted = totals->cpu_before_ns;
	totals->cpu_before_ns -= counted;
	totals->cpu_ns = totals->cpu_ns > counted ? totals->cpu_ns - counted : 0;
}

static void join_files(const struct record *former, struct record *later)
{
	static const struct kind file = { record_table_file, 2, SIZE_MAX };
	size_t same;

	/* The job's files are not known if files were counted for only a part of the time. */
	if (!former->files.known || !later->files.known) {
		if (former->files.known || later->files.known)
			add_part_gap(later, "files");
		later->files = (struct record_file_list){ 0 };
		later->files_count = REPORT_UNKNOWN;
		return;
	}
	same = join_list(record_memory(later), &file, &former->files, &later->files, NULL);
	if (former->files_count >= 0 && later->files_count >= 0)
		later->files_count = count_sum(former->files_count, later->files_count - (int64_t)same);
	if (later->files.count > RECORD_FILES_MAX)
		files_trim(later, RECORD_FILES_MAX / 2);
}

/* The job began when @former says. Changes of the clock add up. */
static void join_times(const struct record *former, struct record *later)
{
	take_count(former->opened_unix_ns, &later->opened_unix_ns);
	later->clock_set_ns += former->clock_set_ns;
	if (later->collector.known)
		take_count(former->collector.since_unix_ns, &later->collector.since_unix_ns);
}

/* A writer may be killed after it joined the records. @later then already includes @former. */
static bool is_joined(const struct record *former, const struct record *later)
{
	return later->opened_unix_ns >= 0 && former->opened_unix_ns >= later->opened_unix_ns;
}

static void join_modes(const struct record *former, struct record *later)
{
	if (!former->mode || !later->mode || strcmp(former->mode, later->mode) == 0)
		return;
	later->mode = "timeline";
	add_part_gap(later, "timeline");
}

/*
 * Returns true if both records have the object. @one is the former record's object, and @other is that of @later.
 * If only one record has the object, @later gets it, and the gap @in_report. @of: the object's table.
 */
static bool have_both(const struct report_object *of, const void *one, void *other, struct record *later, const char *in_report)
{
	bool former_has = *(const bool *)one, later_has = *(bool *)other; /* each object begins with the bool "known" */

	if (former_has && !later_has)
		memcpy(other, one, of->bytes);
	if (former_has != later_has)
		add_part_gap(later, in_report);
	return former_has && later_has;
}

static void join_sums(const struct record *former, struct record *later)
{
	bool counted = former->totals.known && later->totals.known;

	take_from_before(former, later);
	if (have_both(record_table_totals(), &former->totals, &later->totals, later, "used"))
		join_numbers(record_table_totals(), &former->totals, &later->totals);
	if (have_both(record_table_pressure(), &former->pressure, &later->pressure, later, REPORT_PATH(states.some)))
		join_numbers(record_table_pressure(), &former->pressure, &later->pressure);
	join_lost(former, later);
	later->complete = counted && former->complete && later->complete;
}

static int64_t moved(int64_t tool, const size_t *places, size_t count)
{
	return tool >= 0 && (uint64_t)tool < count ? (int64_t)places[tool] : REPORT_UNKNOWN;
}

static void move_tools(struct record *record, const size_t *places, size_t count)
{
	struct record_stall_list *stalls = &record->progress.stalls;

	for (size_t i = 0; i < record->timeline.count; i++)
		record->timeline.items[i].tool = moved(record->timeline.items[i].tool, places, count);
	for (size_t i = 0; i < record->oom.count; i++)
		record->oom.items[i].tool = moved(record->oom.items[i].tool, places, count);
	for (size_t i = 0; i < stalls->count; i++)
		stalls->items[i].tool = moved(stalls->items[i].tool, places, count);
}

/* The containers of @former come first. Call before the tools and the timeline are joined. */
static void join_containers(const struct record *former, struct record *later)
{
	int64_t first = (int64_t)former->containers.count;

	for (size_t i = 0; i < later->tools.count; i++)
		if (later->tools.items[i].container >= 0)
			later->tools.items[i].container = count_sum(later->tools.items[i].container, first);
	for (size_t i = 0; i < later->timeline.count; i++)
		if (later->timeline.items[i].container >= 0)
			later->timeline.items[i].container = count_sum(later->timeline.items[i].container, first);
	APPEND(former, later, containers, container);
	cut(&later->containers.count, RECORD_CONTAINERS_MAX);
}

static void join_tools(const struct record *former, struct record *later)
{
	static const struct kind tool = { record_table_tool, 8, RECORD_TOOLS_MAX };
	size_t count = later->tools.count;
	cleanup_free size_t *places = calloc(count + 1, sizeof(*places));

	if (!places) {
		report_lacked(record_memory(later));
		return;
	}
	if (!former->tools.known || !later->tools.known)
		add_part_gap(later, "tools");
	join_list(record_memory(later), &tool, &former->tools, &later->tools, places);
	move_tools(later, places, count);
}

static void join_places(const struct record *former, struct record *later)
{
	static const struct kind core = { record_table_core, 2, SIZE_MAX };
	static const struct kind file_system = { record_table_file_system, 2, SIZE_MAX };

	if (later->allocated.known)
		join_list(record_memory(later), &core, &former->allocated.cores, &later->allocated.cores, NULL);
	join_list(record_memory(later), &file_system, &former->file_systems, &later->file_systems, NULL);
	join_files(former, later);
}

static void join_events(const struct record *former, struct record *later)
{
	join_steps(former, later);
	APPEND(former, later, timeline, entry);
	record_trim_timeline(later, TIMELINE_MAX);
	join_moved_out(former, later);
	join_ooms(former, later);
	if (have_both(record_table_progress(), &former->progress, &later->progress, later, "progress"))
		join_progress(former, later);
}

static void join_all(struct record *former, struct record *later)
{
	report_keep(record_memory(later), record_memory(former));
	join_gaps(former, later);
	join_times(former, later);
	join_sums(former, later);
	join_modes(former, later);
	join_containers(former, later);
	join_tools(former, later);
	join_places(former, later);
	join_events(former, later);
	if (former->gpus.known)
		add_part_gap(later, "gpus");
	if (former->gpu_files.known) {
		later->gpu_files = (struct record_gpu_file_list){ 0 };
		add_part_gap(later, "gpus_opened");
	}
	if (have_both(record_table_series(), &former->series, &later->series, later, "series"))
		series_join(former, later);
	cut(&later->gaps.count, RECORD_GAPS_MAX - GAPS_LATER);
}

int record_join(struct record *former, struct record *later, struct error *err)
{
	unsigned long failures = memory_failures();

	later->continues = later->continues && former->continues;
	if (!is_joined(former, later))
		join_all(former, later);
	/* If there was no memory for a key, the joined list has an entry twice. */
	if (memory_failures() != failures)
		report_lacked(record_memory(later));
	if (!report_lacks_memory(record_memory(later)))
		return 0;
	errno = ENOMEM;
	return error_set(err, "out of memory");
}

void record_join_lacking(struct record *record)
{
	add_gap(record, "job", "the record continues an earlier record of the job on this node: what ran before is missing");
	record->complete = false;
}
