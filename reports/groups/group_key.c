/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/groups/group_key.h"

#include "reports/site/job_groups.h"

enum { AT_CLUSTER, AT_TIME, AT_VALUE };

#define NONE INT64_C(-1) /* in a key, stands for no finding or no tool; not 0, because 0 is the number of a finding */

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

static int64_t finding_at(const struct job_row *row, size_t place)
{
	for (enum finding f = 0; f < FINDING_COUNT; f++)
		if ((row->findings >> f & 1) && place-- == 0)
			return finding_number(f);
	return NONE;
}

void group_key_put(const struct fact *fact, enum job_key by, size_t place, int64_t time, int64_t key[GROUP_KEYS_MAX])
{
	const struct job_row *row = &fact->row;
	int64_t *value = &key[AT_VALUE];

	key[AT_CLUSTER] = fact->cluster;
	key[AT_TIME] = time;
	switch (by) {
	case JOB_KEY_USER:
		for (enum name_kind kind = NAME_USER; kind <= NAME_QOS; kind++)
			value[kind] = fact->names[kind];
		break;
	case JOB_KEY_VERDICT:
		*value = verdict_number(row->verdict);
		break;
	case JOB_KEY_FINDING:
		*value = finding_at(row, place);
		break;
	case JOB_KEY_STATE:
		*value = fact->names[NAME_STATE];
		break;
	case JOB_KEY_SIZE:
		*value = job_size_least(row);
		break;
	case JOB_KEY_RULE:
		value[0] = fact->names[NAME_RULE];
		value[1] = fact->names[NAME_ENGINE];
		break;
	case JOB_KEY_NODE:
		*value = place < row->node_count ? fact->nodes[place] : 0;
		break;
	case JOB_KEY_TOOL:
		*value = place < row->tool_count ? fact->tools[place] : NONE;
		break;
	default:
		break;
	}
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

/* Returns the word whose number is @id. The word belongs to @words. */
static char *word(struct words *words, const struct database_value *values, int kind, int64_t id)
{
	return (char *)(uintptr_t)words_get(words, values[AT_CLUSTER].number, kind, id);
}

static void take_finding(int64_t number, struct job_row *row)
{
	enum finding finding = number == NONE ? FINDING_COUNT : finding_of_number((int)number);

	row->findings = finding == FINDING_COUNT ? 0 : UINT64_C(1) << finding;
}

void group_key_take(const struct database_value *values, enum job_key by, struct words *words, struct group_who *who)
{
	const struct database_value *value = &values[AT_VALUE];
	struct job_row *row = &who->row;
	char **const people[] = { &row->user, &row->account, &row->partition, &row->qos };

	*who = (struct group_who){ .row = { .cluster = word(words, values, NAME_KINDS, values[AT_CLUSTER].number) } };
	switch (by) {
	case JOB_KEY_USER:
		for (enum name_kind kind = NAME_USER; kind <= NAME_QOS; kind++)
			*people[kind] = word(words, values, kind, value[kind].number);
		break;
	case JOB_KEY_VERDICT:
		row->verdict = verdict_of_number((int)value->number);
		break;
	case JOB_KEY_FINDING:
		take_finding(value->number, row);
		break;
	case JOB_KEY_STATE:
		row->state = word(words, values, NAME_STATE, value->number);
		break;
	case JOB_KEY_SIZE:
		row->allocated_cpus = value->number;
		break;
	case JOB_KEY_RULE:
		row->rule = word(words, values, NAME_RULE, value->number);
		break;
	case JOB_KEY_NODE:
		who->node.name = word(words, values, NAME_NODE, value->number);
		row->nodes = &who->node;
		row->node_count = who->node.name != NULL;
		break;
	case JOB_KEY_TOOL:
		who->tool.name = word(words, values, NAME_TOOL, value->number);
		row->tools = &who->tool;
		row->tool_count = value->number != NONE;
		break;
	default:
		break;
	}
}
