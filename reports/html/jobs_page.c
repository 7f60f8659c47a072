/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/html/jobs_page.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/conf.h"
#include "reports/html/jobs_page_internal.h"
#include "reports/html/markup.h"
#include "reports/html/page_frame.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/rows/jobs_sentence.h"
#include "reports/rows/word_counts.h"
#include "reports/terminal/output.h"
#include "reports/text/summary_table.h"
#include "reports/wording/job_fields.h"

/* ---- which jobs these are ---- */

static bool is_het(const struct jobs_page *page)
{
	for (size_t i = 0; i < page->count; i++)
		if (page->rows[i].het < 0 || page->rows[i].het != page->rows[0].het)
			return false;
	return page->count > 0;
}

const char *jobs_page_name(const struct jobs_page *page, char name[NAME_MAX + 1])
{
	if (page->by_rule)
		strcpy(name, "stint-rules.html");
	else if (jobs_page_is_array(page))
		snprintf(name, NAME_MAX + 1, "stint-%lld.html", (long long)page->rows[0].array);
	else if (is_het(page))
		snprintf(name, NAME_MAX + 1, "stint-%lld.html", (long long)page->rows[0].het);
	else
		strcpy(name, "stint-jobs.html");
	return name;
}

static const char *title_of(const struct jobs_page *page, char title[256])
{
	const char *name = page->count && page->rows[0].name ? page->rows[0].name : "";

	if (jobs_page_is_array(page))
		snprintf(title, 256, "Array %lld %s", (long long)page->rows[0].array, name);
	else if (is_het(page))
		snprintf(title, 256, "Heterogeneous job %lld %s", (long long)page->rows[0].het, name);
	else
		snprintf(title, 256, "%zu job%s", page->count, plural(page->count));
	return title;
}

/* ---- the head ---- */

static void print_states(const struct jobs_page *page, FILE *out)
{
	struct word_counts states = { .used = 0 };

	word_counts_add_states(&states, page->rows, page->count, "STATE NOT KNOWN");
	fputs("<p class=\"id\">", out);
	for (size_t i = 0; i < states.used; i++) {
		fprintf(out, "<span class=\"badge %s\">%zu ", html_style_class(job_state_style(states.words[i])),
			states.counts[i]);
		html_text(out, states.words[i]);
		fputs("</span> ", out);
	}
	if (states.others)
		fprintf(out, "<span class=\"badge\">%zu others</span>", states.others);
	fputs("</p>\n", out);
}

static void print_item(FILE *out, const char *label, const char *text)
{
	if (!text)
		return;
	fprintf(out, "<li><span class=\"label\">%s</span> ", label);
	html_text(out, text);
	fputs("</li>", out);
}

static const char *same(const struct jobs_page *page, const char *(*text)(const struct summary *row))
{
	const char *first = page->count ? text(&page->rows[0]) : NULL;

	for (size_t i = 1; first && i < page->count; i++) {
		const char *other = text(&page->rows[i]);

		if (!other || strcmp(first, other) != 0)
			return NULL;
	}
	return first;
}

static const char *user_of(const struct summary *row)
{
	return row->user;
}

static const char *cluster_of(const struct summary *row)
{
	return row->cluster;
}

static void print_head(const struct jobs_page *page, FILE *out)
{
	char title[256], text[JOBS_SENTENCE_TEXT];
	size_t partly = 0;

	for (size_t i = 0; i < page->count; i++)
		partly += !page->rows[i].complete && !page->rows[i].so_far;
	fputs("<header>\n<h1>", out);
	html_text(out, title_of(page, title));
	fputs("</h1>\n<p class=\"outcome\">", out);
	jobs_sentence(page->rows, page->count, jobs_page_is_array(page) ? "task" : is_het(page) ? "component" : "job", text);
	html_text(out, text);
	fputs("</p>\n", out);
	print_states(page, out);
	fputs("<ul class=\"items\">", out);
	print_item(out, "User", same(page, user_of));
	print_item(out, "Cluster", same(page, cluster_of));
	fputs("</ul>\n", out);
	if (partly)
		fprintf(out, "<section class=\"incomplete\"><h2>Not complete</h2><p>%zu of %zu jobs were counted only in part."
			"</p></section>\n", partly, page->count);
	fputs("</header>\n<main>\n", out);
}

