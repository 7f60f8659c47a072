/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/groups/job_sums.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/facts/fact.h"
#include "reports/facts/job_parts.h"
#include "reports/groups/group_key.h"

/* if a target has more groups, all of them go to the summary, which limits how many groups it keeps */
#define GROUPS_MAX (2 * JOB_GROUPS_MOST)
#define DENSE_JOBS 256			 /* from so many jobs on, an array counts bins faster than a list */
#define DENSE_GROUPS 64			 /* at most so many groups have an array */
#define DENSE_BINS 3720			 /* more than bins_index(JOB_MEASURE_MAX) */

struct dense {
	uint32_t count[JOB_BINS_COUNT][DENSE_BINS];
};

struct sums_group {
	struct job_group group;
	struct dense *dense; /* counts of bins that are not in group.bins yet; NULL if the group has no array */
};

/* ---- what is read ---- */

static void want(struct job_sums *sums, size_t column)
{
	if (sums->has[column])
		return;
	sums->has[column] = true;
	sums->columns[sums->column_count++] = column;
}

bool job_sums_column(enum job_key key, size_t *column)
{
	int name = group_key_kind(key);

	if (name >= 0 && name < NAME_JOB_KINDS)
		*column = JOB_AT_NAMES + (size_t)name;
	else if (key == JOB_KEY_TOOL)
		*column = JOB_AT_TOOLS;
	else if (key == JOB_KEY_NODE)
		*column = JOB_AT_NODES;
	else if (key == JOB_KEY_VERDICT)
		*column = JOB_AT_VERDICT;
	else if (key == JOB_KEY_FINDING)
		*column = JOB_AT_FINDINGS;
	else if (key == JOB_KEY_JOB_NAME)
		*column = JOB_AT_NAME;
	else if (key == JOB_KEY_SIZE)
		*column = JOB_AT_NUMBERS + JOB_NUMBER_allocated_cpus;
	else if (job_key_is_time(key))
		*column = JOB_AT_DAY;
	else
		return false;
	return true;
}

static void want_key(struct job_sums *sums, enum job_key key)
{
	size_t column;

	sums->by_tool = sums->by_tool || key == JOB_KEY_TOOL;
	sums->by_node = sums->by_node || key == JOB_KEY_NODE;
	if (job_sums_column(key, &column))
		want(sums, column);
}

bool job_sums_need(const struct jobs_summary *summary, enum job_measure measure)
{
	return summary->all_measures || job_figures_need(measure);
}

bool job_sums_need_tools(const struct jobs_summary *summary)
{
	return summary->all_measures || summary->with_views || job_groups_are_by(&summary->groups, JOB_KEY_TOOL) ||
	       (summary->sort >= FIGURE_TOOL_RUNS && summary->sort <= FIGURE_TOOL_CPU_H);
}

bool job_sums_need_users(const struct jobs_summary *summary)
{
	return !summary->only_groups;
}

static void want_measure(struct job_sums *sums, enum job_measure measure)
{
	bool other = measure_is_other_column(measure);

	if (measure_place(measure) < 0 && !other)
		return;
	sums->measures[sums->measure_count++] = measure;
	if (other)
		sums->others[sums->other_count++] = measure;
	else
		want(sums, job_measure_column(measure));
}

static void want_numbers(struct job_sums *sums)
{
	static const size_t columns[] = {
		JOB_AT_CLUSTER, JOB_AT_NUMBERS + JOB_NUMBER_end_us, JOB_AT_NUMBERS + JOB_NUMBER_running,
		JOB_AT_NUMBERS + JOB_NUMBER_complete, JOB_AT_NUMBERS + JOB_NUMBER_nodes_expected,
		JOB_AT_NUMBERS + JOB_NUMBER_nodes_present, JOB_AT_HOW, JOB_AT_VERDICT, JOB_AT_FINDINGS,
	};

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		want(sums, columns[i]);
	for (size_t i = 0; i < JOB_BINS_COUNT; i++)
		want(sums, JOB_AT_BINS + i);
	for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++)
		if (job_sums_need(sums->summary, i))
			want_measure(sums, i);
	if (job_sums_need_tools(sums->summary))
		want(sums, JOB_AT_TOOLS);
}

