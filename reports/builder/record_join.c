/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/record_join.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/json_writer.h"
#include "common/suffix.h"
#include "common/sum_list.h"
#include "reports/builder/report_files.h"
#include "reports/builder/report_series.h"
#include "reports/json/field.h"
#include "reports/json/gaps.h"
#include "reports/records/record_input.h"

#define TIMELINE_MAX 65536 /* of one report */
#define GAPS_LATER 24 /* room for gaps that are added after the join */
#define RECORD_JOIN_REST "(other tools)" /* stands for all tools for which there is no room */

static struct json_object *list_of(struct json_object *record, const char *name)
{
	return field_typed(record, name, json_type_array);
}

static struct json_object *object_of(struct json_object *record, const char *name)
{
	return field_typed(record, name, json_type_object);
}

/* @name: as in the report, as for all gaps */
static void add_gap(struct json_object *record, const char *name)
{
	gaps_add(list_of(record, "gaps"), name, "a part of the job's time on this node has none");
}

/*
 * Returns whether both have the object @name. If one of them lacks it, @later gets the other's, and a gap called
 * @in_report says so.
 */
static bool have_both(struct json_object *former, struct json_object *later, const char *name, const char *in_report)
{
	struct json_object *one = object_of(former, name), *other = object_of(later, name);

	if (one && other)
		return true;
	if (one)
		json_object_object_add(later, name, json_object_get(one));
	if (one || other)
		add_gap(later, in_report);
	return false;
}

/* ---- numbers ---- */

static bool is_one_of(const char *name, const char *const names[])
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

static bool is_peak(const char *name)
{
	return has_suffix(name, "_peak") || has_suffix(name, "peak_bytes") || strncmp(name, "last_", 5) == 0;
}

static int64_t join_value(const char *name, int64_t former, int64_t later)
{
	static const char *const same[] = { SUM_REST, "memory_limit_bytes", "core", "package", "magic", NULL };

	if (is_one_of(name, same))
		return later;
	if (is_peak(name))
		return former > later ? former : later;
	if (strncmp(name, "first_", 6) == 0)
		return former < later ? former : later;
	return count_sum(former, later);
}

/*
 * Joins the numbers of @former to those of @later. A null, which means not known, makes the result null. If only one
 * has a number, the result is that number: a sum that is left out is 0.
 */
static void join_numbers(struct json_object *former, struct json_object *later)
{
	if (!former || !later)
		return;
	json_object_object_foreach(former, name, value)
	{
		struct json_object *other;

		if (!json_object_object_get_ex(later, name, &other))
			json_object_object_add(later, name, json_object_get(value));
		else if (!value || !other)
			json_object_object_add(later, name, NULL);
		else if (json_object_is_type(value, json_type_int) && json_object_is_type(other, json_type_int))
			put_count(later, name, join_value(name, json_object_get_int64(value), json_object_get_int64(other)));
		else if (json_object_is_type(value, json_type_object))
			join_numbers(value, other);
	}
}

/* ---- lists whose entries have an identity ---- */

struct entry {
	char *key;
	size_t index;
};

/* Returns the fields that identify an entry, as one text, to be freed. NULL: it has no identity, or out of memory. */
static char *key_of(struct json_object *json, const char *const fields[])
{
	size_t length = 1;
	char *key;

	if (!field_find(json, fields[0]))
		return NULL;
	for (int i = 0; fields[i]; i++)
		length += strlen(json_object_to_json_string(field_find(json, fields[i]))) + 1;
	key = malloc(length);
	if (key)
		*key = '\0';
	for (int i = 0; key && fields[i]; i++)
		strcat(strcat(key, json_object_to_json_string(field_find(json, fields[i]))), " ");
	return key;
}

static int by_key(const void *left, const void *right)
{
	return strcmp(((const struct entry *)left)->key, ((const struct entry *)right)->key);
}

/* Returns the entries of @list that have an identity, sorted by it; NULL: out of memory. */
static struct entry *sort_entries(struct json_object *list, const char *const fields[], size_t *count)
{
	struct entry *entries = calloc(field_length(list) + 1, sizeof(*entries));

	*count = 0;
	for (size_t i = 0; entries && i < field_length(list); i++) {
		struct entry entry = { key_of(json_object_array_get_idx(list, i), fields), i };

		if (entry.key)
			entries[(*count)++] = entry;
	}
	if (entries)
		qsort(entries, *count, sizeof(*entries), by_key);
	return entries;
}

static void free_entries(struct entry *entries, size_t count)
{
	for (size_t i = 0; entries && i < count; i++)
		free(entries[i].key);
	free(entries);
}

/*
 * Joins two entries with the same identity. If one has a peak, but no peak without mapped files, the joined entry has
 * no such peak either.
 */
