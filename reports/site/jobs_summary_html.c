/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the summary as a page for browsers. The numbers at the top of the page link to tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/html/list.h"
#include "reports/html/markup.h"
#include "reports/html/page_frame.h"
#include "reports/json/units.h"
#include "reports/site/job_charts.h"
#include "reports/site/jobs_summary.h"
#include "reports/terminal/output.h"

#define TEXT 64

static const struct view {
	enum job_key key;
	const char *id, *title, *head;
} views[JOB_VIEWS] = {
	{ JOB_KEY_WEEK, "weeks", "Week by week", "Week from" },
	{ JOB_KEY_ACCOUNT, "accounts", "Accounts", "Account" },
	{ JOB_KEY_USER, "users", "Users", "User" },
	{ JOB_KEY_SIZE, "sizes", "Efficiency by size of the job", "CPUs" },
	{ JOB_KEY_TOOL, "tools", "Tools", "Tool" },
	{ JOB_KEY_NODE, "nodes", "Nodes", "Node" },
	{ JOB_KEY_VERDICT, "verdicts", "What jobs were bound by", "Verdict" },
	{ JOB_KEY_FINDING, "findings", "What was found", "The jobs" },
};

/* ---- numbers ---- */

static const char *share_text(double share, char text[TEXT])
{
	if (isnan(share))
		return NULL;
	snprintf(text, TEXT, "%.0f %%", 100 * share);
	return text;
}

static struct html_cell hours_cell(double hours, char text[HOURS_TEXT])
{
	return (struct html_cell){ .text = isnan(hours) ? NULL : job_hours_text(hours, text),
				   .sorted = !isnan(hours), .value = hours };
}

/* A share of the allocation that was used, with a colour: a large share is good. */
static struct html_cell efficiency_cell(double share, char text[TEXT])
{
	return (struct html_cell){ .text = share_text(share, text), .sorted = !isnan(share), .value = share, .bar = !isnan(share),
				   .share = share, .style = terminal_style_of(look_of_efficiency(share), STYLE_ACCENT) };
}

static struct html_cell count_cell(double count, char text[TEXT])
{
	if (isnan(count))
		return (struct html_cell){ 0 };
	return (struct html_cell){ .text = job_count_text(count, text), .sorted = true, .value = count };
}

/* ---- the lists ---- */

/*
 * The words of a finding continue the heading of the column: "The jobs ... ran out of memory". When the mouse is over
 * the cell, the code is shown.
 */
static struct html_cell key_cell(enum job_key key, const char *value)
{
	const struct finding_rule *rule = key == JOB_KEY_FINDING && value ? rules_finding(value, strlen(value)) : NULL;

	if (key == JOB_KEY_FINDING && !value)
		return (struct html_cell){ .text = "had nothing to look at" };
	return (struct html_cell){ .text = rule ? rule->of_many : value, .title = rule ? rule->code : NULL };
}

static void put_group(struct html_list *list, const struct view *view, const struct job_group *group,
		      double wasted_of_all)
{
	double wasted = job_figure(group, FIGURE_CORE_H_WASTED);
	char texts[6][HOURS_TEXT > TEXT ? HOURS_TEXT : TEXT], efficiency[TEXT], memory[TEXT], failed[TEXT];
	struct html_cell cells[9];

	cells[0] = key_cell(view->key, group->keys[0]);
	cells[1] = count_cell((double)group->jobs, texts[0]);
	cells[2] = hours_cell(job_figure(group, FIGURE_CORE_H_GIVEN), texts[1]);
	cells[3] = efficiency_cell(job_figure(group, FIGURE_CPU_EFF), efficiency);
	cells[4] = hours_cell(wasted, texts[2]);
	cells[4].bar = wasted_of_all > 0 && !isnan(wasted);
	cells[4].share = wasted / wasted_of_all;
	cells[4].style = STYLE_WARNING;
	cells[5] = hours_cell(job_figure(group, FIGURE_GIB_H_WASTED), texts[3]);
	cells[6] = efficiency_cell(job_figure(group, FIGURE_MEM_EFF), memory);
	if (group->oom && cells[6].style == STYLE_GOOD) /* these jobs used all their memory because they had too little */
		cells[6].style = STYLE_WARNING;
	cells[7] = count_cell(job_figure(group, FIGURE_FAILED) + job_figure(group, FIGURE_TIMEOUT) +
			      (double)group->ends[JOB_END_OOM] + job_figure(group, FIGURE_NODE_FAIL), failed);
	cells[8] = count_cell((double)group->brief, texts[4]);
	html_list_row(list, cells);
}