static void add_target(struct job_sums *sums, struct job_sums_target *targets, struct job_group *total, struct job_groups *groups)
{
	while (targets->total || targets->groups)
		targets++;
	*targets = (struct job_sums_target){
		.total = total,
		.groups = groups,
		.names_only = groups == &sums->summary->users,
		.parts = groups && (job_groups_are_by(groups, JOB_KEY_TOOL) || job_groups_are_by(groups, JOB_KEY_NODE)),
	};
	for (size_t i = 0; groups && i < JOB_KEYS_MAX; i++)
		want_key(sums, groups->by[i]);
}

static bool has_each_once(const struct job_groups *groups)
{
	return !job_groups_are_by(groups, JOB_KEY_TOOL) && !job_groups_are_by(groups, JOB_KEY_NODE) &&
	       !job_groups_are_by(groups, JOB_KEY_FINDING);
}

void job_sums_begin(struct job_sums *sums, struct jobs_summary *summary, struct words *words, pthread_mutex_t *lock)
{
	*sums = (struct job_sums){ .summary = summary, .words = words, .lock = lock };
	want_numbers(sums);
	add_target(sums, sums->period, NULL, &summary->groups);
	if (has_each_once(&summary->groups))
		sums->period[0].whole = &summary->total;
	else
		add_target(sums, sums->period, &summary->total, NULL);
	if (job_sums_need_users(summary))
		add_target(sums, sums->period, NULL, &summary->users);
	for (size_t i = 0; summary->with_views && i < JOB_VIEWS; i++)
		add_target(sums, sums->period, NULL, &summary->views[i]);
	add_target(sums, sums->previous, &summary->total_before, NULL);
	add_target(sums, sums->previous, NULL, &summary->before);
}

unsigned int job_sums_words(const struct job_sums *sums)
{
	unsigned int kinds = 0;

	for (const struct job_sums_target *target = sums->period; target->total || target->groups; target++)
		for (size_t i = 0; target->groups && i < JOB_KEYS_MAX; i++)
			if (group_key_kind(target->groups->by[i]) >= 0)
				kinds |= 1u << group_key_kind(target->groups->by[i]);
	return kinds;
}

/* ---- a row ---- */

/* A job with the values of the columns that were read. Its texts are valid as long as the row. */
struct job {
	struct fact fact;
	int32_t bins[JOB_BINS_COUNT];
	int64_t day;
	const struct database_value *name;
};

static void take_keys(struct job *job, const struct database_value *row)
{
	job->day = row[JOB_AT_DAY].kind == VALUE_INT ? row[JOB_AT_DAY].number : GROUP_KEY_NONE;
	job->name = &row[JOB_AT_NAME];
}

/* Computes what does not follow from sums: measures that depend on another one, and all of them for parts of jobs. */
static void compute_measures(const struct job_sums *sums, struct job_row *row)
{
	if (sums->by_tool || sums->by_node) {
		measures_compute(row->measure);
		job_row_efficiencies(row);
		return;
	}
	for (size_t i = 0; i < sums->other_count; i++)
		row->measure[sums->others[i]] = measure_compute(sums->others[i], row->measure);
}

static int take_job(struct job_sums *sums, const struct database_value *values, struct job *job, struct error *err)
{
	struct database_value *row = sums->row;

	for (size_t i = 0; i < sums->column_count; i++)
		row[sums->columns[i]] = values[i];
	fact_take_numbers(&job->fact, row);
	fact_take_measures(&job->fact, row, sums->measures, sums->measure_count);
	compute_measures(sums, &job->fact.row);
	for (size_t i = 0; i < JOB_BINS_COUNT; i++)
		job->bins[i] = row[JOB_AT_BINS + i].kind == VALUE_INT ? (int32_t)row[JOB_AT_BINS + i].number : -1;
	take_keys(job, row);
	if (sums->by_tool && job_parts_take_tools(&job->fact, &row[JOB_AT_TOOLS], err) < 0)
		return -1;
	return sums->by_node ? job_parts_take_nodes(&job->fact, &row[JOB_AT_NODES], err) : 0;
}