static void join_entry(struct json_object *later, struct json_object *into)
{
	bool known = !(field_find(later, "peak_bytes") && !field_find(later, "used_peak_bytes")) &&
		     !(field_find(into, "peak_bytes") && !field_find(into, "used_peak_bytes"));

	join_numbers(later, into);
	if (!known)
		json_object_object_del(into, "used_peak_bytes");
}

/* Returns the entry for all entries that do not fit into a list of @max. */
static struct json_object *rest_of(struct json_object *list, size_t max)
{
	struct json_object *rest;

	if (field_length(list) < max) {
		rest = json_object_new_object();
		put_text(rest, "name", RECORD_JOIN_REST);
		put_flag(rest, "slurm", false);
		json_object_array_add(list, rest);
	}
	return json_object_array_get_idx(list, max - 1);
}

/*
 * Joins the list @name of both: entries with the same @fields become one, and those of @former come first. Entries that
 * do not fit into a list of @max become one entry.
 *
 * @places: set to the new index of each entry of @later's list; may be NULL
 *
 * Returns how many of them were in both. If one of the two has no such list, @later gets the other's.
 */
static size_t join_list(struct json_object *former, struct json_object *later, const char *name,
			const char *const fields[], size_t max, size_t *places)
{
	struct json_object *into = list_of(former, name), *from = list_of(later, name);
	struct entry *entries;
	size_t count, same = 0;

	for (size_t i = 0; places && i < field_length(from); i++)
		places[i] = i;
	if (!into || !from) {
		if (into && later)
			json_object_object_add(later, name, json_object_get(into));
		return 0;
	}
	entries = sort_entries(into, fields, &count);
	for (size_t i = 0; i < field_length(from); i++) {
		struct json_object *entry = json_object_array_get_idx(from, i);
		struct entry wanted = { key_of(entry, fields), 0 }, *found = NULL;
		size_t place = field_length(into);

		if (wanted.key && count)
			found = bsearch(&wanted, entries, count, sizeof(*entries), by_key);
		free(wanted.key);
		same += found != NULL;
		if (found)
			place = found->index;
		else if (place >= max - 1)
			place = max - 1;
		if (places)
			places[i] = place;
		if (found)
			join_entry(entry, json_object_array_get_idx(into, place));
		else if (place == max - 1)
			join_entry(entry, rest_of(into, max));
		else
			json_object_array_add(into, json_object_get(entry));
	}
	free_entries(entries, count);
	json_object_object_add(later, name, json_object_get(into));
	return same;
}

/* ---- lists whose entries are events ---- */

/* Makes the entries of @list refer to the tools at their new indexes. */
static void move_tools(struct json_object *list, const size_t *places, size_t count)
{
	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *entry = json_object_array_get_idx(list, i);
		int64_t tool;

		if (!field_count(entry, "tool", &tool))
			continue;
		if ((uint64_t)tool < count)
			put_count(entry, "tool", (int64_t)places[tool]);
		else
			json_object_object_del(entry, "tool");
	}
}

/* Puts the entries of @former's list @name before those of @later's. Returns the list; NULL: neither has one. */
static struct json_object *append_list(struct json_object *former, struct json_object *later, const char *name)
{
	struct json_object *first = list_of(former, name), *rest = list_of(later, name);

	if (!first)
		return rest;
	for (size_t i = 0; i < field_length(rest); i++)
		json_object_array_add(first, json_object_get(json_object_array_get_idx(rest, i)));
	json_object_object_add(later, name, json_object_get(first));
	return first;
}

static void cut_list(struct json_object *list, size_t max)
{
	if (field_length(list) > max)
		json_object_array_del_idx(list, max, field_length(list) - max);
}

static void join_ooms(struct json_object *former, struct json_object *later)
{
	struct json_object *list = append_list(former, later, "oom");

	if (field_length(list) > RECORD_OOM_MAX)
		gaps_add(list_of(later, "gaps"), "oom",
			 "more were killed than could be noted one by one; oom_kills counts them all");
	cut_list(list, RECORD_OOM_MAX);
}

static int by_quiet_time(const void *left, const void *right)
{
	int64_t a = 0, b = 0;

	field_count(*(struct json_object *const *)left, "quiet_ns", &a);
	field_count(*(struct json_object *const *)right, "quiet_ns", &b);
	return (a < b) - (a > b);
}

static void join_progress(struct json_object *former, struct json_object *later)
{
	struct json_object *list = append_list(former, later, "stalls");

	if (list)
		json_object_array_sort(list, by_quiet_time);
	cut_list(list, RECORD_STALLS_MAX);
	join_numbers(former, later);
}

/* ---- series ---- */

static struct json_object *nulls(size_t count)
{
	struct json_object *list = json_object_new_array();

