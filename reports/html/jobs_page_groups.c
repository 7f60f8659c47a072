/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the jobs by rule or by name: what they used, and what to ask for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/html/boxes.h"
#include "reports/html/jobs_page_internal.h"
#include "reports/html/markup.h"
#include "reports/json/units.h"
#include "reports/text/workflow_table.h"
#include "reports/verdict/advice.h"
#include "reports/wording/group_advice.h"

#define GROUPS_SHOWN 40
#define LINE_TEXT 512

/* ---- which jobs belong together ---- */

bool jobs_page_has_rules(const struct jobs_page *page)
{
	for (size_t i = 0; i < page->count; i++)
		if (page->rows[i].unit)
			return true;
	return page->by_rule;
}

bool jobs_page_is_array(const struct jobs_page *page)
{
	for (size_t i = 0; i < page->count; i++)
		if (page->rows[i].array < 0 || page->rows[i].array != page->rows[0].array)
			return false;
	return page->count > 0;
}

struct member {
	const char *group;
	const struct summary *row;
};

static int compare_members(const void *a, const void *b)
{
	const struct member *one = a, *other = b;
	int result = strcmp(one->group, other->group);

	return result ? result : one->row < other->row ? -1 : one->row > other->row;
}

struct group {
	const struct member *members;
	size_t count;
	double elapsed_s; /* of all its jobs; the largest group comes first */
};

static int compare_groups(const void *a, const void *b)
{
	const struct group *one = a, *other = b;

	return one->elapsed_s < other->elapsed_s ? 1 : one->elapsed_s > other->elapsed_s ? -1 :
	       strcmp(one->members->group, other->members->group);
}

/* Joins all groups into one. Most names have only one job, and a box plot of one job shows nothing. */
static void join_groups(struct group *groups, struct member *members, size_t *count)
{
	for (size_t g = 1; g < *count; g++) {
		groups->count += groups[g].count;
		groups->elapsed_s += groups[g].elapsed_s;
	}
	members->group = "all jobs";
	*count = 1;
}

/*
 * Returns the groups, which the caller must free; NULL if out of memory.
 *
 * @members: room for all jobs; the groups point to it
 */
static struct group *find_groups(const struct jobs_page *page, struct member *members, size_t *count)
{
	struct group *groups = calloc(page->count + 1, sizeof(*groups));
	bool rules = jobs_page_has_rules(page);

	*count = 0;
	if (!groups)
		return NULL;
	for (size_t i = 0; i < page->count; i++) {
		const struct summary *row = &page->rows[i];
		const char *none = rules ? "(no rule or process)" : "(no name)", *group = rules ? row->unit : row->name;

		members[i] = (struct member){ group ? group : none, row };
	}
	if (page->count)
		qsort(members, page->count, sizeof(*members), compare_members);
	for (size_t i = 0; i < page->count; i++) {
		if (i == 0 || strcmp(members[i - 1].group, members[i].group) != 0)
			groups[(*count)++].members = &members[i];
		groups[*count - 1].count++;
		groups[*count - 1].elapsed_s += isnan(members[i].row->elapsed_s) ? 0 : members[i].row->elapsed_s;
	}
	if (!rules && page->count < 2 * *count)
		join_groups(groups, members, count);
	if (*count)
		qsort(groups, *count, sizeof(*groups), compare_groups);
	return groups;
}

/* ---- box plots ---- */

static const char *time_words(double value, char text[HTML_BOX_TEXT])
{
	return short_duration_text(value, text);
}

static const char *share_words(double value, char text[HTML_BOX_TEXT])
{
	snprintf(text, HTML_BOX_TEXT, "%.1f %%", 100 * value);
	return text;
}

static const char *size_words(double value, char text[HTML_BOX_TEXT])
{
	return size_text(value, text);
}

static const struct plot {
	const char *title;
	double (*value)(const struct summary *row);
	const char *(*text)(double value, char text[HTML_BOX_TEXT]);
} plots[] = {
	{ "Elapsed time", summary_elapsed, time_words },
	{ "CPU used, of what was allocated", summary_cpu_efficiency, share_words },
	{ "Memory at its peak", summary_memory_used, size_words },
	{ "Memory used, of what was asked for", summary_memory_efficiency, share_words },
};

static void print_plot(const struct plot *plot, const struct group *groups, size_t count, double *values,
		       struct html_box *boxes, FILE *out)
{
	for (size_t g = 0; g < count; g++) {
		for (size_t i = 0; i < groups[g].count; i++)
			values[i] = plot->value(groups[g].members[i].row);
		boxes[g].label = groups[g].members->group;
		html_box_fill(&boxes[g], values, groups[g].count);
	}
	html_boxes(out, plot->title, boxes, count, plot->text);
}

