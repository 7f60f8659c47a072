/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site/job_charts.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reports/html/markup.h"
#include "reports/json/plural.h"
#include "reports/rules/looks.h"
#include "reports/site/jobs_summary.h"

#define WIDTH 1000.0 /* units of the chart; browsers stretch it to the width of the page */
#define HEIGHT 120.0
#define WEEKS_MAX 104
#define WEEKS_LEAST 12 /* with fewer weeks, bars are only as wide as with this number of weeks */
#define WEEK_S (7 * 86400)
#define MS_PER_H 3600000.0
#define SIZES_MAX 16

struct part {
	double given, used, wasted; /* core-hours; @given includes core-hours whose use is not known */
};

static struct part part_of(const struct job_group *group)
{
	struct part part = { 0 };

	if (!group)
		return part;
	part.given = (double)group->sum[JOB_CPU_GIVEN] / MS_PER_H;
	part.wasted = (double)group->sum[JOB_CPU_WASTED] / MS_PER_H;
	part.used = (double)group->sum[JOB_CPU_JUDGED] / MS_PER_H - part.wasted;
	return part;
}

static void begin_picture(const char *target, const char *label, FILE *out)
{
	fprintf(out,
		"<figure style=\"margin:0 0 14px\"><a href=\"#%s\"><svg viewBox=\"0 0 %.0f %.0f\" preserveAspectRatio=\"none\" "
		"style=\"display:block;width:100%%;height:150px\" role=\"img\" aria-label=\"",
		target, WIDTH, HEIGHT);
	html_text(out, label);
	fputs("\">", out);
}

static void put_rect(double x, double width, double from, double to, const char *colour, FILE *out)
{
	if (to > from)
		fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" style=\"fill:var(--%s)\"/>", x,
			HEIGHT - to, width, to - from, colour);
}

static void put_key(const char *colour, const char *text, FILE *out)
{
	fprintf(out, "<svg width=\"11\" height=\"11\" aria-hidden=\"true\"><rect width=\"11\" height=\"11\" rx=\"2\" "
		"style=\"fill:var(--%s)\"/></svg> %s &#160; ", colour, text);
}

/* ---- weeks ---- */

/* Returns noon of a day in seconds since 1970; -1 if @key is no day. Uses UTC, in which all days are equally long. */
static time_t day_of(const char *key)
{
	struct tm day = { .tm_hour = 12 };

	if (!key || sscanf(key, "%d-%d-%d", &day.tm_year, &day.tm_mon, &day.tm_mday) != 3)
		return -1;
	day.tm_year -= 1900;
	day.tm_mon -= 1;
	return timegm(&day);
}

static void day_text(time_t day, char text[JOB_KEY_TEXT])
{
	struct tm parts;

	if (!gmtime_r(&day, &parts) || !strftime(text, JOB_KEY_TEXT, "%Y-%m-%d", &parts))
		text[0] = '\0';
}

static const struct job_group *week_at(const struct job_groups *groups, time_t day)
{
	char key[JOB_KEY_TEXT];
	const struct job_group like = { .keys = { key } };

	day_text(day, key);
	return job_groups_find(groups, &like);
}

static void put_week(const struct job_group *group, time_t day, double x, double slot, double most, FILE *out)
{
	struct part part = part_of(group);
	double scale = HEIGHT / most, width = slot * 0.86, used = part.used * scale;
	double wasted = used + part.wasted * scale;
	char text[JOB_KEY_TEXT], given[HOURS_TEXT], lost[HOURS_TEXT];

	if (!group)
		return;
	day_text(day, text);
	fputs("<g><title>", out);
	html_textf(out, "Week from %s: %s core-hours given, %s wasted, %lld job%s", text, job_hours_text(part.given, given),
		   job_hours_text(part.wasted, lost), (long long)group->jobs, plural(group->jobs));
	fputs("</title>", out);
	put_rect(x, width, 0, used, "part", out);
	put_rect(x, width, used, wasted, "look", out);
	put_rect(x, width, wasted, part.given * scale, "whole", out);
	fputs("</g>", out);
}

static void put_weeks_axis(time_t first, time_t last, double most, size_t count, bool all_known, FILE *out)
{
	char begin[JOB_KEY_TEXT], end[JOB_KEY_TEXT], hours[HOURS_TEXT];
	double width = count < WEEKS_LEAST ? 100.0 * (double)count / WEEKS_LEAST : 100;

	day_text(first, begin);
	day_text(last, end);
	fprintf(out, "</svg></a><div class=\"note\" style=\"display:flex;justify-content:space-between;gap:8px;min-width:%s;width:%.1f%%\">"
		"<span>%s</span><span>%s</span></div>\n", count > 1 ? "12em" : "0", width, begin, count > 1 ? end : "");
	fputs("<figcaption class=\"note\">", out);
	put_key("part", "used", out);
	put_key("look", "wasted", out);
	if (!all_known)
		put_key("whole", "not known", out);
	html_textf(out, "The highest bar is %s core-hours in a week.", job_hours_text(most, hours));
	fputs("</figcaption></figure>\n", out);
}