static void put_groups(const struct jobs_summary *summary, const struct view *view, const struct job_groups *groups,
		       FILE *out)
{
	const struct html_list_column columns[] = {
		{ view->head, false },	{ "Jobs", true },	     { "Core-hours", true },  { "Used", true },
		{ "Wasted", true },	{ "GiB-hours wasted", true }, { "Memory used", true }, { "Failed or killed", true },
		{ "Below a minute", true },
	};
	struct html_list *list =
		html_list_begin(out, view->id, view->title, columns, sizeof(columns) / sizeof(columns[0]));

	for (size_t i = 0; list && i < groups->count; i++)
		put_group(list, view, groups->list[i], job_figure(&summary->total, FIGURE_CORE_H_WASTED));
	if (list)
		html_list_end(list);
}

static void put_tools(const struct jobs_summary *summary, const struct view *view, const struct job_groups *groups,
		      FILE *out)
{
	static const struct html_list_column columns[] = {
		{ "Tool", false }, { "Jobs", true }, { "Runs", true }, { "Failed runs", true }, { "Core-hours used", true },
	};
	struct html_list *list =
		html_list_begin(out, view->id, view->title, columns, sizeof(columns) / sizeof(columns[0]));
	double all = job_figure(&summary->total, FIGURE_TOOL_CPU_H);

	for (size_t i = 0; list && i < groups->count; i++) {
		const struct job_group *group = groups->list[i];
		char jobs[TEXT], runs[TEXT], failures[TEXT], hours[HOURS_TEXT];
		struct html_cell cells[5] = { { .text = group->keys[0] } };

		cells[1] = count_cell((double)group->jobs, jobs);
		cells[2] = count_cell(job_figure(group, FIGURE_TOOL_RUNS), runs);
		cells[3] = count_cell(job_figure(group, FIGURE_TOOL_FAILURES), failures);
		cells[4] = hours_cell(job_figure(group, FIGURE_TOOL_CPU_H), hours);
		cells[4].bar = all > 0 && cells[4].sorted;
		cells[4].share = cells[4].value / all;
		cells[4].style = STYLE_ACCENT;
		html_list_row(list, cells);
	}
	if (list)
		html_list_end(list);
}

/* ---- the heat map ---- */

/* Sorts by name, and compares numbers in names as numbers: n9 comes before n10. */
static int compare_nodes(const void *a, const void *b)
{
	const struct job_group *one = *(const struct job_group *const *)a, *other = *(const struct job_group *const *)b;

	return strverscmp(one->keys[0] ? one->keys[0] : "", other->keys[0] ? other->keys[0] : "");
}

static void put_field(const struct job_group *node, int pixels, FILE *out)
{
	double share = job_figure(node, FIGURE_CPU_EFF);
	char text[TEXT];

	fputs("<span title=\"", out);
	html_textf(out, "%s: %s", node->keys[0] ? node->keys[0] : "-",
		   isnan(share) ? "not known" : share_text(share, text));
	fprintf(out,
		"\" style=\"width:%dpx;height:%dpx;border-radius:%dpx;border:1px solid var(--border);print-color-adjust:exact;"
		"background:color-mix(in srgb,var(--part) %.0f%%,var(--card))\"></span>",
		pixels, pixels, pixels / 6, isnan(share) ? 0 : 100 * share);
}

/*
 * Prints a field for each node, with a colour for the node's use; without a colour if the use is not known. Nodes are
 * in the order of their names, which is usually the order of the racks. With thousands of nodes, the fields are
 * smaller.
 */