/* ---- keys ---- */

/* The key of a group. The number of a word is unique only within its cluster. */
struct key {
	int64_t cluster, number[JOB_KEYS_MAX];
};

static int64_t number_of_key(const struct job *job, enum job_key key, size_t place)
{
	if (!job_key_is_time(key))
		return group_key_number(&job->fact, key, place);
	return key == JOB_KEY_MONTH && job->day != GROUP_KEY_NONE ? job->day / 100 : job->day;
}

/*
 * Fills @bytes with the numbers and, for groups by job name, the name. Returns the size of the key.
 * KEY_NAME is enough for each name, because a store line has at most STORE_TEXT bytes of a name.
 */
#define KEY_NAME 1024
#define KEY_SIZE (sizeof(struct key) + KEY_NAME)

static size_t make_key(const struct job *job, const struct job_groups *groups, const size_t place[JOB_KEYS_MAX],
		       char bytes[KEY_SIZE])
{
	struct key key = { .cluster = job->fact.cluster };
	size_t length = 0;

	for (size_t i = 0; i < JOB_KEYS_MAX; i++) {
		key.number[i] = number_of_key(job, groups->by[i], place[i]);
		if (groups->by[i] == JOB_KEY_JOB_NAME && job->name->kind == VALUE_TEXT) {
			key.number[i] = 1;
			length = job->name->size < KEY_NAME ? job->name->size : KEY_NAME;
		}
	}
	memcpy(bytes, &key, sizeof(key));
	if (length)
		memcpy(bytes + sizeof(key), job->name->data, length);
	return sizeof(key) + length;
}

/* ---- adding ---- */

/*
 * Returns the job's group; NULL with @err set if out of memory. A total has one group, whose key is empty. @place: for
 * each key of the groups, which of the job's values to take
 */
static struct sums_group *group_of(struct job_sums_target *target, const struct job *job, const size_t place[JOB_KEYS_MAX],
				   struct error *err)
{
	char bytes[KEY_SIZE];
	size_t size = target->groups ? make_key(job, target->groups, place, bytes) : 0;
	struct map_entry *entry = map_get(&target->by_key, bytes, size);

	if (entry && !entry->data)
		entry->data = calloc(1, sizeof(struct sums_group));
	if (entry && entry->data)
		return entry->data;
	error_set(err, "out of memory");
	return NULL;
}

/*
 * Counts a bin in the group's array. Creates the array when the group has many jobs. Returns false if the bin could not
 * be counted there.
 */
static bool count_dense(struct job_sums *sums, struct sums_group *group, enum job_bins which, int32_t bin)
{
	if (!group->dense && group->group.jobs >= DENSE_JOBS && sums->dense < DENSE_GROUPS) {
		group->dense = calloc(1, sizeof(*group->dense));
		sums->dense += group->dense != NULL;
	}
	if (!group->dense || bin >= DENSE_BINS || group->dense->count[which][bin] == UINT32_MAX)
		return false;
	group->dense->count[which][bin]++;
	return true;
}

static int add_whole(struct job_sums *sums, struct sums_group *group, const struct job *job, struct error *err)
{
	job_group_add_counts(&group->group, &job->fact.row, 1);
	job_group_add_measures(&group->group, &job->fact.row, sums->measures, sums->measure_count);
	for (enum job_bins b = 0; b < JOB_BINS_COUNT; b++)
		if (job->bins[b] >= 0 && !count_dense(sums, group, b, job->bins[b]) &&
		    bins_count(&group->group.bins[b], job->bins[b], 1, err) < 0)
			return -1;
	return 0;
}

