/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site/job_group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/json/field.h"

const char *const job_key_names[JOB_KEY_COUNT] = {
	[JOB_KEY_USER] = "user",
	[JOB_KEY_ACCOUNT] = "account",
	[JOB_KEY_PARTITION] = "partition",
	[JOB_KEY_QOS] = "qos",
	[JOB_KEY_TOOL] = "tool",
	[JOB_KEY_RULE] = "rule",
	[JOB_KEY_NODE] = "node",
	[JOB_KEY_VERDICT] = "verdict",
	[JOB_KEY_FINDING] = "finding",
	[JOB_KEY_JOB_NAME] = "job-name",
	[JOB_KEY_STATE] = "state",
	[JOB_KEY_SIZE] = "size",
	[JOB_KEY_GPU] = "gpu-model",
	[JOB_KEY_DAY] = "day",
	[JOB_KEY_WEEK] = "week",
	[JOB_KEY_MONTH] = "month",
	[JOB_KEY_CLUSTER] = "cluster",
};

static const char *const bins_names[JOB_BINS_COUNT] = {
	[JOB_BINS_CPU] = "cpu_efficiency",
	[JOB_BINS_MEMORY] = "memory_efficiency",
	[JOB_BINS_ELAPSED] = "elapsed",
	[JOB_BINS_QUEUED] = "queued",
};

/* The simple counts, as JSON names them. */
static const struct {
	const char *name;
	size_t offset;
} counts[] = {
	{ "jobs", offsetof(struct job_group, jobs) },
	{ "complete", offsetof(struct job_group, complete) },
	{ "short", offsetof(struct job_group, brief) },
	{ "oom", offsetof(struct job_group, oom) },
	{ "nodes_expected", offsetof(struct job_group, nodes_expected) },
	{ "nodes_present", offsetof(struct job_group, nodes_present) },
	{ "tool_runs", offsetof(struct job_group, tool_runs) },
	{ "tool_failures", offsetof(struct job_group, tool_failures) },
	{ "tool_cpu_ms", offsetof(struct job_group, tool_cpu_ms) },
	{ "tool_wall_ms", offsetof(struct job_group, tool_wall_ms) },
};

#define COUNTS (sizeof(counts) / sizeof(counts[0]))

static int64_t *count_in(struct job_group *group, size_t i)
{
	return (int64_t *)((char *)group + counts[i].offset);
}

static int64_t count_at(const struct job_group *group, size_t i)
{
	return *(const int64_t *)((const char *)group + counts[i].offset);
}

enum job_key job_key_find(const char *name)
{
	for (enum job_key key = 0; key < JOB_KEY_COUNT; key++)
		if (strcmp(name, job_key_names[key]) == 0)
			return key;
	return JOB_KEY_COUNT;
}

const char *job_key_words(enum job_key key, const char *value)
{
	const struct finding_rule *rule = key == JOB_KEY_FINDING && value ? rules_finding(value, strlen(value)) : NULL;

	return rule ? rule->words : value;
}

/* ---- adding ---- */

/* Forged reports can make a sum overflow. The sum is then wrong, but subtracting the same value restores it. */
static void add_to(int64_t *sum, int64_t value, int sign)
{
	*sum = (int64_t)(sign < 0 ? (uint64_t)*sum - (uint64_t)value : (uint64_t)*sum + (uint64_t)value);
}

void job_group_add_counts(struct job_group *group, const struct job_row *row, int sign)
{
	const uint64_t oom = UINT64_C(1) << FINDING_OOM_KILL, known = (UINT64_C(1) << FINDING_COUNT) - 1;

	group->jobs += sign;
	group->complete += sign * row->complete;
	group->brief += sign * (row->measure[JOB_ELAPSED] >= 0 && row->measure[JOB_ELAPSED] < JOB_SHORT_MS);
	group->oom += sign * (row->how == JOB_END_OOM || row->measure[JOB_OOM_KILLS] > 0 || (row->findings & oom));
	if (row->nodes_expected >= 0 && row->nodes_present >= 0) {
		group->nodes_expected += sign * row->nodes_expected;
		group->nodes_present += sign * row->nodes_present;
	}
	group->ends[row->how] += sign;
	group->verdicts[row->verdict] += sign;
	for (uint64_t left = row->findings & known; left; left &= left - 1)
		group->findings[__builtin_ctzll(left)] += sign;
}