/* Returns whether the use of all core-hours is known. */
static bool is_known(const struct job_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		if (groups->list[i]->sum[JOB_CPU_JUDGED] < groups->list[i]->sum[JOB_CPU_GIVEN])
			return false;
	return true;
}

void job_chart_weeks(const struct job_groups *groups, const char *target, FILE *out)
{
	time_t first = -1, last = -1;
	double most = 0, slot;
	size_t count;

	for (size_t i = 0; i < groups->count; i++) {
		time_t day = day_of(groups->list[i]->keys[0]);

		if (day < 0)
			continue;
		first = first < 0 || day < first ? day : first;
		last = day > last ? day : last;
	}
	if (last < 0)
		return;
	if (last - first >= (time_t)WEEKS_MAX * WEEK_S)
		first = last - (time_t)(WEEKS_MAX - 1) * WEEK_S;
	count = (size_t)((last - first) / WEEK_S) + 1;
	for (size_t i = 0; i < count; i++)
		most = fmax(most, part_of(week_at(groups, first + (time_t)i * WEEK_S)).given);
	if (!(most > 0))
		return;
	slot = WIDTH / (double)(count < WEEKS_LEAST ? WEEKS_LEAST : count);
	begin_picture(target, "Core-hours given in each week: used, and wasted; the table below has the numbers", out);
	for (size_t i = 0; i < count; i++)
		put_week(week_at(groups, first + (time_t)i * WEEK_S), first + (time_t)i * WEEK_S, (double)i * slot, slot, most, out);
	put_weeks_axis(first, last, most, count, is_known(groups), out);
}

/* ---- sizes ---- */

/* Sorts by the number with which the name of a size begins, the smallest number of CPUs. Unknown sizes come last. */
static int compare_sizes(const void *a, const void *b)
{
	const struct job_group *one = *(const struct job_group *const *)a, *other = *(const struct job_group *const *)b;
	long x = one->keys[0] ? strtol(one->keys[0], NULL, 10) : LONG_MAX;
	long y = other->keys[0] ? strtol(other->keys[0], NULL, 10) : LONG_MAX;

	return x < y ? -1 : x > y;
}

/* The table below the chart has the same colours. */
static const char *colour_of(double share)
{
	enum look look = look_of_efficiency(share);

	return look == LOOK_GOOD ? "good" : look == LOOK_LOOK ? "look" : "part";
}

static void put_size(const struct job_group *group, double x, double width, FILE *out)
{
	struct part part = part_of(group);
	double share = job_figure(group, FIGURE_CPU_EFF);
	char given[HOURS_TEXT];

	fputs("<g><title>", out);
	html_textf(out, "%s CPU%s: %lld job%s, %s core-hours", group->keys[0] ? group->keys[0] : "?",
		   group->keys[0] && strcmp(group->keys[0], "1") == 0 ? "" : "s", (long long)group->jobs, plural(group->jobs),
		   job_hours_text(part.given, given));
	if (!isnan(share))
		html_textf(out, ", %.0f %% used", 100 * share);
	fputs("</title>", out);
	put_rect(x, width, 0, HEIGHT, "whole", out);
	if (!isnan(share))
		put_rect(x, width, 0, share * HEIGHT, colour_of(share), out);
	fputs("</g>", out);
}

static void put_size_label(const struct job_group *group, double part, FILE *out)
{
	double share = job_figure(group, FIGURE_CPU_EFF);

	fprintf(out, "<span style=\"width:%.2f%%;overflow:hidden;white-space:nowrap;text-overflow:clip\">", 100 * part);
	if (part >= 0.09) {
		html_textf(out, "%s", group->keys[0] ? group->keys[0] : "?");
		if (!isnan(share) && part >= 0.2)
			html_textf(out, ": %.0f %%", 100 * share);
	}
	fputs("</span>", out);
}

void job_chart_sizes(const struct job_groups *groups, const char *target, FILE *out)
{
	const struct job_group *list[SIZES_MAX];
	size_t count = groups->count < SIZES_MAX ? groups->count : SIZES_MAX;
	double all = 0, x = 0;

	for (size_t i = 0; i < count; i++) {
		list[i] = groups->list[i];
		all += part_of(list[i]).given;
	}
	if (!(all > 0))
		return;
	qsort(list, count, sizeof(list[0]), compare_sizes);
	begin_picture(target, "Core-hours of jobs by their CPUs, and how much of them was used; the table below has the numbers", out);
	for (size_t i = 0; i < count; i++) {
		double width = WIDTH * part_of(list[i]).given / all;

		put_size(list[i], x, width > 4 ? width - 2 : width, out);
		x += width;
	}
	fputs("</svg></a><div class=\"note\" style=\"display:flex\">", out);
	for (size_t i = 0; i < count; i++)
		put_size_label(list[i], part_of(list[i]).given / all, out);
	fputs("</div>\n<figcaption class=\"note\">Jobs by the number of their CPUs. A field's width is what its jobs were "
	      "given; its filled part is what they used of it.</figcaption></figure>\n", out);
}
