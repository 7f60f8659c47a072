/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site/job_groups.h"

#include <math.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/memory/array.h"

/* ---- the keys of a row ---- */

static const struct {
	int64_t least;
	const char *name;
} sizes[] = {
	{ 2049, "2049-" }, { 513, "513-2048" }, { 129, "129-512" }, { 33, "33-128" }, { 9, "9-32" }, { 2, "2-8" }, { 1, "1" },
	{ INT64_MIN, NULL },
};

static size_t size_place(const struct job_row *row)
{
	size_t i = 0;

	while (row->allocated_cpus < sizes[i].least)
		i++;
	return i;
}

int64_t job_size_least(const struct job_row *row)
{
	size_t place = size_place(row);

	return sizes[place].name ? sizes[place].least : 0;
}

bool job_size_bounds(const char *name, int64_t *least, int64_t *most)
{
	*most = 0;
	for (size_t i = 0; sizes[i].name; i++) {
		*least = sizes[i].least;
		if (strcmp(sizes[i].name, name) == 0)
			return true;
		*most = sizes[i].least - 1;
	}
	return false;
}

/* Returns the day, the Monday or the month of the end, in the process's time zone. */
static const char *date_of(const struct job_row *row, enum job_key key, char text[JOB_KEY_TEXT])
{
	time_t end = (time_t)(row->end_us / 1000000);
	struct tm parts;

	if (row->end_us < 0 || !localtime_r(&end, &parts))
		return NULL;
	if (key == JOB_KEY_WEEK) {
		parts.tm_mday -= (parts.tm_wday + 6) % 7;
		parts.tm_hour = 12; /* at noon, no clock change moves the time to another day */
		parts.tm_isdst = -1;
		mktime(&parts);
	}
	return strftime(text, JOB_KEY_TEXT, key == JOB_KEY_MONTH ? "%Y-%m" : "%Y-%m-%d", &parts) ? text : NULL;
}

size_t job_key_values(const struct job_row *row, enum job_key key)
{
	size_t count = 0;

	if (key == JOB_KEY_TOOL)
		count = row->tool_count;
	else if (key == JOB_KEY_NODE)
		count = row->node_count;
	for (enum finding f = 0; key == JOB_KEY_FINDING && f < FINDING_COUNT; f++)
		count += row->findings >> f & 1;
	return count ? count : 1;
}

static const char *finding_at(const struct job_row *row, size_t place)
{
	for (enum finding f = 0; f < FINDING_COUNT; f++)
		if ((row->findings >> f & 1) && place-- == 0)
			return finding_rules[f].code;
	return NULL;
}

/* Names of the groups "(other ...)". Only keys whose values users can choose have such a group. */
static const char *const others[JOB_KEY_COUNT + 1] = {
	[JOB_KEY_TOOL] = JOB_OTHER_TOOLS,
	[JOB_KEY_RULE] = "(other rules)",
	[JOB_KEY_JOB_NAME] = "(other names)",
};

/* Returns value number @place of @key, in @row or @text; NULL if not known. */
static const char *value_at(const struct job_row *row, enum job_key key, size_t place, char text[JOB_KEY_TEXT])
{
	switch (key) {
	case JOB_KEY_USER:
		return row->user;
	case JOB_KEY_ACCOUNT:
		return row->account;
	case JOB_KEY_PARTITION:
		return row->partition;
	case JOB_KEY_QOS:
		return row->qos;
	case JOB_KEY_TOOL:
		return place < row->tool_count ? row->tools[place].name ? row->tools[place].name : others[key] : NULL;
	case JOB_KEY_RULE:
		return row->rule;
	case JOB_KEY_NODE:
		return place < row->node_count ? row->nodes[place].name : NULL;
	case JOB_KEY_VERDICT:
		return bound_word(row->verdict);
	case JOB_KEY_FINDING:
		return finding_at(row, place);
	case JOB_KEY_GPU:
		return row->gpu_model;
	case JOB_KEY_JOB_NAME:
		return row->name;
	case JOB_KEY_STATE:
		return row->state;
	case JOB_KEY_SIZE:
		return sizes[size_place(row)].name;
	case JOB_KEY_DAY:
	case JOB_KEY_WEEK:
	case JOB_KEY_MONTH:
		return date_of(row, key, text);
	case JOB_KEY_CLUSTER:
		return row->cluster;
	case JOB_KEY_COUNT:
		break;
	}
	return NULL;
}