/* ---- totals ---- */

static void put_figure(FILE *out, const char *label, const char *value, const char *behind)
{
	fprintf(out, "<div class=\"figure\"><dt>%s</dt><dd><span class=\"value%s\">", label, value ? "" : " unknown");
	html_text(out, value ? value : "not known");
	fputs("</span>", out);
	if (behind) {
		fputs("<p>", out);
		html_text(out, behind);
		fputs("</p>", out);
	}
	fputs("</dd></div>\n", out);
}

static void print_totals(const struct jobs_page *page, FILE *out)
{
	double used = 0, given = 0, longest = NAN;
	size_t failed = 0, known = 0;
	bool worth;
	char jobs[32], share[32], hours[64], unused[64], most[DURATION_TEXT], behind[64];

	for (size_t i = 0; i < page->count; i++) {
		const struct summary *row = &page->rows[i];

		failed += summary_failed(row);
		longest = fmax(longest, row->elapsed_s);
		if (isnan(row->cpu_s) || isnan(row->cpus) || isnan(row->elapsed_s))
			continue;
		known++;
		used += row->cpu_s;
		given += row->cpus * row->elapsed_s;
	}
	worth = given / 3600 >= JOB_HOURS_SHOWN;
	snprintf(jobs, sizeof(jobs), "%zu", page->count);
	snprintf(behind, sizeof(behind), "%zu not completed", failed);
	snprintf(share, sizeof(share), "%.1f %%", given > 0 ? 100 * used / given : 0);
	snprintf(hours, sizeof(hours), "of %.2f core-hours", given / 3600);
	snprintf(unused, sizeof(unused), "%.2f", fmax(given - used, 0) / 3600);
	fputs("<dl class=\"figures\" aria-label=\"Figures\">\n", out);
	put_figure(out, "Jobs", jobs, behind);
	put_figure(out, "CPU used", known && given > 0 ? share : NULL, known && worth ? hours : NULL);
	if (!known || worth)
		put_figure(out, "CPU left unused", known ? unused : NULL, "core-hours");
	put_figure(out, "Longest", isnan(longest) ? NULL : short_duration_text(longest, most), NULL);
	fputs("</dl>\n", out);
}

/* ---- all of it ---- */

static int print_page(const struct jobs_page *page, const char *directory, FILE *out, struct error *err)
{
	struct summary_table_sort by_id;
	struct error warning; /* find_rows() has already printed it */
	char title[256];
	struct conf conf;

	if (conf_load_known(&conf, page->config, &warning, err) < 0)
		return -1;
	summary_table_read_sort("id", &by_id);
	summary_table_sort(page->rows, page->count, &by_id);
	html_frame_begin(out, title_of(page, title));
	print_head(page, out);
	print_totals(page, out);
	jobs_page_failed(page, directory, out);
	jobs_page_advice(page, jobs_page_is_array(page), &conf, out);
	summary_table_sort(page->rows, page->count, &by_id); /* the advice by rule changed the order of the rows */
	jobs_page_groups(page, out);
	jobs_page_longest(page, directory, out);
	jobs_page_all(page, directory, out);
	fputs("</main>\n", out);
	html_frame_end(out, "stint report --html");
	return 0;
}

static char *directory_of(const char *path)
{
	const char *slash = strcmp(path, "-") == 0 ? NULL : strrchr(path, '/');

	return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("./");
}

int jobs_page_write(const struct jobs_page *page, const char *path, struct error *err)
{
	cleanup_free char *text = NULL, *directory = directory_of(path);
	size_t len = 0;
	FILE *out = directory ? open_memstream(&text, &len) : NULL;
	int result;

	if (!out)
		return error_errno(err, "the page");
	result = print_page(page, directory, out, err);
	if (fclose(out) != 0)
		return error_errno(err, "the page");
	if (result < 0 || strcmp(path, "-") != 0)
		return result < 0 ? -1 : output_write(&output_page, path, text, len, err);
	if (fwrite(text, 1, len, stdout) != len || fflush(stdout) != 0)
		return error_errno(err, "standard output");
	return 0;
}
