/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the summary for programs: JSON and CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "common/utf8.h"
#include "reports/json/field.h"
#include "reports/site/jobs_summary.h"
#include "reports/text/summary_table.h"

/* Returns whether @value is printed without decimals. */
static bool is_count(double value)
{
	return value == floor(value) && value < 1e15;
}

static void put_figures(struct json_object *to, const struct job_group *group)
{
	for (enum job_figure i = 0; i < JOB_FIGURE_COUNT; i++) {
		double value = job_figure(group, i);

		if (isnan(value))
			put_null(to, job_figure_names[i]);
		else if (is_count(value))
			put_count(to, job_figure_names[i], (int64_t)value);
		else
			put_ratio(to, job_figure_names[i], value);
	}
}

/* Adds the figures to job_group_json(). Keeps the histogram bins, because another program may add up these groups again. */
static struct json_object *group_object(const struct job_group *group, const enum job_key by[JOB_KEYS_MAX])
{
	struct json_object *object = job_group_json(group, by);

	if (object)
		put_figures(put_object(object, "figures"), group);
	return object;
}

static void put_group(struct json_object *to, const char *name, const struct job_group *group)
{
	static const enum job_key none[JOB_KEYS_MAX] = { JOB_KEY_COUNT, JOB_KEY_COUNT, JOB_KEY_COUNT };
	struct json_object *object = group_object(group, none);

	put_copy(to, name, object);
	json_object_put(object);
}

static void put_period(struct json_object *to, const char *name, const struct job_period *period)
{
	struct json_object *object = put_object(to, name);

	if (period->since_us)
		put_time(object, "since", period->since_us * 1000);
	if (period->until_us)
		put_time(object, "until", period->until_us * 1000);
}

static void put_filters(struct json_object *to, const struct jobs_summary *summary)
{
	for (size_t i = 0; i < summary->filter_count; i++) {
		const struct job_filter *filter = &summary->filters[i];
		struct json_object *object = json_object_new_object();

		if (*filter->value && strcmp(filter->value, "-") != 0)
			put_text(object, job_key_names[filter->key], filter->value);
		else
			put_null(object, job_key_names[filter->key]);
		json_object_array_add(to, object);
	}
}

static void put_head(struct json_object *to, const struct jobs_summary *summary)
{
	cleanup_free char *sentence = jobs_summary_sentence(summary), *change = jobs_summary_change(summary);
	struct json_object *by;

	put_text(to, "schema", "stint-summary/1");
	put_text(to, "sentence", sentence);
	put_text(to, "change", change);
	put_period(to, "period", &summary->period);
	if (change)
		put_period(to, "period_before", &summary->previous);
	put_count(to, "running", summary->running);
	put_count(to, "without_end", summary->without_end);
	put_count(to, "damaged", summary->damaged);
	if (summary->of_slurm)
		put_count(to, "without_report", summary->without_report);
	if (summary->of_store) {
		put_flag(to, "sees_all", !summary->some_hidden);
		coverage_put(&summary->coverage, summary->total.jobs, to);
		store_age_put(&summary->age, to);
		if (summary->unread[0])
			put_text(to, "unread_clusters", summary->unread);
	}
	put_count(to, "users", (int64_t)summary->users.count);
	put_filters(put_array(to, "where"), summary);
	by = put_array(to, "by");
	for (size_t i = 0; i < JOB_KEYS_MAX; i++)
		if (summary->groups.by[i] != JOB_KEY_COUNT)
			json_object_array_add(by, json_object_new_string(job_key_names[summary->groups.by[i]]));
}

void jobs_summary_print_json(struct jobs_summary *summary, FILE *out)
{
	cleanup_json struct json_object *object = json_object_new_object();
	cleanup_free char *safe = NULL;
	struct job_group rest = { 0 };
	size_t shown = jobs_summary_sort(summary, &rest);
	struct json_object *groups;
	int64_t left_out;
	bool more;

	put_head(object, summary);
	put_group(object, "total", &summary->total);
	if (summary->total_before.jobs)
		put_group(object, "total_before", &summary->total_before);
	groups = put_array(object, "groups");
	for (size_t i = 0; i < shown; i++)
		json_object_array_add(groups, group_object(summary->groups.list[i], summary->groups.by));
	if (shown < summary->groups.count)
		put_group(object, "others", &rest);
	left_out = job_groups_left_out(&summary->groups, &more);
	if (left_out)
		put_count(object, "groups_left_out", left_out);
	if (more)
		put_flag(object, "more_left_out", true);
	job_group_free(&rest);
	safe = escape_json(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
									   JSON_C_TO_STRING_NOSLASHESCAPE), NULL);
	if (safe)
		fprintf(out, "%s\n", safe);
}

/* ---- CSV: without JSON, because there may be thousands of groups ---- */

static void print_names(const struct jobs_summary *summary, FILE *out)
{
	const char *before = "";

	for (size_t i = 0; i < JOB_KEYS_MAX; i++)
		if (summary->groups.by[i] != JOB_KEY_COUNT) {
			fprintf(out, "%s%s", before, job_key_names[summary->groups.by[i]]);
			before = ",";
		}
	for (enum job_figure i = 0; i < JOB_FIGURE_COUNT; i++, before = ",")
		fprintf(out, "%s%s", before, job_figure_names[i]);
	fputs("\r\n", out);
}

static void print_key(const char *text, FILE *out)
{
	cleanup_free char *valid = NULL;

	if (text && !utf8_is_valid(text))
		text = valid = utf8_valid(text);
	if (text)
		summary_table_print_csv_text(text, out);
}

static void print_figure(double value, FILE *out)
{
	if (isnan(value))
		return;
	if (is_count(value))
		fprintf(out, "%lld", (long long)value);
	else
		fprintf(out, JSON_RATIO, value);
}

static void print_group(const struct jobs_summary *summary, const struct job_group *group, FILE *out)
{
	const char *before = "";

	for (size_t i = 0; i < JOB_KEYS_MAX; i++)
		if (summary->groups.by[i] != JOB_KEY_COUNT) {
			fputs(before, out);
			print_key(group->keys[i], out);
			before = ",";
		}
	for (enum job_figure i = 0; i < JOB_FIGURE_COUNT; i++, before = ",") {
		fputs(before, out);
		print_figure(job_figure(group, i), out);
	}
	fputs("\r\n", out);
}

void jobs_summary_print_csv(struct jobs_summary *summary, FILE *out)
{
	struct job_group rest = { 0 };
	size_t shown = jobs_summary_sort(summary, &rest);
	cleanup_free char *left_out = NULL, *age = jobs_summary_age(summary);

	print_names(summary, out);
	for (size_t i = 0; i < shown; i++)
		print_group(summary, summary->groups.list[i], out);
	job_group_free(&rest);
	left_out = jobs_summary_left_out(summary);
	if (left_out) /* CSV has no field for it */
		fprintf(stderr, "%s: %s\n", summary->who, left_out);
	if (age)
		fprintf(stderr, "%s: %s\n", summary->who, age);
}