bool job_key_is_time(enum job_key key)
{
	return key == JOB_KEY_DAY || key == JOB_KEY_WEEK || key == JOB_KEY_MONTH;
}

static void name_value(char why[JOB_VALUES_TEXT], const char *name)
{
	size_t used = strlen(why);

	snprintf(why + used, JOB_VALUES_TEXT - used, "%s%s", used ? ", " : "", name);
}

static bool allows_size(const char *value, char why[JOB_VALUES_TEXT])
{
	bool found = false;

	for (size_t i = sizeof(sizes) / sizeof(sizes[0]) - 1; i-- > 0;) {
		found = found || strcmp(sizes[i].name, value) == 0;
		name_value(why, sizes[i].name);
	}
	return found;
}

int job_verdict_find(const char *word)
{
	int b = 0;

	while (b <= BOUND_UNKNOWN && strcmp(bound_word((enum bound)b), word) != 0)
		b++;
	return b;
}

static bool allows_verdict(const char *value, char why[JOB_VALUES_TEXT])
{
	for (enum bound b = 0; b <= BOUND_UNKNOWN; b++)
		name_value(why, bound_word(b));
	return job_verdict_find(value) <= BOUND_UNKNOWN;
}

static bool allows_finding(const char *value, char why[JOB_VALUES_TEXT])
{
	name_value(why, "--by finding lists them");
	return rules_finding(value, strlen(value));
}

/* Returns whether @value has digits and dashes where @form has them. */
static bool allows_date(const char *value, const char *form, char why[JOB_VALUES_TEXT])
{
	name_value(why, form);
	for (; *form; form++, value++)
		if (*form == '-' ? *value != '-' : *value < '0' || *value > '9')
			return false;
	return !*value;
}

/* A week is named by its Monday. */
static bool allows_week(const char *value, char why[JOB_VALUES_TEXT])
{
	struct tm day = { .tm_hour = 12 };

	if (!allows_date(value, "2026-11-16", why) || sscanf(value, "%d-%d-%d", &day.tm_year, &day.tm_mon, &day.tm_mday) != 3)
		return false;
	snprintf(why, JOB_VALUES_TEXT, "it is named by its Monday, as 2026-11-16");
	day.tm_year -= 1900;
	day.tm_mon -= 1;
	return timegm(&day) >= 0 && day.tm_wday == 1;
}

bool job_key_allows(enum job_key key, const char *value, char why[JOB_VALUES_TEXT])
{
	why[0] = '\0';
	if (!*value || strcmp(value, "-") == 0)
		return true;
	switch (key) {
	case JOB_KEY_SIZE:
		return allows_size(value, why);
	case JOB_KEY_VERDICT:
		return allows_verdict(value, why);
	case JOB_KEY_FINDING:
		return allows_finding(value, why);
	case JOB_KEY_DAY:
		return allows_date(value, "2026-11-22", why);
	case JOB_KEY_WEEK:
		return allows_week(value, why);
	case JOB_KEY_MONTH:
		return allows_date(value, "2026-11", why);
	default:
		return true;
	}
}

bool job_filters_pass(const struct job_filter *filters, size_t count, const struct job_row *row)
{
	for (size_t i = 0; i < count; i++) {
		size_t values = job_key_values(row, filters[i].key), v = 0;
		const char *wanted = strcmp(filters[i].value, "-") == 0 ? "" : filters[i].value;
		char text[JOB_KEY_TEXT];

		for (; v < values; v++) {
			const char *value = value_at(row, filters[i].key, v, text);

			if (strcmp(value ? value : "", wanted) == 0)
				break;
		}
		if (v == values)
			return false;
	}
	return true;
}

/* ---- groups ---- */

static int compare_keys(const void *a, const void *b)
{
	const struct job_group *one = a, *other = b;
	int order = 0;

	for (size_t i = 0; !order && i < JOB_KEYS_MAX; i++) {
		order = !one->keys[i] - !other->keys[i];
		if (!order && one->keys[i])
			order = strcmp(one->keys[i], other->keys[i]);
	}
	return order;
}

struct job_group *job_groups_find(const struct job_groups *groups, const struct job_group *like)
{
	void *const *found = tfind(like, &groups->tree, compare_keys);

	return found ? *found : NULL;
}

