/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/site_groups.h"

#include <time.h>

#include "reports/facts/group_row.h"
#include "reports/facts/words.h"

#define US_PER_S INT64_C(1000000)
#define DAY_MAX 99991231

enum { AT_CLUSTER, AT_DATE, AT_NAMES }; /* the keys of a group's row; the names are in the order of enum name_kind */

struct reading {
	struct words words;
	site_groups_each *each;
	void *context;
	enum site_groups_detail detail;
};

bool site_groups_know(enum job_key key)
{
	switch (key) {
	case JOB_KEY_USER:
	case JOB_KEY_ACCOUNT:
	case JOB_KEY_PARTITION:
	case JOB_KEY_QOS:
	case JOB_KEY_DAY:
	case JOB_KEY_WEEK:
	case JOB_KEY_MONTH:
	case JOB_KEY_CLUSTER:
	case JOB_KEY_COUNT:
		return true;
	default:
		return false;
	}
}

static int note_hidden(void *context, const struct database_value *row, struct error *err)
{
	(void)row;
	(void)err;
	*(bool *)context = false;
	return 0;
}

int site_groups_seen(struct database *db, bool *seen, struct error *err)
{
	*seen = true;
	return database_hidden(db, &table_cluster, note_hidden, seen, err);
}

/* ---- days ---- */

static bool parts_of(int64_t moment_us, struct tm *parts)
{
	time_t moment = (time_t)(moment_us / US_PER_S);

	return localtime_r(&moment, parts);
}

/* Where the day @day of that month begins. */
static int64_t midnight(const struct tm *of, int day)
{
	struct tm parts = { .tm_year = of->tm_year, .tm_mon = of->tm_mon, .tm_mday = day, .tm_isdst = -1 };

	return (int64_t)mktime(&parts) * US_PER_S;
}

int64_t site_groups_midnight_before(int64_t moment_us)
{
	struct tm parts;

	if (!parts_of(moment_us, &parts))
		return moment_us;
	return midnight(&parts, parts.tm_mday);
}

int64_t site_groups_midnight_after(int64_t moment_us)
{
	struct tm parts;

	if (site_groups_midnight_before(moment_us) == moment_us || !parts_of(moment_us, &parts))
		return moment_us;
	return midnight(&parts, parts.tm_mday + 1);
}

static int64_t day_of(int64_t moment_us, int64_t otherwise)
{
	struct tm parts;

	if (!moment_us || !parts_of(moment_us, &parts))
		return otherwise;
	return (parts.tm_year + 1900) * 10000 + (parts.tm_mon + 1) * 100 + parts.tm_mday;
}

/* Noon of the day @date, 20261122, or of the first one of the month 202611. */
static int64_t moment_of(int64_t date)
{
	int64_t day = date < 1000000 ? date * 100 + 1 : date;
	struct tm parts = { .tm_year = (int)(day / 10000) - 1900, .tm_mon = (int)(day / 100 % 100) - 1,
			    .tm_mday = (int)(day % 100), .tm_hour = 12, .tm_isdst = -1 };

	return (int64_t)mktime(&parts) * US_PER_S;
}

/* ---- groups ---- */

static int read_group(void *context, const struct database_value *row, struct error *err)
{
	struct reading *reading = context;
	struct job_group group = { 0 };
	struct job_row who = { .end_us = moment_of(row[AT_DATE].number) };
	char **const texts[] = { &who.user, &who.account, &who.partition, &who.qos };
	int64_t cluster = row[AT_CLUSTER].number;
	int result = reading->detail == SITE_GROUPS_NAMES ? 0 : group_row_add(row, &group, err);

	/* who borrows the words */
	for (int kind = 0; kind < (int)(sizeof(texts) / sizeof(texts[0])); kind++)
		*texts[kind] = (char *)(uintptr_t)words_get(&reading->words, cluster, kind, row[AT_NAMES + kind].number);
	who.cluster = (char *)(uintptr_t)words_get(&reading->words, cluster, NAME_KINDS, cluster);
	if (result == 0)
		result = reading->each(reading->context, &who, &group, err);
	job_group_free(&group);
	return result;
}

/* Whole months between are read as such, unless days are wanted. */
struct spans {
	int64_t first, last;		 /* days: the first, and the first that is not meant */
	int64_t first_month, last_month; /* the same of whole months; none where both are the same */
};

static struct spans spans_of(int64_t since_us, int64_t until_us, bool days)
{
	struct spans spans = { day_of(since_us, 0), day_of(until_us, DAY_MAX), 0, 0 };

	if (days)
		return spans;
	spans.first_month = spans.first / 100;
	if (spans.first % 100 > 1)
		spans.first_month += spans.first_month % 100 == 12 ? 89 : 1;
	spans.last_month = spans.last / 100;
	if (spans.last_month < spans.first_month)
		spans.last_month = spans.first_month = 0;
	return spans;
}

static int read_all(struct database *db, int64_t cluster, const struct spans *spans, struct reading *context,
		    struct error *err)
{
	const struct database_table *days = context->detail == SITE_GROUPS_ALL ? &table_all_day : &table_job_day;
	const struct database_table *months = &table_job_month;
	database_each *each = read_group;

	if (spans->first_month == spans->last_month)
		return database_span(db, days, 0, cluster, spans->first, spans->last, each, context, err);
	if (database_span(db, days, 0, cluster, spans->first, spans->first_month * 100, each, context, err) < 0 ||
	    database_span(db, months, 0, cluster, spans->first_month, spans->last_month, each, context, err) < 0)
		return -1;
	return database_span(db, days, 0, cluster, spans->last_month * 100, spans->last, each, context, err);
}

int site_groups_read(struct database *db, int64_t since_us, int64_t until_us, enum site_groups_detail detail,
		     site_groups_each *each, void *context, struct error *err)
{
	struct reading reading = { .each = each, .context = context, .detail = detail };
	bool days = detail == SITE_GROUPS_DAYS || detail == SITE_GROUPS_ALL;
	struct spans spans = spans_of(since_us, until_us, days);
	int result = words_read(&reading.words, db, err);

	for (int64_t cluster = 1; result == 0 && words_get(&reading.words, cluster, NAME_KINDS, cluster); cluster++)
		result = read_all(db, cluster, &spans, &reading, err);
	words_free(&reading.words);
	return result;
}

/* ---- tools ---- */

enum { TOOL_DAY_SUMS = 3, SUM_RUNS = 1, SUM_FAILURES, SUM_CPU, SUM_WALL };

static void add_tool(struct job_group *group, const struct database_value *sums)
{
	const struct job_row_tool tool = { .runs = sums[SUM_RUNS].number, .failures = sums[SUM_FAILURES].number,
					   .cpu_ms = sums[SUM_CPU].number, .wall_ms = sums[SUM_WALL].number };

	job_group_add_tool(group, &tool);
}

static int read_tool_day(void *context, const struct database_value *row, struct error *err)
{
	(void)err;
	add_tool(context, row + TOOL_DAY_SUMS);
	return 0;
}

int site_groups_add_tools(struct database *db, int64_t since_us, int64_t until_us, struct job_group *group,
			  struct error *err)
{
	struct spans spans = spans_of(since_us, until_us, true);

	return database_range(db, &table_tool_day, 0, AT_DATE, spans.first, spans.last, read_tool_day, group, err);
}
