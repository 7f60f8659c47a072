/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_oom.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/ending/parts.h"
#include "reports/json/field.h"
#include "reports/json/gaps.h"
#include "reports/records/record_input.h"
#include "reports/records/sums.h"

#define VICTIMS_MAX 1024 /* of a job; a node's record has at most 64 */

struct victim {
	struct json_object *json, *record;
	int64_t time_ns;
	size_t serial; /* victims of one moment stay in the records' order */
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

static void copy_count(struct json_object *out, struct json_object *from, const char *name)
{
	int64_t value;

	if (field_count(from, name, &value))
		put_count(out, name, value);
}

static void copy_flag(struct json_object *out, struct json_object *from, const char *name)
{
	if (field_true(from, name))
		put_flag(out, name, true);
}

static struct json_object *victim_object(const struct victim *victim, const struct merge_script *script)
{
	struct json_object *out = json_object_new_object();

	if (victim->time_ns >= 0)
		put_time(out, "time", victim->time_ns);
	put_text(out, "tool", merge_tool_name(victim->record, victim->json, script));
	put_text(out, "comm", field_text(victim->json, "comm"));
	copy_count(out, victim->json, "pid");
	put_text(out, "node", record_node(victim->record));
	put_text(out, "step", field_text(victim->json, "step"));
	copy_count(out, victim->json, "rss_bytes");
	copy_count(out, victim->json, "used_bytes");
	copy_count(out, victim->json, "limit_bytes");
	copy_count(out, victim->json, "kernel_bytes");
	copy_count(out, victim->json, "slab_bytes");
	copy_count(out, victim->json, "names_bytes");
	copy_count(out, victim->json, "page_table_bytes");
	copy_flag(out, victim->json, "node_ran_out");
	copy_flag(out, victim->json, "along");
	if (merge_is_slurms(victim->record, victim->json))
		put_flag(out, "slurm", true);
	return out;
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
	     struct json_object *report, struct json_object *gaps)
{
	cleanup_free struct victim *victims = NULL;
	struct json_object *list;
	size_t room = 0, used, known = count == 0;

	for (size_t i = 0; i < count; i++) {
		if (list_of(records[i]))
			known++;
		else
			sum_gap(gaps, "oom", NULL, (unsigned int)count, record_node(records[i]));
		room += field_length(list_of(records[i]));
	}
	victims = calloc(room + 1, sizeof(*victims));
	if (!victims || !known)
		return;
	used = collect_victims(records, count, victims);
	qsort(victims, used, sizeof(*victims), compare_victims);
	list = put_array(report, "oom");
	for (size_t i = 0; i < used && i < VICTIMS_MAX; i++)
		json_object_array_add(list, victim_object(&victims[i], script));
	if (used > VICTIMS_MAX)
		gaps_addf(gaps, "oom", "the first %d of %zu are listed", VICTIMS_MAX, used);
}

/* A tool's signals are those of its runs: what is above them in the number of victims were forks. */
void oom_count_forks(struct json_object *report)
{
	struct json_object *list = field_typed(report, "oom", json_type_array);
	struct json_object *tools = field_typed(report, "tools", json_type_array);

	for (size_t i = 0; field_length(list) > 0 && i < field_length(tools); i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);
		int64_t victims = parts_victims(report, field_text(tool, "name")), failures, signals, forks;

		if (!field_count(tool, "failures", &failures) || !field_count(tool, "signals", &signals) ||
		    !field_count(tool, "forks", &forks) || victims <= signals || victims - signals > forks)
			continue;
		put_count(tool, "failures", failures + victims - signals);
		put_count(tool, "signals", victims);
	}
}