void jobs_page_groups(const struct jobs_page *page, FILE *out)
{
	cleanup_free struct member *members = calloc(page->count + 1, sizeof(*members));
	cleanup_free double *values = calloc(page->count + 1, sizeof(*values));
	cleanup_free struct html_box *boxes = calloc(GROUPS_SHOWN, sizeof(*boxes));
	cleanup_free struct group *groups = NULL;
	size_t count = 0, shown;

	groups = members ? find_groups(page, members, &count) : NULL;
	if (!groups || !values || !boxes || count == 0)
		return;
	shown = count < GROUPS_SHOWN ? count : GROUPS_SHOWN;
	fputs("<section aria-labelledby=\"spread-h\"><h2 id=\"spread-h\">What they used</h2>\n<p class=\"note\">A box "
	      "shows the middle half of the jobs, and its line the median. Whiskers reach the furthest jobs within 1.5 "
	      "times the box; dots are jobs beyond.", out);
	if (shown < count)
		fprintf(out, " The plots show only the %zu groups, of %zu, that took most time.", shown, count);
	fputs("</p>\n", out);
	for (size_t p = 0; p < sizeof(plots) / sizeof(plots[0]); p++)
		print_plot(&plots[p], groups, shown, values, boxes, out);
	fputs("</section>\n", out);
}

/* ---- what to ask for ---- */

static void put_line(FILE *out, const char *line, const struct group_advice *advice)
{
	if (isnan(advice->value))
		return;
	html_text(out, line);
	fputc('\n', out);
}

static void put_reason(FILE *out, const struct group_advice *advice)
{
	if (isnan(advice->value))
		return;
	fputs("<dd>", out);
	html_text(out, advice->reason);
	fputs("</dd>\n", out);
}

static void print_array_advice(const struct jobs_page *page, const struct conf *conf, FILE *out, FILE *reasons)
{
	struct group_advices advices;
	char line[LINE_TEXT];

	group_advise(page->rows, page->count, conf, "task", &advices);
	advice_write_memory(fmax(advices.memory.value, 0), "#SBATCH", line, sizeof(line));
	put_line(out, line, &advices.memory);
	group_write_cpus(&advices, line, sizeof(line));
	put_line(out, line, &advices.cpus);
	advice_write_time(advices.time.value, line, sizeof(line));
	put_line(out, line, &advices.time);
	put_reason(reasons, &advices.memory);
	put_reason(reasons, &advices.cpus);
	put_reason(reasons, &advices.time);
}

/* The lines are escaped already. */
static void print_rule_advice(const struct jobs_page *page, const struct conf *conf, FILE *out)
{
	const struct page_options options = { .width = TERMINAL_WIDTH_MAX, .unicode = true };
	cleanup_free char *text = NULL;
	size_t len = 0;
	FILE *lines = open_memstream(&text, &len);

	if (!lines)
		return;
	workflow_table_print_advice(page->rows, page->count, conf, &options, lines);
	if (fclose(lines) == 0)
		html_lines(out, text);
}

static void print_array_silence(const struct jobs_page *page, const struct conf *conf, FILE *out)
{
	fprintf(out, "<section class=\"advice\" aria-labelledby=\"advice-h\"><h2 id=\"advice-h\">Next time</h2>\n<p>%s</p></section>\n",
		group_silence(page->rows, page->count, conf));
}

void jobs_page_advice(const struct jobs_page *page, bool array, const struct conf *conf, FILE *out)
{
	cleanup_free char *text = NULL, *reasons_text = NULL;
	size_t len = 0, reasons_len = 0;
	FILE *lines = open_memstream(&text, &len), *reasons = open_memstream(&reasons_text, &reasons_len);

	if (lines && reasons && array && !jobs_page_has_rules(page))
		print_array_advice(page, conf, lines, reasons);
	else if (lines && jobs_page_has_rules(page))
		print_rule_advice(page, conf, lines);
	if (lines)
		fclose(lines);
	if (reasons)
		fclose(reasons);
	if (text && !*text && array && !jobs_page_has_rules(page))
		print_array_silence(page, conf, out);
	if (!text || !*text)
		return;
	fputs("<section class=\"advice\" aria-labelledby=\"advice-h\"><h2 id=\"advice-h\">Next time</h2>\n"
	      "<div class=\"paste\"><pre id=\"advice-lines\">", out);
	fputs(text, out);
	fputs("</pre><button type=\"button\" class=\"copy\" data-from=\"advice-lines\" hidden>Copy</button></div>\n", out);
	if (reasons_text && *reasons_text)
		fprintf(out, "<details><summary>Why these lines</summary><dl class=\"reasons\">%s</dl></details>\n", reasons_text);
	fputs("</section>\n", out);
}
