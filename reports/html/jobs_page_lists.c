/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the lists of jobs: failed, longest, and all. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "reports/html/jobs_page_internal.h"
#include "reports/html/list.h"
#include "reports/html/markup.h"
#include "reports/json/units.h"
#include "reports/terminal/output.h"
#include "reports/wording/group_again.h"
#include "reports/wording/job_fields.h"

#define LONGEST 10
#define COLUMNS_MAX 12

struct line {
	struct html_cell cells[COLUMNS_MAX];
	char texts[COLUMNS_MAX][NAME_MAX + 1];
	char href[NAME_MAX + 1];
	size_t used;
};

static void add_text(struct line *line, const char *text, enum terminal_style style)
{
	line->cells[line->used++] = (struct html_cell){ .text = text, .style = style };
}

static void add_job(struct line *line, const struct summary *row, const char *directory)
{
	char *text = line->texts[line->used];
	cleanup_free char *path = NULL;
	bool there;

	output_name(&output_page, row, line->href);
	there = asprintf(&path, "%s%s", directory, line->href) >= 0 && access(path, F_OK) == 0;
	line->cells[line->used++] = (struct html_cell){
		.text = summary_id(row, text), .sorted = true, .value = (double)(row->array >= 0 ? row->array : row->id) * 1e6 +
			(double)(row->task >= 0 ? row->task : 0), .href = there ? line->href : NULL,
	};
}

static void add_time(struct line *line, double seconds, double longest)
{
	char *text = line->texts[line->used];

	line->cells[line->used++] = (struct html_cell){
		.text = isnan(seconds) ? NULL : short_duration_text(seconds, text), .sorted = true, .value = seconds,
		.bar = longest > 0, .share = seconds / longest, .style = STYLE_ACCENT,
	};
}

static const char *mark_of_memory(const struct summary *row)
{
	return job_used_more_memory(row->findings) ? " or more" : "";
}

static void add_share(struct line *line, double share, const char *mark, enum look look)
{
	char *text = line->texts[line->used];

	snprintf(text, NAME_MAX, "%.1f %%%s", 100 * share, mark);
	line->cells[line->used++] = (struct html_cell){
		.text = isnan(share) ? NULL : text, .sorted = true, .value = share, .bar = true, .share = share,
		.style = terminal_style_of(look, STYLE_ACCENT),
	};
}

static void add_size(struct line *line, double bytes, const char *mark)
{
	char *text = line->texts[line->used], size[SIZE_TEXT];

	snprintf(text, NAME_MAX, "%s%s", size_text(bytes, size), mark);
	line->cells[line->used++] = (struct html_cell){
		.text = isnan(bytes) ? NULL : text, .sorted = true, .value = bytes,
	};
}

static void add_count(struct line *line, double count)
{
	char *text = line->texts[line->used];

	snprintf(text, NAME_MAX, "%.0f", count);
	line->cells[line->used++] = (struct html_cell){ .text = isnan(count) ? NULL : text, .sorted = true, .value = count };
}

static void begin_section(FILE *out, const char *id, const char *title)
{
	fprintf(out, "<section aria-labelledby=\"%s-h\"><h2 id=\"%s-h\">%s</h2>\n", id, id, title);
}

/* Prints the sbatch line that submits the failed tasks again. */
static void put_again(const struct jobs_page *page, FILE *out)
{
	cleanup_free char *tasks = jobs_page_is_array(page) ? group_again(page->rows, page->count) : NULL;

	if (!tasks)
		return;
	fprintf(out, "<div class=\"paste\"><p>To submit these again, with the job script at the end</p>\n"
		"<pre id=\"again-lines\">sbatch --array=%s</pre><button type=\"button\" class=\"copy\" "
		"data-from=\"again-lines\" hidden>Copy</button></div>\n", tasks);
}

void jobs_page_failed(const struct jobs_page *page, const char *directory, FILE *out)
{
	static const struct html_list_column columns[] = { { "Job", false }, { "Name", false }, { "How it ended", false } };
	struct html_list *list = NULL;

	for (size_t i = 0; i < page->count; i++) {
		const struct summary *row = &page->rows[i];
		struct line line = { .used = 0 };

		if (!summary_failed(row))
			continue;
		if (!list) {
			begin_section(out, "failed", "Not completed");
			list = html_list_begin(out, "failed", "Not completed", columns, 3);
		}
		add_job(&line, row, directory);
		add_text(&line, row->name, STYLE_PLAIN);
		add_text(&line, row->outcome ? row->outcome : row->state, STYLE_PLAIN);
		html_list_row(list, line.cells);
	}
	if (list) {
		html_list_end(list);
		put_again(page, out);
		fputs("</section>\n", out);
	}
}