	while (count--)
		json_object_array_add(list, NULL);
	return list;
}

/*
 * Each end of a point is the nanoseconds since the start of the series, which is now @former's. Ends must ascend, even
 * if the clock was set back: none is before @last_ns, @former's last one.
 */
static void move_ends(struct json_object *ends, int64_t by_ns, int64_t last_ns)
{
	for (size_t i = 0; i < field_length(ends); i++) {
		int64_t end_ns = json_object_get_int64(json_object_array_get_idx(ends, i));

		if (!__builtin_add_overflow(end_ns, by_ns, &end_ns) && end_ns > last_ns)
			last_ns = end_ns;
		json_object_array_put_idx(ends, i, json_object_new_int64(last_ns));
	}
}

static void join_columns(struct json_object *former, struct json_object *later, size_t former_points, size_t points)
{
	if (!former || !later)
		return;
	json_object_object_foreach(former, name, column)
		if (!list_of(later, name) && json_object_is_type(column, json_type_array))
			json_object_object_add(later, name, nulls(points));
	json_object_object_foreach(later, each, unused)
	{
		(void)unused;
		if (!list_of(former, each))
			json_object_object_add(former, each, nulls(former_points));
		append_list(former, later, each);
	}
}

/* The time between the two series had no process of the job. */
static void join_series(struct json_object *former, struct json_object *later)
{
	struct json_object *first = object_of(former, "series"), *rest = object_of(later, "series");
	struct json_object *ends = list_of(first, "end_offsets_ns");
	int64_t start_ns, rest_ns, last_ns = 0;

	if (!field_count(first, "start_unix_ns", &start_ns) || !field_count(rest, "start_unix_ns", &rest_ns))
		return;
	if (field_length(ends))
		last_ns = json_object_get_int64(json_object_array_get_idx(ends, field_length(ends) - 1));
	if (rest_ns - start_ns > last_ns) {
		last_ns = rest_ns - start_ns;
		series_add_pause(former, last_ns);
	}
	move_ends(list_of(rest, "end_offsets_ns"), rest_ns - start_ns, last_ns);
	join_columns(object_of(first, "columns"), object_of(rest, "columns"),
		     field_length(ends), field_length(list_of(rest, "end_offsets_ns")));
	append_list(first, rest, "end_offsets_ns");
	put_count(rest, "start_unix_ns", start_ns);
	series_trim(later, RECORD_POINTS_MAX);
}

/* ---- the record ---- */

/* If the job's cgroup still exists, the usage before @later was counted includes what @former counted. */
static void take_from_before(struct json_object *former, struct json_object *later)
{
	struct json_object *totals = object_of(later, "totals");
	int64_t one, other, counted, before, all;

	if (!field_count(former, "cgroup_id", &one) || !field_count(later, "cgroup_id", &other) || one != other ||
	    !field_count(former, "totals.cpu_ns", &counted) || !field_count(totals, "cpu_before_ns", &before) ||
	    !field_count(totals, "cpu_ns", &all))
		return;
	if (counted > before)
		counted = before;
	put_count(totals, "cpu_before_ns", before - counted);
	put_count(totals, "cpu_ns", all > counted ? all - counted : 0);
}

static void join_files(struct json_object *former, struct json_object *later)
{
	static const char *const file[] = { "path", "type", NULL };
	int64_t count, more;
	size_t same;

	/* Files that were counted for only a part of the time are not a list of the job's files. */
	if (!list_of(former, "files") || !list_of(later, "files")) {
		if (list_of(former, "files") || list_of(later, "files"))
			add_gap(later, "files");
		json_object_object_del(later, "files");
		json_object_object_del(later, "files_count");
		return;
	}
	same = join_list(former, later, "files", file, SIZE_MAX, NULL);
	if (field_count(former, "files_count", &count) && field_count(later, "files_count", &more))
		put_count(later, "files_count", count_sum(count, more - (int64_t)same));
	if (field_length(list_of(later, "files")) > RECORD_FILES_MAX)
		files_trim(later, RECORD_FILES_MAX / 2);
}

/* The job began at @former's time. If the clock was set in both, the sum is kept. */
static void join_times(struct json_object *former, struct json_object *later)
{
	int64_t value, other = 0;

	if (field_count(former, "opened_unix_ns", &value))
		put_count(later, "opened_unix_ns", value);
	if (json_object_is_type(field_find(former, "clock_set_ns"), json_type_int)) {
		value = json_object_get_int64(field_find(former, "clock_set_ns"));
		if (json_object_is_type(field_find(later, "clock_set_ns"), json_type_int))
			other = json_object_get_int64(field_find(later, "clock_set_ns"));
		put_count(later, "clock_set_ns", value + other);
	}
	if (field_count(former, "collector.since_unix_ns", &value) && object_of(later, "collector"))
		put_count(object_of(later, "collector"), "since_unix_ns", value);
}