static struct job_group *new_group(struct job_groups *groups, const struct job_group *like)
{
	struct job_group *group = array_room(&groups->list, groups->count, sizeof(*groups->list)) ? calloc(1, sizeof(*group))
												  : NULL;

	for (size_t i = 0; group && i < JOB_KEYS_MAX; i++)
		if (like->keys[i] && !(group->keys[i] = strdup(like->keys[i]))) {
			job_group_free(group);
			free(group);
			group = NULL;
		}
	if (!group)
		return NULL;
	if (!tsearch(group, &groups->tree, compare_keys)) {
		job_group_free(group);
		free(group);
		return NULL;
	}
	groups->list[groups->count++] = group;
	return group;
}

/* ---- order ---- */

struct order {
	enum job_figure figure;
	bool ascending, by_key;
};

/*
 * Sorts by the keys or by a figure, as struct order says. Unknown figures come last. Groups with equal figures are
 * sorted by the keys.
 */
static int compare_groups(const void *a, const void *b, void *context)
{
	const struct job_group *one = *(struct job_group *const *)a, *other = *(struct job_group *const *)b;
	const struct order *order = context;
	double x = job_figure(one, order->figure), y = job_figure(other, order->figure);

	if (!order->by_key && isnan(x) != isnan(y))
		return isnan(x) ? 1 : -1;
	if (!order->by_key && x != y && !isnan(x))
		return (x < y ? 1 : -1) * (order->ascending ? -1 : 1);
	return compare_keys(one, other);
}

/* ---- limiting the number of groups ---- */

/* Returns whether @group may join a group "(other ...)". Fills @like with the keys of the group "(other ...)". */
static bool can_fold(const struct job_groups *groups, const struct job_group *group, struct job_group *like)
{
	bool can = false;

	for (size_t i = 0; i < JOB_KEYS_MAX; i++) {
		const char *other = group->keys[i] ? others[groups->by[i]] : NULL;

		like->keys[i] = other ? (char *)(uintptr_t)other : group->keys[i];
		can = can || (other && strcmp(other, group->keys[i]) != 0);
	}
	return can;
}

void job_groups_by(struct job_groups *groups, enum job_key key)
{
	groups->by[0] = key;
	for (size_t i = 1; i < JOB_KEYS_MAX; i++)
		groups->by[i] = JOB_KEY_COUNT;
}

bool job_groups_are_by(const struct job_groups *groups, enum job_key key)
{
	for (size_t i = 0; i < JOB_KEYS_MAX; i++)
		if (groups->by[i] == key)
			return true;
	return false;
}

static enum job_figure what_counts(const struct job_groups *groups)
{
	return job_groups_are_by(groups, JOB_KEY_TOOL) ? FIGURE_TOOL_CPU_H : FIGURE_CORE_H_WASTED;
}

#define FOLDED_KEY 512 /* lists of keys that differ only after so many bytes are taken for equal */

static size_t folded_key(const struct job_group *group, char key[FOLDED_KEY])
{
	size_t used = 0;

	for (size_t i = 0; i < JOB_KEYS_MAX && used < FOLDED_KEY; i++)
		used += (size_t)snprintf(key + used, FOLDED_KEY - used, "%s\n", group->keys[i] ? group->keys[i] : "");
	return used < FOLDED_KEY ? used : FOLDED_KEY - 1;
}

/* Notes the group for job_groups_left_out(). If out of memory, job_groups_left_out() returns a smaller number. */
static void note_folded(struct job_groups *groups, const struct job_group *group)
{
	char key[FOLDED_KEY];

	if (groups->folded.count < JOB_FOLDED_MOST)
		map_get(&groups->folded, key, folded_key(group, key));
}

int64_t job_groups_left_out(const struct job_groups *groups, bool *more)
{
	int64_t count = (int64_t)groups->folded.count;
	char key[FOLDED_KEY];

	*more = groups->folded.count >= JOB_FOLDED_MOST;
	for (size_t i = 0; count && i < groups->count; i++)
		count -= map_find(&groups->folded, key, folded_key(groups->list[i], key)) != NULL;
	return count;
}