/* Adds the part of the job that belongs to one group. @place: as for group_of() */
static int add_at(struct job_sums *sums, struct job_sums_target *target, const struct job *job, const size_t place[JOB_KEYS_MAX],
		  struct error *err)
{
	struct sums_group *group = group_of(target, job, place, err);
	const struct job_row_tool *tool;
	struct job_row part;

	if (!group)
		return -1;
	if (target->names_only)
		return 0;
	if (!target->parts)
		return add_whole(sums, group, job, err);
	part = job->fact.row;
	tool = job_key_parts(&part, &job->fact.row, target->groups->by, place);
	if (tool)
		job_group_add_tool(&group->group, tool, 1);
	return job_group_add(&group->group, &part, 1, err);
}

static int add_job(struct job_sums *sums, struct job_sums_target *target, const struct job *job, struct error *err)
{
	size_t place[JOB_KEYS_MAX] = { 0 };

	do
		if (add_at(sums, target, job, place, err) < 0)
			return -1;
	while (target->groups && job_groups_next(target->groups, &job->fact.row, place));
	return 0;
}

/* ---- handing over ---- */

/* Moves the bins from the array to the list, and frees the array. */
static int settle(struct job_sums *sums, struct sums_group *group, struct error *err)
{
	int result = 0;

	if (!group->dense)
		return 0;
	for (enum job_bins b = 0; b < JOB_BINS_COUNT; b++)
		for (int32_t i = 0; result == 0 && i < DENSE_BINS; i++)
			result = bins_count(&group->group.bins[b], i, group->dense->count[b][i], err);
	free(group->dense);
	group->dense = NULL;
	sums->dense--;
	return result;
}

static int hand_over_group(struct job_sums *sums, struct job_sums_target *target, const struct map_entry *entry, struct error *err)
{
	struct sums_group *group = entry->data;
	cleanup_free char *name = NULL;
	struct group_who who;
	struct key key;

	if (!group || settle(sums, group, err) < 0)
		return group ? -1 : 0;
	if (!target->parts)
		measures_compute_sums(group->group.sum, group->group.known);
	if (!target->groups)
		return job_group_merge(target->total, &group->group, 1, err);
	memcpy(&key, entry->key, sizeof(key));
	name = strndup((const char *)entry->key + sizeof(key), entry->size - sizeof(key));
	if (!name)
		return error_set(err, "out of memory");
	group_who_begin(&who, sums->words, key.cluster);
	for (size_t i = 0; i < JOB_KEYS_MAX; i++)
		if (target->groups->by[i] != JOB_KEY_JOB_NAME)
			group_who_set(&who, target->groups->by[i], key.number[i]);
		else if (key.number[i] != GROUP_KEY_NONE)
			who.row.name = name;
	if (job_groups_merge(target->groups, &who.row, &group->group, err) < 0)
		return -1;
	return target->whole ? job_group_merge(target->whole, &group->group, 1, err) : 0;
}

static void forget(struct job_sums_target *target)
{
	for (size_t i = 0; i < target->by_key.count; i++) {
		struct sums_group *group = target->by_key.list[i].data;

		if (group) {
			job_group_free(&group->group);
			free(group->dense);
		}
		free(group);
	}
	map_free(&target->by_key);
	target->by_key = (struct map){ 0 };
}

static int hand_over(struct job_sums *sums, struct job_sums_target *target, struct error *err)
{
	int result = 0;

	pthread_mutex_lock(sums->lock);
	for (size_t i = 0; result == 0 && i < target->by_key.count; i++)
		result = hand_over_group(sums, target, &target->by_key.list[i], err);
	pthread_mutex_unlock(sums->lock);
	forget(target);
	return result;
}

static int add_to(struct job_sums *sums, struct job_sums_target *targets, const struct job *job, struct error *err)
{
	for (; targets->total || targets->groups; targets++) {
		if (add_job(sums, targets, job, err) < 0)
			return -1;
		if (targets->by_key.count > GROUPS_MAX && hand_over(sums, targets, err) < 0)
			return -1;
	}
	return 0;
}