void job_group_add_measures(struct job_group *group, const struct job_row *row, const enum job_measure *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t value = row->measure[list[i]];

		if (value < 0)
			continue;
		add_to(&group->sum[list[i]], value, 1);
		group->known[list[i]]++;
	}
}

void job_group_bins(const struct job_row *row, int32_t bins[JOB_BINS_COUNT])
{
	const int64_t values[JOB_BINS_COUNT] = {
		[JOB_BINS_CPU] = row->cpu_efficiency_ppm,
		[JOB_BINS_MEMORY] = row->memory_efficiency_ppm,
		[JOB_BINS_ELAPSED] = row->measure[JOB_ELAPSED],
		[JOB_BINS_QUEUED] = row->measure[JOB_QUEUED],
	};

	for (enum job_bins b = 0; b < JOB_BINS_COUNT; b++)
		bins[b] = values[b] < 0 ? -1 : bins_index(values[b]);
}

int job_group_add_binned(struct job_group *group, const struct job_row *row, const int32_t bins[JOB_BINS_COUNT], int sign,
			 struct error *err)
{
	job_group_add_counts(group, row, sign);
	for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++)
		if (row->measure[i] >= 0) {
			add_to(&group->sum[i], row->measure[i], sign);
			group->known[i] += sign;
		}
	for (enum job_bins b = 0; b < JOB_BINS_COUNT; b++)
		if (bins[b] >= 0 && bins_count(&group->bins[b], bins[b], sign, err) < 0)
			return -1;
	return 0;
}

int job_group_add(struct job_group *group, const struct job_row *row, int sign, struct error *err)
{
	int32_t bins[JOB_BINS_COUNT];

	job_group_bins(row, bins);
	return job_group_add_binned(group, row, bins, sign, err);
}

void job_group_add_tool(struct job_group *group, const struct job_row_tool *tool, int sign)
{
	add_to(&group->tool_runs, tool->runs > 0 ? tool->runs : 0, sign);
	add_to(&group->tool_failures, tool->failures > 0 ? tool->failures : 0, sign);
	add_to(&group->tool_cpu_ms, tool->cpu_ms > 0 ? tool->cpu_ms : 0, sign);
	add_to(&group->tool_wall_ms, tool->wall_ms > 0 ? tool->wall_ms : 0, sign);
}

static void add_list(int64_t *to, const int64_t *from, size_t count, int sign)
{
	for (size_t i = 0; i < count; i++)
		add_to(&to[i], from[i], sign);
}

int job_group_merge(struct job_group *group, const struct job_group *other, int sign, struct error *err)
{
	for (size_t i = 0; i < COUNTS; i++)
		add_to(count_in(group, i), count_at(other, i), sign);
	add_list(group->ends, other->ends, JOB_END_COUNT, sign);
	add_list(group->verdicts, other->verdicts, BOUND_UNKNOWN + 1, sign);
	add_list(group->findings, other->findings, FINDING_COUNT, sign);
	add_list(group->sum, other->sum, JOB_MEASURE_COUNT, sign);
	add_list(group->known, other->known, JOB_MEASURE_COUNT, sign);
	for (enum job_bins i = 0; i < JOB_BINS_COUNT; i++)
		if (bins_merge(&group->bins[i], &other->bins[i], sign, err) < 0)
			return -1;
	return 0;
}

/* ---- JSON ---- */

static const char *end_name(size_t i)
{
	return job_end_names[i];
}

static const char *verdict_name(size_t i)
{
	return bound_word((enum bound)i);
}

static const char *finding_name(size_t i)
{
	return finding_rules[i].code;
}

static const char *measure_name(size_t i)
{
	return job_measure_names[i];
}

static void put_list(struct json_object *json, const char *name, const int64_t *list, size_t count,
		     const char *(*name_of)(size_t))
{
	struct json_object *out = put_object(json, name);

	for (size_t i = 0; i < count; i++)
		if (list[i])
			put_count(out, name_of(i), list[i]);
}

/* Adds each sum that any job has, even if it is 0. */
static void put_sums(struct json_object *json, const struct job_group *group)
{
	struct json_object *out = put_object(json, "sums");

	for (size_t i = 0; i < JOB_MEASURE_COUNT; i++)
		if (group->known[i])
			put_count(out, job_measure_names[i], group->sum[i]);
}

