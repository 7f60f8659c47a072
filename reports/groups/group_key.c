/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/groups/group_key.h"

#include "reports/facts/site_days.h"
#include "reports/site/job_groups.h"

enum { AT_CLUSTER, AT_TIME, AT_VALUE };

const struct group_tables *group_tables_by(enum job_key key)
{
	if (key == JOB_KEY_ACCOUNT || key == JOB_KEY_PARTITION || key == JOB_KEY_QOS)
		key = JOB_KEY_USER;
	else if (key == JOB_KEY_CLUSTER || key == JOB_KEY_DAY || key == JOB_KEY_WEEK || key == JOB_KEY_MONTH)
		key = JOB_KEY_COUNT;
	for (size_t i = 0; i < GROUP_TABLES; i++)
		if (group_tables[i].by == key)
			return &group_tables[i];
	return NULL;
}

static const int kinds_of_keys[JOB_KEY_COUNT + 1] = {
	[JOB_KEY_USER] = NAME_USER,	   [JOB_KEY_ACCOUNT] = NAME_ACCOUNT, [JOB_KEY_PARTITION] = NAME_PARTITION,
	[JOB_KEY_QOS] = NAME_QOS,	   [JOB_KEY_TOOL] = NAME_TOOL,	     [JOB_KEY_RULE] = NAME_RULE,
	[JOB_KEY_NODE] = NAME_NODE,	   [JOB_KEY_VERDICT] = -1,	     [JOB_KEY_FINDING] = -1,
	[JOB_KEY_JOB_NAME] = -1,	   [JOB_KEY_STATE] = NAME_STATE,     [JOB_KEY_SIZE] = -1,
	[JOB_KEY_DAY] = -1,		   [JOB_KEY_WEEK] = -1,		     [JOB_KEY_MONTH] = -1,
	[JOB_KEY_GPU] = NAME_GPU,	   [JOB_KEY_CLUSTER] = -1,	     [JOB_KEY_COUNT] = -1,
};

int group_key_kind(enum job_key key)
{
	return kinds_of_keys[key];
}

static int64_t finding_at(const struct job_row *row, size_t place)
{
	for (enum finding f = 0; f < FINDING_COUNT; f++)
		if ((row->findings >> f & 1) && place-- == 0)
			return finding_number(f);
	return GROUP_KEY_NONE;
}

int64_t group_key_number(const struct fact *fact, enum job_key key, size_t place)
{
	const struct job_row *row = &fact->row;

	switch (key) {
	case JOB_KEY_TOOL:
		return place < row->tool_count ? fact->tools[place] : GROUP_KEY_NONE;
	case JOB_KEY_NODE:
		return place < row->node_count ? fact->nodes[place] : 0;
	case JOB_KEY_VERDICT:
		return verdict_number(row->verdict);
	case JOB_KEY_FINDING:
		return finding_at(row, place);
	case JOB_KEY_SIZE:
		return job_size_least(row);
	default:
		return kinds_of_keys[key] < 0 ? GROUP_KEY_NONE : fact->names[kinds_of_keys[key]];
	}
}

void group_key_put(const struct fact *fact, enum job_key by, size_t place, int64_t time, int64_t key[GROUP_KEYS_MAX])
{
	int64_t *value = &key[AT_VALUE];

	key[AT_CLUSTER] = fact->cluster;
	key[AT_TIME] = time;
	if (by == JOB_KEY_COUNT)
		return;
	value[0] = group_key_number(fact, by, place);
	for (enum name_kind kind = NAME_USER; by == JOB_KEY_USER && kind <= NAME_QOS; kind++)
		value[kind] = fact->names[kind];
	if (by == JOB_KEY_RULE)
		value[1] = fact->names[NAME_ENGINE];
}

unsigned int group_key_words(enum job_key by)
{
	const struct database_table *table = group_tables_by(by)->day;
	unsigned int kinds = 0;

	for (size_t i = 0; i < table->key; i++) {
		int kind = site_name_kind(&table->columns[i]);

		kinds |= kind >= 0 && kind < NAME_KINDS ? 1u << kind : 0;
	}
	return kinds;
}

static char *word(struct words *words, int64_t cluster, int kind, int64_t id)
{
	return (char *)(uintptr_t)words_get(words, cluster, kind, id);
}

static uint64_t findings_of(int64_t number)
{
	enum finding finding = number == GROUP_KEY_NONE ? FINDING_COUNT : finding_of_number((int)number);

	return finding == FINDING_COUNT ? 0 : UINT64_C(1) << finding;
}

void group_who_begin(struct group_who *who, struct words *words, int64_t cluster)
{
	*who = (struct group_who){ .words = words, .cluster = cluster };
	who->row.cluster = word(words, 0, NAME_KINDS, cluster);
}

void group_who_set(struct group_who *who, enum job_key key, int64_t number)
{
	struct job_row *row = &who->row;
	char **const texts[NAME_KINDS] = { &row->user,	&row->account, &row->partition,	 &row->qos,	 &row->state,
					   &row->engine, &row->rule,   &row->gpu_model, &who->node.name, &who->tool.name };
	int kind = kinds_of_keys[key];

	if (kind >= 0)
		*texts[kind] = word(who->words, who->cluster, kind, number);
	if (key == JOB_KEY_TOOL) {
		row->tools = &who->tool;
		row->tool_count = number != GROUP_KEY_NONE;
	} else if (key == JOB_KEY_NODE) {
		row->nodes = &who->node;
		row->node_count = who->node.name != NULL;
	} else if (key == JOB_KEY_VERDICT) {
		row->verdict = verdict_of_number((int)number);
	} else if (key == JOB_KEY_FINDING) {
		row->findings = findings_of(number);
	} else if (key == JOB_KEY_SIZE) {
		row->allocated_cpus = number;
	} else if (job_key_is_time(key)) {
		row->end_us = number == GROUP_KEY_NONE ? JOB_UNKNOWN : site_day_noon(number);
	}
}

void group_key_take(const struct database_value *values, enum job_key by, struct words *words, struct group_who *who)
{
	static const enum job_key people[] = { JOB_KEY_USER, JOB_KEY_ACCOUNT, JOB_KEY_PARTITION, JOB_KEY_QOS };
	const struct database_value *value = &values[AT_VALUE];

	group_who_begin(who, words, values[AT_CLUSTER].number);
	if (by != JOB_KEY_COUNT)
		group_who_set(who, by, value->number);
	for (size_t i = 1; by == JOB_KEY_USER && i < sizeof(people) / sizeof(people[0]); i++)
		group_who_set(who, people[i], value[i].number);
}
