/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_oom.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/json/field.h"
#include "reports/records/record_input.h"
#include "reports/records/sums.h"

#define VICTIMS_MAX 1024 /* of a job; a node's record has at most 64 */

struct victim {
	struct json_object *json, *record;
	int64_t time_ns;
	size_t serial; /* victims of the same moment stay in the records' order */
};

static int compare_victims(const void *a, const void *b)
{
	const struct victim *one = a, *other = b;

	if (one->time_ns != other->time_ns)
		return one->time_ns < other->time_ns ? -1 : 1;
	return one->serial < other->serial ? -1 : one->serial > other->serial;
}

static struct json_object *list_of(struct json_object *record)
{
	return field_typed(record, "oom", json_type_array);
}

static void put_victim(const struct victim *victim, const struct merge_script *script, struct report *report)
{
	struct report_oom_kill *out = REPORT_ADD(report, &report->oom, oom_kill);
	struct json_object *json = victim->json;
	char time[TIME_TEXT];

	if (victim->time_ns >= 0)
		out->time = report_copy(report, time_text(victim->time_ns, time));
	out->tool = report_copy(report, merge_tool_name(victim->record, json, script));
	out->comm = report_copy(report, field_text(json, "comm"));
	field_count(json, "pid", &out->pid);
	out->node = report_copy(report, record_node(victim->record));
	out->step = report_copy(report, field_text(json, "step"));
	field_count(json, "rss_bytes", &out->rss_bytes);
	field_count(json, "used_bytes", &out->used_bytes);
	field_count(json, "limit_bytes", &out->limit_bytes);
	field_count(json, "kernel_bytes", &out->kernel_bytes);
	field_count(json, "slab_bytes", &out->slab_bytes);
	field_count(json, "names_bytes", &out->names_bytes);
	field_count(json, "page_table_bytes", &out->page_table_bytes);
	out->node_ran_out = field_true(json, "node_ran_out");
	out->along = field_true(json, "along");
	out->slurm = merge_is_slurms(victim->record, json);
}

static size_t collect_victims(struct json_object *const records[], size_t count, struct victim *victims)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t v = 0; v < field_length(list_of(records[i])); v++) {
			struct victim *victim = &victims[used];

			victim->record = records[i];
			victim->json = json_object_array_get_idx(list_of(records[i]), v);
			victim->time_ns = -1;
			field_count(victim->json, "time_unix_ns", &victim->time_ns);
			victim->serial = used++;
		}
	return used;
}

void oom_put(struct json_object *const records[], size_t count, const struct merge_script *script,
	     struct making *making)
{
	cleanup_free struct victim *victims = NULL;
	size_t room = 0, used, known = count == 0;

	for (size_t i = 0; i < count; i++) {
		if (list_of(records[i]))
			known++;
		else
			sum_gap(making, "oom", NULL, (unsigned int)count, record_node(records[i]));
		room += field_length(list_of(records[i]));
	}
	victims = calloc(room + 1, sizeof(*victims));
	if (!victims)
		report_lacked(making->report);
	if (!victims || !known)
		return;
	used = collect_victims(records, count, victims);
	qsort(victims, used, sizeof(*victims), compare_victims);
	making->report->oom.known = true;
	for (size_t i = 0; i < used && i < VICTIMS_MAX; i++)
		put_victim(&victims[i], script, making->report);
	if (used > VICTIMS_MAX)
		making_gapf(making, "oom", "the first %d of %zu are listed", VICTIMS_MAX, used);
}

static int64_t count_victims(const struct report_oom_kill_list *list, const char *tool)
{
	int64_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += report_text_is(list->items[i].tool, tool);
	return count;
}

/* A tool's signals are counted for its runs only: victims beyond that number were forks. */
void oom_count_forks(struct report *report)
{
	for (size_t i = 0; report->oom.count > 0 && i < report->tools.count; i++) {
		struct report_tool *tool = &report->tools.items[i];
		int64_t victims = count_victims(&report->oom, tool->name), more = victims - tool->signals;

		if (tool->failures < 0 || tool->signals < 0 || tool->forks < 0 || more <= 0 || more > tool->forks)
			continue;
		tool->failures = count_sum(tool->failures, more);
		tool->signals = victims;
	}
}
