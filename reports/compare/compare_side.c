/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/memory/array.h"
#include "common/memory/map.h"
#include "reports/compare/compare.h"
#include "reports/model/gpu_use.h"
#include "reports/model/report_read.h"

#define WAITS_MAX 64 /* more than any kernel has mounted */

static bool is_part_of(const char *whole, const char *name)
{
	size_t length = strlen(whole);

	return strncmp(name, whole, length) == 0 && (name[length] == '\0' || name[length] == '.');
}

/* The gap "some" is also about all values that are counted at context switches. */
static bool gap_is_of(const char *gap, const char *name)
{
	if (is_part_of(gap, name) || is_part_of(name, gap))
		return true;
	if (strcmp(gap, "gpus") == 0 && strcmp(name, "gpu_efficiency") == 0)
		return true;
	return strcmp(gap, REPORT_PATH(states.some)) == 0 &&
	       (is_part_of(REPORT_PATH(states.bound), name) || strcmp(name, REPORT_PATH(states.active_s)) == 0);
}

static const char *find_reason(const struct report_gap_list *gaps, const char *name)
{
	for (size_t i = 0; i < gaps->count; i++)
		if (gaps->items[i].name && gap_is_of(gaps->items[i].name, name))
			return gaps->items[i].reason;
	return NULL;
}

/* Of the time for which it is known whether the GPUs were busy. */
static double gpu_efficiency(const struct report *report)
{
	struct gpu_use use;

	gpu_use_read(report, &use);
	return use.busy_s + use.idle_s > 0 ? use.busy_s / (use.busy_s + use.idle_s) : NAN;
}

static double read_member(const struct report *report, const struct compare_rule *rule)
{
	const void *member = (const char *)report + rule->offset;

	switch (rule->unit) {
	case COMPARE_SECONDS:
		return report_s(*(const struct report_seconds *)member);
	case COMPARE_BYTES:
	case COMPARE_COUNT:
		return report_number(*(const int64_t *)member);
	case COMPARE_SHARE:
		return *(const double *)member;
	case COMPARE_GPU_SHARE:
		return gpu_efficiency(report);
	case COMPARE_CORE_HOURS:
		break;
	}
	return report_s(report->job.elapsed_s) * report_number(report->allocated.cpus) / 3600;
}

/* The report sums times over nodes. For time that passes on all nodes at once, this returns the mean. */
static double read_value(const struct report *report, const struct compare_rule *rule)
{
	return read_member(report, rule) / (rule->wait && report->nodes.count > 1 ? (double)report->nodes.count : 1);
}

static void read_values(struct compare_side *side, const struct report *report)
{
	for (size_t i = 0; i < compare_rule_count; i++) {
		double value = read_value(report, &compare_rules[i]);
		const char *reason;

		side->values[i][side->count] = value;
		if (!isnan(value) || side->reasons[i])
			continue;
		reason = find_reason(&report->gaps, compare_rules[i].name);
		if (reason)
			side->reasons[i] = strdup(reason);
	}
}

static void keep_common(double *common, double value, bool first)
{
	if (first)
		*common = value;
	else if (*common != value)
		*common = NAN;
}

static void read_asked(struct compare_side *side, const struct report *report)
{
	int64_t cpus = report->requested.cpus < 0 ? report->allocated.cpus : report->requested.cpus;

	keep_common(&side->cpus_asked, report_number(cpus), side->count == 0);
	side->gpus = side->gpus || report->allocated.gpus > 0;
	keep_common(&side->memory_asked, report_number(report->requested.memory_bytes), side->count == 0);
}

/* Makes the key of a tool, for free(). Returns its size in bytes; 0 if out of memory. */
static size_t make_key(const struct compare_tool *like, char **key)
{
	int size = like->script ? asprintf(key, "%c", '\0') : asprintf(key, "%s%c%s", like->name, '\0', like->interpreter);

	return size < 0 ? (*key = NULL, 0) : (size_t)size;
}

struct compare_tool *compare_side_tool(const struct compare_side *side, const struct compare_tool *like)
{
	cleanup_free char *key = NULL;
	size_t size = make_key(like, &key);
	const struct map_entry *place = size ? map_find(&side->tool_places, key, size) : NULL;

	return place && place->number ? &side->tools[place->number - 1] : NULL;
}

static struct compare_tool *add_tool(struct compare_side *side, const struct compare_tool *like)
{
	struct compare_tool *tool;

	if (!array_room(&side->tools, side->tool_count, sizeof(*side->tools)))
		return NULL;
	tool = &side->tools[side->tool_count];
	*tool = (struct compare_tool){ .script = like->script, .name = strdup(like->name), .interpreter = strdup(like->interpreter) };
	if (tool->name && tool->interpreter) {
		side->tool_count++;
		return tool;
	}
	free(tool->name);
	free(tool->interpreter);
	return NULL;
}

/* Returns the tool of @side that matches @like. Adds it if there is none. NULL if out of memory. */
static struct compare_tool *take_tool(struct compare_side *side, const struct compare_tool *like)
{
	cleanup_free char *key = NULL;
	size_t size = make_key(like, &key);
	struct map_entry *place = size ? map_get(&side->tool_places, key, size) : NULL;
	struct compare_tool *tool;

	if (!place)
		return NULL;
	if (place->number)
		return &side->tools[place->number - 1];
	tool = add_tool(side, like);
	if (tool)
		place->number = (int64_t)side->tool_count;
	return tool;
}