static void put_bins(struct json_object *json, const struct job_group *group)
{
	struct json_object *all = put_object(json, "bins");
	char name[16];

	for (enum job_bins b = 0; b < JOB_BINS_COUNT; b++) {
		const struct bins *bins = &group->bins[b];
		struct json_object *out = put_object(all, bins_names[b]);

		for (size_t i = 0; i < bins->used; i++) {
			snprintf(name, sizeof(name), "%d", (int)bins->list[i].index);
			put_count(out, name, bins->list[i].count);
		}
	}
}

struct json_object *job_group_json(const struct job_group *group, const enum job_key by[JOB_KEYS_MAX])
{
	struct json_object *json = json_object_new_object(), *keys;

	if (!json)
		return NULL;
	keys = put_object(json, "keys");
	for (size_t i = 0; i < JOB_KEYS_MAX; i++)
		if (by[i] != JOB_KEY_COUNT && group->keys[i])
			put_text(keys, job_key_names[by[i]], group->keys[i]);
		else if (by[i] != JOB_KEY_COUNT)
			put_null(keys, job_key_names[by[i]]);
	for (size_t i = 0; i < COUNTS; i++)
		put_count(json, counts[i].name, count_at(group, i));
	put_list(json, "ends", group->ends, JOB_END_COUNT, end_name);
	put_list(json, "verdicts", group->verdicts, BOUND_UNKNOWN + 1, verdict_name);
	put_list(json, "findings", group->findings, FINDING_COUNT, finding_name);
	put_sums(json, group);
	put_list(json, "known", group->known, JOB_MEASURE_COUNT, measure_name);
	put_bins(json, group);
	return json;
}

static void parse_list(struct json_object *json, const char *name, int64_t *list, size_t count,
		       const char *(*name_of)(size_t))
{
	struct json_object *in = field_typed(json, name, json_type_object);

	for (size_t i = 0; in && i < count; i++)
		field_count(in, name_of(i), &list[i]);
}

static int parse_bins(struct json_object *json, struct bins *bins, struct error *err)
{
	json_object_object_foreach (json, name, value) {
		char *end;
		long index = strtol(name, &end, 10);

		if (*end || index < 0 || index > 100000 || json_object_get_int64(value) <= 0)
			return error_set(err, "a group with a bin that cannot be");
		if (bins_count(bins, (int32_t)index, json_object_get_int64(value), err) < 0)
			return -1;
	}
	return 0;
}

int job_group_parse(struct json_object *json, const enum job_key by[JOB_KEYS_MAX], struct job_group *group,
		    struct error *err)
{
	struct json_object *keys = field_typed(json, "keys", json_type_object);
	struct json_object *bins = field_typed(json, "bins", json_type_object);

	*group = (struct job_group){ 0 };
	if (!keys || !field_count(json, "jobs", &group->jobs))
		return error_set(err, "a line that is not a group of jobs");
	for (size_t i = 0; i < JOB_KEYS_MAX; i++) {
		const char *text = by[i] != JOB_KEY_COUNT ? field_text(keys, job_key_names[by[i]]) : NULL;

		group->keys[i] = text ? strdup(text) : NULL;
		if (text && !group->keys[i])
			return error_set(err, "out of memory");
	}
	for (size_t i = 0; i < COUNTS; i++)
		field_count(json, counts[i].name, count_in(group, i));
	parse_list(json, "ends", group->ends, JOB_END_COUNT, end_name);
	parse_list(json, "verdicts", group->verdicts, BOUND_UNKNOWN + 1, verdict_name);
	parse_list(json, "findings", group->findings, FINDING_COUNT, finding_name);
	parse_list(json, "sums", group->sum, JOB_MEASURE_COUNT, measure_name);
	parse_list(json, "known", group->known, JOB_MEASURE_COUNT, measure_name);
	for (enum job_bins b = 0; bins && b < JOB_BINS_COUNT; b++) {
		struct json_object *one = field_typed(bins, bins_names[b], json_type_object);

		if (one && parse_bins(one, &group->bins[b], err) < 0)
			return -1;
	}
	return 0;
}

void job_group_free(struct job_group *group)
{
	for (size_t i = 0; i < JOB_KEYS_MAX; i++)
		free(group->keys[i]);
	for (enum job_bins b = 0; b < JOB_BINS_COUNT; b++)
		bins_free(&group->bins[b]);
	*group = (struct job_group){ 0 };
}
