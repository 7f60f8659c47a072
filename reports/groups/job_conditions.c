/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/groups/job_conditions.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "reports/facts/site_days.h"

#define US_PER_S INT64_C(1000000)

static void need(struct job_conditions *all, size_t column, enum database_match match, struct database_value value)
{
	if (all->count == JOB_CONDITIONS_MAX)
		all->too_many = true;
	else
		all->list[all->count++] = (struct database_condition){ column, match, value };
}

static void need_number(struct job_conditions *all, size_t column, enum database_match match, int64_t number)
{
	need(all, column, match, database_int(number));
}

static void need_like(struct job_conditions *all, size_t column, const char *like)
{
	size_t at = all->count;

	need(all, column, MATCH_LIKE, database_text(""));
	if (all->count == at)
		return;
	snprintf(all->likes[at], sizeof(all->likes[at]), "%s", like);
	all->list[at].value = database_text(all->likes[at]);
}

static int read_id(void *context, const struct database_value *row, struct error *err)
{
	(void)err;
	*(int64_t *)context = row[table_name.column_count - 1].number;
	return 0;
}

/* Sets @id to the number of a word. If this reader sees no such word, sets @id to 0 and all->none. */
static int find_word(struct job_conditions *all, int kind, const char *text, int64_t *id, struct error *err)
{
	const struct database_value key[] = { database_int(all->cluster), database_int(kind), database_text(text) };

	*id = 0;
	if (database_find(all->db, &table_name, 0, table_name.key, key, 1, read_id, id, err) < 0)
		return -1;
	all->none = all->none || !*id;
	return 0;
}

static int need_word(struct job_conditions *all, int kind, const char *text, struct error *err)
{
	int64_t id = 0;

	if (!*text) {
		need_number(all, JOB_AT_NAMES + (size_t)kind, MATCH_NULL, 0);
		return 0;
	}
	if (find_word(all, kind, text, &id, err) < 0)
		return -1;
	need_number(all, JOB_AT_NAMES + (size_t)kind, MATCH_IS, id);
	all->found = all->found || kind == NAME_USER || kind == NAME_ACCOUNT;
	return 0;
}

/* The list is a text (job_parts.h). Each tool or node begins with the number of its name: [12, ... */
static int need_in_list(struct job_conditions *all, size_t column, int kind, const char *text, struct error *err)
{
	char like[JOB_CONDITIONS_LIKE];
	int64_t id = 0;

	if (!*text) {
		need_number(all, column, MATCH_NULL, 0);
		return 0;
	}
	if (kind == NAME_TOOL && strcmp(text, JOB_OTHER_TOOLS) == 0)
		id = 0; /* JOB_OTHER_TOOLS is no word; the joined tools have the number 0 */
	else if (find_word(all, kind, text, &id, err) < 0)
		return -1;
	snprintf(like, sizeof(like), "%%[%lld,%%", (long long)id);
	need_like(all, column, like);
	return 0;
}

static void need_finding(struct job_conditions *all, const char *text)
{
	const struct finding_rule *rule = rules_finding(text, strlen(text));

	if (!*text)
		need_number(all, JOB_AT_FINDINGS, MATCH_IS, 0);
	else if (rule)
		need_number(all, JOB_AT_FINDINGS, MATCH_BITS,
			    (int64_t)findings_to_numbers(UINT64_C(1) << (rule - finding_rules)));
	else
		all->none = true;
}

static void need_verdict(struct job_conditions *all, const char *text)
{
	int verdict = job_verdict_find(text);

	all->none = all->none || verdict > BOUND_UNKNOWN;
	need_number(all, JOB_AT_VERDICT, MATCH_IS, verdict > BOUND_UNKNOWN ? 0 : verdict_number((enum bound)verdict));
}

static void need_size(struct job_conditions *all, const char *text)
{
	const size_t column = JOB_AT_NUMBERS + JOB_NUMBER_allocated_cpus;
	int64_t least, most;

	if (!*text) {
		need_number(all, column, MATCH_NULL_OR_BELOW, 1);
		return;
	}
	if (!job_size_bounds(text, &least, &most)) {
		all->none = true;
		return;
	}
	need_number(all, column, MATCH_FROM, least);
	if (most)
		need_number(all, column, MATCH_BELOW, most + 1);
}