static double or_zero(double value)
{
	return isnan(value) ? 0 : value;
}

static void read_tools(struct compare_side *side, const struct report *report)
{
	for (size_t i = 0; i < report->tools.count; i++) {
		const struct report_tool *from = &report->tools.items[i];
		struct compare_tool like = { .name = (char *)(uintptr_t)from->name, .script = report_is_script(from) }, *tool;

		if (!from->name || from->slurm.value)
			continue;
		like.interpreter = (char *)(uintptr_t)(from->interpreter ? from->interpreter : "");
		tool = take_tool(side, &like);
		if (!tool)
			return;
		tool->runs += or_zero(report_number(from->runs));
		tool->failures += or_zero(report_number(from->failures));
		tool->cpu_s += or_zero(report_s(from->cpu_s));
		tool->wall_s += or_zero(report_s(from->wall_s));
	}
}

static void read_waits(struct compare_side *side, const struct report *report)
{
	const struct report_file_system_list *list = &report->used.file_systems;

	for (size_t i = 0; i < list->count; i++) {
		const char *type = list->items[i].type;
		size_t at = 0;

		for (; type && at < side->wait_count && strcmp(side->waits[at].type, type) != 0;)
			at++;
		if (!type || !*type || at == WAITS_MAX)
			continue;
		if (at == side->wait_count) {
			if (!array_room(&side->waits, at, sizeof(*side->waits)))
				return;
			side->waits[at] = (struct compare_wait){ .type = strdup(type) };
			if (!side->waits[at].type)
				return;
			side->wait_count++;
		}
		side->waits[at].seconds += or_zero(report_s(list->items[i].wait_s));
	}
}

/* Complete reports can have gaps, too. So prefers a gap of the whole job or of its totals. */
static const char *why_incomplete(const struct report *report)
{
	static const char *const names[] = { "job", "nodes", "used", REPORT_PATH(used.cpu_s) };
	const struct report_gap_list *gaps = &report->gaps;
	const char *reason = gaps->count ? gaps->items[0].reason : NULL;

	if (report->so_far)
		return "it is still running";
	for (size_t i = 0; i < gaps->count; i++) {
		const struct report_gap *gap = &gaps->items[i];

		for (size_t n = 0; gap->name && gap->reason && n < sizeof(names) / sizeof(names[0]); n++)
			if (strcmp(gap->name, names[n]) == 0)
				return gap->reason;
	}
	return reason ? reason : "its report does not say why";
}

static void note_incomplete(struct compare_side *side, const struct report *report)
{
	side->incomplete++;
	if (!side->incomplete_why)
		side->incomplete_why = strdup(why_incomplete(report));
}

/* Leaves out an incomplete task of an array. Keeps an incomplete single job, and marks it. */
static void take_report(struct compare_side *side, const struct summary *row, const struct report *report)
{
	if (!report->complete.value) {
		note_incomplete(side, report);
		if (side->rows.count > 1)
			return;
	}
	read_asked(side, report);
	side->several_nodes |= report->nodes.count > 1;
	read_values(side, report);
	read_tools(side, report);
	read_waits(side, report);
	side->tasks[side->count++] = row->task;
}

static int make_room(struct compare_side *side, struct error *err)
{
	side->values = calloc(compare_rule_count, sizeof(*side->values));
	side->reasons = calloc(compare_rule_count, sizeof(*side->reasons));
	side->tasks = calloc(side->rows.count + 1, sizeof(*side->tasks));
	for (size_t i = 0; side->values && i < compare_rule_count; i++) {
		side->values[i] = calloc(side->rows.count + 1, sizeof(double));
		if (!side->values[i])
			return error_set(err, "out of memory");
	}
	return side->values && side->reasons && side->tasks ? 0 : error_set(err, "out of memory");
}

int compare_side_read(struct compare_side *side, const char *who, const char *what, const char *config,
		      struct error *err)
{
	side->rows.who = who;
	if (find_rows(&side->rows, what, config, err) < 0 || make_room(side, err) < 0)
		return -1;
	for (size_t i = 0; i < side->rows.count; i++) {
		struct summary *row = &side->rows.list[i];
		struct error why = { "" };
		cleanup_report struct report *report = row->error ? NULL : find_parts_of(row, REPORT_PARTS_BRIEF, &why);

		if (!report) {
			find_complain(who, row->error ? row->error : why.text);
			side->rows.failed = true;
			continue;
		}
		take_report(side, row, report);
	}
	if (side->count == 0 && side->incomplete > 0)
		return error_set(err, "%s: none of its %zu tasks is complete: %.200s", what, side->incomplete,
				 side->incomplete_why ? side->incomplete_why : "");
	return side->count > 0 ? 0 : error_set(err, "%s", ""); /* each file's error was already printed */
}

void compare_side_free(struct compare_side *side)
{
	for (size_t i = 0; i < compare_rule_count; i++) {
		if (side->values)
			free(side->values[i]);
		if (side->reasons)
			free(side->reasons[i]);
	}
	for (size_t i = 0; i < side->tool_count; i++) {
		free(side->tools[i].name);
		free(side->tools[i].interpreter);
	}
	for (size_t i = 0; i < side->wait_count; i++)
		free(side->waits[i].type);
	free(side->values);
	free(side->reasons);
	free(side->tools);
	map_free(&side->tool_places);
	free(side->waits);
	free(side->tasks);
	free(side->incomplete_why);
	rows_free(&side->rows);
}