/* Adds the groups of @list to "(other ...)", and frees these groups. They must not be in groups->tree. */
static int add_to_others(struct job_groups *groups, struct job_group **list, size_t count, struct error *err)
{
	int result = 0;

	for (size_t i = 0; i < count; i++) {
		struct job_group like = { 0 }, *to;

		note_folded(groups, list[i]);
		can_fold(groups, list[i], &like);
		to = job_groups_find(groups, &like);
		if (!to)
			to = new_group(groups, &like);
		if (result == 0)
			result = to ? job_group_merge(to, list[i], 1, err) : error_set(err, "out of memory");
		job_group_free(list[i]);
		free(list[i]);
	}
	return result;
}

/* Of the groups that may join "(other ...)", keeps JOB_GROUPS_MOST, and adds the rest to "(other ...)". */
static int fold(struct job_groups *groups, struct error *err)
{
	struct order order = { .figure = what_counts(groups) };
	struct job_group **going = calloc(groups->count, sizeof(*going)), like = { 0 };
	size_t count = 0, stay = 0;
	int result = 0;

	if (!going)
		return error_set(err, "out of memory");
	for (size_t i = 0; i < groups->count; i++)
		if (can_fold(groups, groups->list[i], &like))
			going[count++] = groups->list[i];
		else
			groups->list[stay++] = groups->list[i];
	qsort_r(going, count, sizeof(going[0]), compare_groups, &order);
	for (size_t i = 0; i < count; i++)
		if (i < JOB_GROUPS_MOST)
			groups->list[stay++] = going[i];
		else
			tdelete(going[i], &groups->tree, compare_keys);
	groups->count = stay;
	if (count > JOB_GROUPS_MOST)
		result = add_to_others(groups, going + JOB_GROUPS_MOST, count - JOB_GROUPS_MOST, err);
	free(going);
	groups->kept = groups->count;
	return result;
}

static bool are_many(const struct job_groups *groups, size_t more)
{
	bool can = false;

	for (size_t i = 0; i < JOB_KEYS_MAX; i++)
		can = can || others[groups->by[i]];
	return can && groups->count > JOB_GROUPS_MOST && groups->count >= groups->kept + more;
}

/* Returns the group with the keys of @like, and creates the group if needed; NULL with @err set if out of memory. */
static struct job_group *group_of(struct job_groups *groups, const struct job_group *like, struct error *err)
{
	struct job_group *group = job_groups_find(groups, like);

	if (!group && are_many(groups, groups->kept ? JOB_GROUPS_MOST : 2 * JOB_GROUPS_MOST) && fold(groups, err) < 0)
		return NULL;
	if (!group)
		group = new_group(groups, like);
	if (!group)
		error_set(err, "out of memory");
	return group;
}

/* ---- a part of a job ---- */

static void forget_measures(struct job_row *part)
{
	for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++)
		part->measure[i] = JOB_UNKNOWN;
	part->cpu_efficiency_ppm = part->memory_efficiency_ppm = JOB_UNKNOWN;
}

static int64_t less(int64_t given, int64_t used)
{
	return given < 0 || used < 0 ? JOB_UNKNOWN : given > used ? given - used : 0;
}

static int64_t ppm(int64_t used, int64_t given)
{
	if (used < 0 || given <= 0)
		return JOB_UNKNOWN;
	return used >= given ? 1000000 : (int64_t)((double)used / (double)given * 1e6 + 0.5);
}

/* Reduces @part to what ran on @node. */
static void take_node(struct job_row *part, const struct job_row *row, const struct job_row_node *node)
{
	int64_t *m = part->measure;

	forget_measures(part);
	m[JOB_ELAPSED] = m[JOB_NODE_GIVEN] = row->measure[JOB_ELAPSED];
	part->nodes_expected = 1;
	part->nodes_present = node->present;
	if (!node->present)
		return;
	m[JOB_CPU_GIVEN] = node->cpu_given_core_ms;
	m[JOB_CPU_USED] = node->cpu_used_core_ms;
	m[JOB_CPU_WASTED] = less(m[JOB_CPU_GIVEN], m[JOB_CPU_USED]);
	m[JOB_CPU_JUDGED] = m[JOB_CPU_WASTED] < 0 ? JOB_UNKNOWN : m[JOB_CPU_GIVEN];
	m[JOB_MEM_GIVEN] = node->mem_given_mib_s;
	m[JOB_MEM_USED] = node->mem_used_mib_s;
	m[JOB_MEM_WASTED] = less(m[JOB_MEM_GIVEN], m[JOB_MEM_USED]);
	part->cpu_efficiency_ppm = ppm(m[JOB_CPU_USED], m[JOB_CPU_GIVEN]);
	part->memory_efficiency_ppm = ppm(m[JOB_MEM_USED], m[JOB_MEM_GIVEN]);
}