static void put_heat(const struct job_groups *groups, FILE *out)
{
	cleanup_free struct job_group **nodes = calloc(groups->count + 1, sizeof(*nodes));
	int pixels = groups->count <= 500 ? 18 : groups->count <= 2000 ? 12 : 7;

	if (!nodes)
		return;
	if (groups->count)
		memcpy(nodes, groups->list, groups->count * sizeof(*nodes));
	qsort(nodes, groups->count, sizeof(*nodes), compare_nodes);
	fprintf(out,
		"<p class=\"note\">Each field is a node, in the order of their names. It is darker if jobs used more of "
		"what they were given there.</p>\n<div style=\"display:flex;flex-wrap:wrap;gap:%dpx;margin-bottom:12px\" "
		"role=\"img\" aria-label=\"CPU efficiency of each node; the table below has the numbers\">",
		pixels / 6);
	for (size_t i = 0; i < groups->count; i++)
		put_field(nodes[i], pixels, out);
	fputs("</div>\n", out);
}

/* ---- causes ---- */

static void put_causes(const struct job_group *total, const struct job_causes *causes, const char *id, FILE *out)
{
	double all = job_figure(total, causes->all);
	char text[HOURS_TEXT];

	fprintf(out, "<section id=\"%s\"><h2>", id);
	html_text(out, causes->head);
	fputs("</h2>\n<table class=\"plain-table\"><thead><tr><th scope=\"col\">Cause</th><th scope=\"col\"></th><th scope=\"col\" class=\"n\">"
	      "Hours</th><th scope=\"col\" class=\"n\">Share</th></tr></thead><tbody>\n", out);
	for (size_t i = 0; i < causes->count; i++) {
		double hours = job_figure(total, causes->first + i);

		if (!(hours > 0))
			continue;
		fputs("<tr><th scope=\"row\">", out);
		html_text(out, causes->names[i]);
		fputs("</th><td style=\"width:50%\">", out);
		html_gauge(out, hours / all, hours / all, STYLE_WARNING);
		fputs("</td><td class=\"n\">", out);
		html_text(out, job_hours_text(hours, text));
		fprintf(out, "</td><td class=\"n\">%.0f %%</td></tr>\n", 100 * hours / all);
	}
	fputs("</tbody><tfoot><tr><th scope=\"row\">all</th><td></td><td class=\"n\">", out);
	html_text(out, job_hours_text(all, text));
	fputs("</td><td></td></tr></tfoot></table></section>\n", out);
}

/* ---- the head ---- */

static void put_figure(const char *label, const char *target, const char *value, const char *note, FILE *out)
{
	fputs("<div class=\"figure\"><dt>", out);
	html_text(out, label);
	fprintf(out, "</dt><dd><a class=\"value\" href=\"#%s\">", target);
	html_text(out, value ? value : "-");
	fputs("</a><p>", out);
	html_text(out, note);
	fputs("</p></dd></div>\n", out);
}

static void put_figures(const struct jobs_summary *summary, FILE *out)
{
	const struct job_group *total = &summary->total;
	char text[HOURS_TEXT], share[TEXT], median[TEXT], note[256], lost[HOURS_TEXT];
	char failed[HOURS_TEXT], oom[HOURS_TEXT], timeout[HOURS_TEXT];

	fputs("<dl class=\"figures\">\n", out);
	job_count_text((double)total->jobs, text);
	snprintf(note, sizeof(note), "%s failed, %s out of memory, %s timed out",
		 job_count_text(job_figure(total, FIGURE_FAILED), failed),
		 job_count_text(job_figure(total, FIGURE_OOM), oom),
		 job_count_text(job_figure(total, FIGURE_TIMEOUT), timeout));
	put_figure("Jobs", "groups", text, note, out);
	snprintf(note, sizeof(note), "of the allocated CPU time was used; the median job used %s",
		 share_text(job_figure(total, FIGURE_CPU_EFF_MEDIAN), median) ? median : "-");
	put_figure("CPU efficiency", "sizes", share_text(job_figure(total, FIGURE_CPU_EFF), share), note, out);
	snprintf(note, sizeof(note), "of %s", job_hours_text(job_figure(total, FIGURE_CORE_H_GIVEN), lost));
	put_figure("Core-hours wasted", "causes", job_hours_text(job_figure(total, FIGURE_CORE_H_WASTED), text), note, out);
	put_figure("Core-hours used for nothing", "users", job_hours_text(job_figure(total, FIGURE_CORE_H_LOST), text),
		   "by jobs that failed, were killed or timed out", out);
	snprintf(note, sizeof(note), "of the requested memory was used; the median job used %s",
		 share_text(job_figure(total, FIGURE_MEM_EFF_MEDIAN), median) ? median : "-");
	put_figure("Memory efficiency", "memory", share_text(job_figure(total, FIGURE_MEM_EFF), share), note, out);
	put_figure("GiB-hours wasted", "memory", job_hours_text(job_figure(total, FIGURE_GIB_H_WASTED), text),
		   "memory reserved and never used", out);
	snprintf(note, sizeof(note), "of %s; used less than 2 %%", job_hours_text(job_figure(total, FIGURE_NODE_H_GIVEN), lost));
	put_figure("Node-hours idle", "nodes", job_hours_text(job_figure(total, FIGURE_NODE_H_WASTED), text), note, out);
	put_figure("Coverage", "nodes", share_text(job_figure(total, FIGURE_COVERAGE), share), "of the jobs' nodes have a record", out);
	fputs("</dl>\n", out);
}