/* Returns a date as a number such as 20261122 or 202611; 0 if @text is no date. */
static int64_t date_number(const char *text)
{
	int64_t number = 0;

	for (; *text; text++) {
		if (*text != '-' && (*text < '0' || *text > '9'))
			return 0;
		number = *text == '-' ? number : number * 10 + (*text - '0');
	}
	return number;
}

/* A week is named by its Monday. */
static void need_date(struct job_conditions *all, enum job_key key, const char *text)
{
	int64_t date = date_number(text), last = date;
	time_t noon = (time_t)(site_day_noon(date) / US_PER_S);

	if (!date) {
		all->none = true; /* jobs without an end are not read */
		return;
	}
	if (key == JOB_KEY_WEEK)
		last = site_day((int64_t)(noon + 6 * 86400) * US_PER_S);
	if (key == JOB_KEY_MONTH) {
		date = date * 100;
		last = date + 99;
	}
	need_number(all, JOB_AT_DAY, MATCH_FROM, date);
	need_number(all, JOB_AT_DAY, MATCH_BELOW, last + 1);
}

static int need_filter(struct job_conditions *all, const struct job_filter *filter, struct error *err)
{
	const char *text = strcmp(filter->value, "-") == 0 ? "" : filter->value;
	const char *cluster = words_get(all->words, 0, NAME_KINDS, all->cluster);

	switch (filter->key) {
	case JOB_KEY_USER:
		return need_word(all, NAME_USER, text, err);
	case JOB_KEY_ACCOUNT:
		return need_word(all, NAME_ACCOUNT, text, err);
	case JOB_KEY_PARTITION:
		return need_word(all, NAME_PARTITION, text, err);
	case JOB_KEY_QOS:
		return need_word(all, NAME_QOS, text, err);
	case JOB_KEY_STATE:
		return need_word(all, NAME_STATE, text, err);
	case JOB_KEY_RULE:
		return need_word(all, NAME_RULE, text, err);
	case JOB_KEY_GPU:
		return need_word(all, NAME_GPU, text, err);
	case JOB_KEY_TOOL:
		return need_in_list(all, JOB_AT_TOOLS, NAME_TOOL, text, err);
	case JOB_KEY_NODE:
		return need_in_list(all, JOB_AT_NODES, NAME_NODE, text, err);
	case JOB_KEY_VERDICT:
		need_verdict(all, text);
		break;
	case JOB_KEY_FINDING:
		need_finding(all, text);
		break;
	case JOB_KEY_JOB_NAME:
		need(all, JOB_AT_NAME, *text ? MATCH_IS : MATCH_EMPTY, database_text(text));
		break;
	case JOB_KEY_SIZE:
		need_size(all, text);
		break;
	case JOB_KEY_DAY:
	case JOB_KEY_WEEK:
	case JOB_KEY_MONTH:
		need_date(all, filter->key, text);
		break;
	case JOB_KEY_CLUSTER:
		all->none = all->none || strcmp(cluster ? cluster : "", text) != 0;
		break;
	case JOB_KEY_COUNT:
		break;
	}
	return 0;
}

int job_conditions_make(struct job_conditions *all, const struct job_filter *filters, size_t count, struct error *err)
{
	const size_t end = JOB_AT_NUMBERS + JOB_NUMBER_end_us;

	all->count = 0;
	all->too_many = all->none = all->found = false;
	need_number(all, JOB_AT_CLUSTER, MATCH_IS, all->cluster);
	need_number(all, end, MATCH_FROM, all->since_us ? all->since_us : INT64_MIN);
	need_number(all, end, MATCH_BELOW, all->until_us ? all->until_us : INT64_MAX);
	for (size_t i = 0; i < count && !all->too_many; i++)
		if (need_filter(all, &filters[i], err) < 0)
			return -1;
	/* with a condition less, the sums would count other jobs, too */
	return all->too_many ? error_set(err, "--where has too many conditions for a question to the store") : 0;
}