void job_key_part(struct job_row *part, const struct job_row *row, enum job_key key, size_t place)
{
	if (key == JOB_KEY_NODE && place < row->node_count)
		take_node(part, row, &row->nodes[place]);
	else if (key == JOB_KEY_TOOL && place < row->tool_count)
		forget_measures(part);
}

const struct job_row_tool *job_key_parts(struct job_row *part, const struct job_row *row, const enum job_key by[JOB_KEYS_MAX],
					 const size_t place[JOB_KEYS_MAX])
{
	const struct job_row_tool *tool = NULL;

	for (size_t i = 0; i < JOB_KEYS_MAX; i++) {
		if (by[i] == JOB_KEY_NODE)
			job_key_part(part, row, JOB_KEY_NODE, place[i]);
		if (by[i] == JOB_KEY_TOOL && place[i] < row->tool_count)
			tool = &row->tools[place[i]];
	}
	if (tool) /* after the node: a node's measures must not count as measures of a tool on the node */
		job_key_part(part, row, JOB_KEY_TOOL, (size_t)(tool - row->tools));
	return tool;
}

/* @place: which value of each key the group has */
static int add_at(struct job_groups *groups, const struct job_row *row, const size_t place[JOB_KEYS_MAX],
		  struct error *err)
{
	struct job_row part = *row;
	struct job_group like = { 0 }, *group;
	char text[JOB_KEYS_MAX][JOB_KEY_TEXT];
	const struct job_row_tool *tool = job_key_parts(&part, row, groups->by, place);

	for (size_t i = 0; i < JOB_KEYS_MAX; i++)
		like.keys[i] = (char *)(uintptr_t)value_at(row, groups->by[i], place[i], text[i]);
	group = group_of(groups, &like, err);
	if (!group)
		return -1;
	if (tool)
		job_group_add_tool(group, tool, 1);
	return job_group_add(group, &part, 1, err);
}

bool job_groups_next(const struct job_groups *groups, const struct job_row *row, size_t place[JOB_KEYS_MAX])
{
	for (size_t i = JOB_KEYS_MAX; i-- > 0;) {
		if (++place[i] < job_key_values(row, groups->by[i]))
			return true;
		place[i] = 0;
	}
	return false;
}

int job_groups_add(struct job_groups *groups, const struct job_row *row, struct error *err)
{
	size_t place[JOB_KEYS_MAX] = { 0 };

	do
		if (add_at(groups, row, place, err) < 0)
			return -1;
	while (job_groups_next(groups, row, place));
	return 0;
}

int job_groups_merge(struct job_groups *groups, const struct job_row *who, const struct job_group *group,
		     struct error *err)
{
	struct job_group like = { 0 }, *to;
	char text[JOB_KEYS_MAX][JOB_KEY_TEXT];

	for (size_t i = 0; i < JOB_KEYS_MAX; i++)
		like.keys[i] = (char *)(uintptr_t)value_at(who, groups->by[i], 0, text[i]);
	to = group_of(groups, &like, err);
	return to ? job_group_merge(to, group, 1, err) : -1;
}

/* ---- sorting ---- */

bool job_groups_by_time(const struct job_groups *groups)
{
	for (size_t i = 0; i < JOB_KEYS_MAX; i++)
		if (job_key_is_time(groups->by[i]))
			return true;
	return false;
}

void job_groups_sort(struct job_groups *groups, enum job_figure figure, bool ascending)
{
	struct order order = { .figure = figure, .ascending = ascending };
	struct error err;

	if (are_many(groups, 1))
		fold(groups, &err); /* if out of memory, more groups stay */
	if (figure == JOB_FIGURE_COUNT) {
		order.by_key = job_groups_by_time(groups);
		order.figure = what_counts(groups);
	}
	if (groups->count > 1)
		qsort_r(groups->list, groups->count, sizeof(groups->list[0]), compare_groups, &order);
}

void job_groups_free(struct job_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++) {
		tdelete(groups->list[i], &groups->tree, compare_keys);
		job_group_free(groups->list[i]);
		free(groups->list[i]);
	}
	map_free(&groups->folded);
	free(groups->list);
	groups->list = NULL;
	groups->count = 0;
}