static void put_note(const char *text, FILE *out)
{
	if (!text)
		return;
	fputs("<p class=\"label\">", out);
	html_text(out, text);
	fputs("</p>\n", out);
}

static void put_head(const struct jobs_summary *summary, FILE *out)
{
	cleanup_free char *sentence = jobs_summary_sentence(summary), *change = jobs_summary_change(summary);
	cleanup_free char *coverage = jobs_summary_coverage(summary), *which = jobs_summary_which(summary);
	cleanup_free char *age = jobs_summary_age(summary);
	cleanup_free char *unread = jobs_summary_unread(summary);

	fputs("<header><p class=\"id\">", out);
	html_text(out, which ? which : "");
	fputs("</p>\n<h1>What the jobs used</h1>\n<p class=\"outcome\">", out);
	html_text(out, sentence ? sentence : "");
	fputs("</p>\n", out);
	put_note(change, out);
	put_note(coverage, out);
	put_note(age, out);
	put_note(unread, out);
	fputs("</header>\n", out);
}

/* ---- the page ---- */

static void put_views(struct jobs_summary *summary, FILE *out)
{
	for (size_t i = 0; i < JOB_VIEWS; i++) {
		struct job_groups *groups = &summary->views[i];

		job_groups_sort(groups, JOB_FIGURE_COUNT, false);
		fprintf(out, "<section><h2>%s</h2>\n", views[i].title);
		if (views[i].key == JOB_KEY_NODE)
			put_heat(groups, out);
		if (views[i].key == JOB_KEY_WEEK)
			job_chart_weeks(groups, views[i].id, out);
		if (views[i].key == JOB_KEY_SIZE)
			job_chart_sizes(groups, views[i].id, out);
		if (views[i].key == JOB_KEY_TOOL)
			put_tools(summary, &views[i], groups, out);
		else
			put_groups(summary, &views[i], groups, out);
		fputs("</section>\n", out);
	}
}

void jobs_summary_want_views(struct jobs_summary *summary)
{
	for (size_t i = 0; i < JOB_VIEWS; i++) {
		job_groups_by(&summary->views[i], views[i].key);
	}
	summary->with_views = true;
}

void jobs_summary_print_html(struct jobs_summary *summary, FILE *out)
{
	const struct job_group *total = &summary->total;

	html_frame_begin(out, "Summary of jobs");
	put_head(summary, out);
	put_figures(summary, out);
	fputs("<main id=\"groups\">\n", out);
	put_causes(total, &job_cpu_causes, "causes", out);
	put_causes(total, &job_memory_causes, "memory", out);
	put_views(summary, out);
	fputs("</main>\n", out);
	html_frame_end(out, "stint summary --html");
}

int jobs_summary_write_html(struct jobs_summary *summary, const char *path, struct error *err)
{
	cleanup_free char *text = NULL;
	size_t len = 0;
	FILE *out;

	if (strcmp(path, "-") == 0) {
		jobs_summary_print_html(summary, stdout);
		return 0;
	}
	out = open_memstream(&text, &len);
	if (!out)
		return error_errno(err, "the page");
	jobs_summary_print_html(summary, out);
	if (fclose(out) != 0)
		return error_errno(err, "the page");
	return output_write(&output_page, path, text, len, err);
}