/* ---- all of them ---- */

#define COLUMNS_BEHIND \
	{ "State", false }, { "Elapsed", true }, { "CPUs", true }, { "CPU", true }, { "Memory peak", true }, \
	{ "Memory", true }, { "Bound by", false }, { "Finding", false }

static const struct html_list_column job_columns[] = { { "Job", false }, { "Name", false }, COLUMNS_BEHIND };
static const struct html_list_column rule_columns[] = { { "Job", false }, { "Rule", false }, { "Name", false }, COLUMNS_BEHIND };

static struct html_list *begin_jobs(const struct jobs_page *page, FILE *out, const char *id, const char *title)
{
	if (jobs_page_has_rules(page))
		return html_list_begin(out, id, title, rule_columns, sizeof(rule_columns) / sizeof(rule_columns[0]));
	return html_list_begin(out, id, title, job_columns, sizeof(job_columns) / sizeof(job_columns[0]));
}

static double longest_of(const struct jobs_page *page)
{
	double longest = 0;

	for (size_t i = 0; i < page->count; i++)
		longest = fmax(longest, page->rows[i].elapsed_s);
	return longest;
}

static void put_job(bool rules, struct html_list *list, const struct summary *row, const char *directory,
		    double longest)
{
	cleanup_free char *worst = summary_worst(row);
	struct line line = { .used = 0 };

	add_job(&line, row, directory);
	if (rules)
		add_text(&line, row->unit, STYLE_PLAIN);
	add_text(&line, row->name, STYLE_PLAIN);
	add_text(&line, row->state, job_state_style(row->state));
	add_time(&line, row->elapsed_s, longest);
	add_count(&line, row->cpus);
	add_share(&line, row->cpu_efficiency, "", summary_look_at(row, LOOK_AT_CPU));
	add_size(&line, row->memory_used, mark_of_memory(row));
	add_share(&line, row->memory_efficiency, mark_of_memory(row), summary_look_at(row, LOOK_AT_MEMORY));
	add_text(&line, row->bound, STYLE_PLAIN);
	add_text(&line, worst ? worst : "", terminal_style_of(summary_look(row), STYLE_PLAIN));
	line.cells[line.used - 1].title = row->findings;
	html_list_row(list, line.cells);
}

static int compare_elapsed(const void *a, const void *b)
{
	double one = (*(const struct summary *const *)a)->elapsed_s, other = (*(const struct summary *const *)b)->elapsed_s;

	if (isnan(one) || isnan(other))
		return isnan(one) - isnan(other);
	return one < other ? 1 : one > other ? -1 : 0;
}

void jobs_page_longest(const struct jobs_page *page, const char *directory, FILE *out)
{
	cleanup_free const struct summary **sorted = calloc(page->count + 1, sizeof(*sorted));
	bool rules = jobs_page_has_rules(page);
	double longest = longest_of(page);
	struct html_list *list;

	if (!sorted || page->count <= LONGEST)
		return;
	for (size_t i = 0; i < page->count; i++)
		sorted[i] = &page->rows[i];
	qsort(sorted, page->count, sizeof(*sorted), compare_elapsed);
	begin_section(out, "longest", "Took longest");
	list = begin_jobs(page, out, "longest", "Took longest");
	for (size_t i = 0; i < LONGEST; i++)
		put_job(rules, list, sorted[i], directory, longest);
	html_list_end(list);
	fputs("</section>\n", out);
}

void jobs_page_all(const struct jobs_page *page, const char *directory, FILE *out)
{
	bool rules = jobs_page_has_rules(page);
	double longest = longest_of(page);
	struct html_list *list;

	begin_section(out, "jobs", "All jobs");
	list = begin_jobs(page, out, "jobs", "All jobs");
	for (size_t i = 0; i < page->count; i++)
		put_job(rules, list, &page->rows[i], directory, longest);
	html_list_end(list);
	fputs("</section>\n", out);
}