static void join_steps(struct json_object *former, struct json_object *later)
{
	struct json_object *steps = append_list(former, later, "steps");
	size_t tasks = 0;
	bool cut = field_length(steps) > RECORD_STEPS_MAX;

	cut_list(steps, RECORD_STEPS_MAX);
	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);
		size_t here = field_length(list_of(step, "tasks"));

		tasks += here;
		if (here && tasks > RECORD_TASKS_MAX) {
			json_object_object_add(step, "tasks", json_object_new_array());
			cut = true;
		}
	}
	if (cut)
		gaps_add(list_of(later, "gaps"), "steps", "there were more steps, or tasks of steps, than one record names");
}

/* Whether both leave out the same sums if they are 0. A record without totals has no sums. */
static bool have_same_sums(struct json_object *former, struct json_object *later)
{
	int64_t one = -1, other = -1;

	field_count(former, "totals." SUM_REST, &one);
	field_count(later, "totals." SUM_REST, &other);
	return one == other || !object_of(former, "totals") || !object_of(later, "totals");
}

/* Whether @later already includes @former's numbers: a writer joined them before and was then killed. */
static bool is_joined(struct json_object *former, struct json_object *later)
{
	int64_t one, other;

	return field_count(former, "opened_unix_ns", &one) && field_count(later, "opened_unix_ns", &other) && one >= other;
}

static void join_modes(struct json_object *former, struct json_object *later)
{
	const char *one = field_text(former, "mode"), *other = field_text(later, "mode");

	if (!one || !other || strcmp(one, other) == 0)
		return;
	put_text(later, "mode", "timeline");
	add_gap(later, "timeline");
}

static void join_sums(struct json_object *former, struct json_object *later)
{
	bool counted = object_of(former, "totals") && object_of(later, "totals");

	take_from_before(former, later);
	if (have_both(former, later, "totals", "used"))
		join_numbers(object_of(former, "totals"), object_of(later, "totals"));
	if (have_both(former, later, "pressure", "states.some"))
		join_numbers(object_of(former, "pressure"), object_of(later, "pressure"));
	join_numbers(object_of(former, "lost"), object_of(later, "lost"));
	put_flag(later, "complete", counted && field_true(former, "complete") && field_true(later, "complete"));
}

static void join_tools(struct json_object *former, struct json_object *later, size_t *places)
{
	static const char *const tool[] = { "name", "interpreter", "path", "interpreter_path", "slurm", NULL };
	size_t tools = field_length(list_of(later, "tools"));

	if (!list_of(former, "tools") || !list_of(later, "tools"))
		add_gap(later, "tools");
	join_list(former, later, "tools", tool, RECORD_TOOLS_MAX, places);
	move_tools(list_of(later, "timeline"), places, tools);
	move_tools(list_of(later, "oom"), places, tools);
	move_tools(list_of(later, "progress.stalls"), places, tools);
}

int record_join(struct json_object *former, struct json_object *later, struct error *err)
{
	static const char *const file_system[] = { "type", "magic", NULL };
	static const char *const core[] = { "core", "package", NULL };
	cleanup_free size_t *places = calloc(field_length(list_of(later, "tools")) + 1, sizeof(*places));

	if (!places)
		return error_set(err, "out of memory");
	if (!have_same_sums(former, later))
		return error_set(err, "another version of stint made it");
	if (!field_true(former, "continues"))
		json_object_object_del(later, "continues");
	if (is_joined(former, later))
		return 0;
	gaps_merge(list_of(later, "gaps"), list_of(former, "gaps"));
	join_times(former, later);
	join_sums(former, later);
	join_modes(former, later);
	join_tools(former, later, places);
	join_list(object_of(former, "allocated"), object_of(later, "allocated"), "cores", core, SIZE_MAX, NULL);
	join_list(former, later, "file_systems", file_system, SIZE_MAX, NULL);
	join_files(former, later);
	join_steps(former, later);
	append_list(former, later, "timeline");
	record_trim_timeline(later, TIMELINE_MAX);
	join_ooms(former, later);
	if (have_both(former, later, "progress", "progress"))
		join_progress(object_of(former, "progress"), object_of(later, "progress"));
	if (have_both(former, later, "series", "series"))
		join_series(former, later);
	cut_list(list_of(later, "gaps"), RECORD_GAPS_MAX - GAPS_LATER);
	return 0;
}

void record_join_lacking(struct json_object *record)
{
	gaps_add(list_of(record, "gaps"), "job",
		 "it goes on where another record of the job on this node ends: what ran before is not in here");
	put_flag(record, "complete", false);
}