void job_sums_add_times(struct job_sums *sums, int64_t first_us, int64_t last_us)
{
	if (first_us >= 0 && (!sums->first_us || first_us < sums->first_us))
		sums->first_us = first_us;
	if (last_us > sums->last_us)
		sums->last_us = last_us;
}

static int add_to_period(struct job_sums *sums, const struct job *job, struct error *err)
{
	job_sums_add_times(sums, job->fact.row.end_us, job->fact.row.end_us);
	if (job_sums_need_tools(sums->summary) && job_parts_add_tools(&sums->row[JOB_AT_TOOLS], &sums->tools, err) < 0)
		return -1;
	return add_to(sums, sums->period, job, err);
}

int job_sums_add(struct job_sums *sums, const struct database_value *row, struct error *err)
{
	const struct jobs_summary *summary = sums->summary;
	struct job job = { 0 };
	int result = take_job(sums, row, &job, err);

	if (result == 0 && job.fact.row.running)
		sums->running++;
	else if (result == 0 && jobs_summary_is_within(&summary->period, job.fact.row.end_us))
		result = add_to_period(sums, &job, err);
	else if (result == 0 && jobs_summary_has_previous(summary) &&
		 jobs_summary_is_within(&summary->previous, job.fact.row.end_us))
		result = add_to(sums, sums->previous, &job, err);
	fact_free(&job.fact);
	return result;
}

/* ---- jobs that were already added up ---- */

static int merge_group(struct job_sums_target *target, const struct job *job, const struct job_group *group, struct error *err)
{
	size_t place[JOB_KEYS_MAX] = { 0 };

	do {
		struct sums_group *to = group_of(target, job, place, err);

		if (!to || job_group_merge(&to->group, group, 1, err) < 0)
			return -1;
	} while (target->groups && job_groups_next(target->groups, &job->fact.row, place));
	return 0;
}

int job_sums_add_group(struct job_sums *sums, bool now, const struct database_value *row, const struct job_group *group,
		       struct error *err)
{
	struct job_sums_target *target = now ? sums->period : sums->previous;
	struct job job = { 0 };

	fact_take_numbers(&job.fact, row);
	take_keys(&job, row);
	for (; target->total || target->groups; target++) {
		if (target->names_only)
			continue;
		if (merge_group(target, &job, group, err) < 0)
			return -1;
		if (target->by_key.count > GROUPS_MAX && hand_over(sums, target, err) < 0)
			return -1;
	}
	return 0;
}

int job_sums_add_user(struct job_sums *sums, int64_t cluster, int64_t user, struct error *err)
{
	static const size_t place[JOB_KEYS_MAX];
	struct job job = { .fact = { .cluster = cluster, .names = { [NAME_USER] = user } } };

	for (struct job_sums_target *target = sums->period; target->total || target->groups; target++)
		if (target->names_only && !group_of(target, &job, place, err))
			return -1;
	return 0;
}

static int end_totals(struct job_sums *sums, struct error *err)
{
	struct jobs_summary *summary = sums->summary;
	int result;

	pthread_mutex_lock(sums->lock);
	if (sums->first_us && (!summary->first_us || sums->first_us < summary->first_us))
		summary->first_us = sums->first_us;
	if (sums->last_us > summary->last_us)
		summary->last_us = sums->last_us;
	summary->running += sums->running;
	result = job_group_merge(&summary->total, &sums->tools, 1, err);
	pthread_mutex_unlock(sums->lock);
	return result;
}

int job_sums_end(struct job_sums *sums, struct error *err)
{
	struct job_sums_target *const both[] = { sums->period, sums->previous };

	if (end_totals(sums, err) < 0)
		return -1;
	for (size_t i = 0; i < 2; i++)
		for (struct job_sums_target *target = both[i]; target->total || target->groups; target++)
			if (hand_over(sums, target, err) < 0)
				return -1;
	return 0;
}

void job_sums_free(struct job_sums *sums)
{
	for (size_t i = 0; i < JOB_SUMS_TARGETS; i++) {
		forget(&sums->period[i]);
		forget(&sums->previous[i]);
	}
}
