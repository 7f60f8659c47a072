/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/groups/site_groups.h"

#include <time.h>

#include "reports/facts/site_days.h"
#include "reports/groups/group_key.h"
#include "reports/groups/group_row.h"

#define US_PER_S INT64_C(1000000)
#define DAY_MAX 99991231

enum { AT_CLUSTER, AT_DATE };

struct reading {
	struct database *db;
	struct words words;
	const struct site_groups_wanted *wanted;
	const struct group_tables *tables;
	const struct database_table *table; /* the table of days or months that is being read */
	site_groups_each *each;
	void *context;
};

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

/* Returns when day @day of the month in @of begins. */
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
	int64_t day = moment_us ? site_day(moment_us) : 0;

	return day ? day : otherwise;
}

/* ---- groups ---- */

static int read_group(void *context, const struct database_value *row, struct error *err)
{
	struct reading *reading = context;
	struct job_group group = { 0 };
	struct group_who who;
	int result = reading->wanted->names_only ? 0 : group_row_add(row + reading->table->key, &group, err);

	group_key_take(row, reading->tables->by, &reading->words, &who);
	who.row.end_us = site_day_noon(row[AT_DATE].number);
	if (result == 0)
		result = reading->each(reading->context, &who.row, &group, err);
	job_group_free(&group);
	return result;
}

/* What to read. Whole months are read from the table of months, except if days are wanted. */
struct spans {
	int64_t first, last;		 /* the first day, and the day after the last */
	int64_t first_month, last_month; /* the first month, and the month after the last; equal if there are no whole months */
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

static int read_span(struct reading *reading, const struct database_table *table, int64_t cluster, int64_t first, int64_t last,
		     struct error *err)
{
	reading->table = table;
	return database_span(reading->db, table, 0, cluster, first, last, read_group, reading, err);
}

static int read_cluster(struct reading *reading, int64_t cluster, const struct spans *spans, struct error *err)
{
	const struct database_table *days = reading->tables->day, *months = reading->tables->month;

	if (spans->first_month == spans->last_month)
		return read_span(reading, days, cluster, spans->first, spans->last, err);
	if (read_span(reading, days, cluster, spans->first, spans->first_month * 100, err) < 0 ||
	    read_span(reading, months, cluster, spans->first_month, spans->last_month, err) < 0)
		return -1;
	return read_span(reading, days, cluster, spans->last_month * 100, spans->last, err);
}

int site_groups_read(struct database *db, const struct site_groups_wanted *wanted, site_groups_each *each, void *context,
		     struct error *err)
{
	struct reading reading = {
		.db = db,
		.wanted = wanted,
		.tables = group_tables_by(wanted->by),
		.each = each,
		.context = context,
	};
	struct spans spans = spans_of(wanted->since_us, wanted->until_us, wanted->days);
	int result = words_read(&reading.words, db, group_key_words(wanted->by), err);

	for (int64_t cluster = 1; result == 0 && words_get(&reading.words, cluster, NAME_KINDS, cluster); cluster++)
		result = read_cluster(&reading, cluster, &spans, err);
	words_free(&reading.words);
	return result;
}

static int note_any(void *context, const struct database_value *row, struct error *err)
{
	(void)row;
	(void)err;
	*(bool *)context = true;
	return 0;
}

int site_groups_before(struct database *db, int64_t moment_us, bool *has, struct error *err)
{
	struct tm parts;
	int64_t month = parts_of(moment_us, &parts) ? (parts.tm_year + 1900) * 100 + parts.tm_mon + 1 : 0;

	*has = false;
	return database_range(db, group_tables_by(JOB_KEY_USER)->month, 0, AT_DATE, 0, month, note_any, has, err);
}
