/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/timeline/gantt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "common/time_text.h"
#include "reports/builder/workflow.h"
#include "reports/json/units.h"
#include "reports/terminal/page_lines.h"
#include "reports/timeline/gantt_internal.h"

#define NAME_MIN 11 /* "memory used" */
#define NAME_SHARE 4 /* the names get at most 1/4 of the width */
#define ROWS_SHOWN 24 /* rows on all nodes together; each node gets at least ROWS_OF_NODE_MIN */
#define ROWS_OF_NODE_MIN 4
#define NODES_SHOWN 8
#define WORKFLOW_SHOWN 1024
#define CPU_GAP_S 0.01 /* the least missing CPU time about which a note is printed */
#define CPU_GAP_SHARE 0.01 /* the same, as a share of the tools' CPU time */
#define MOST_FROM 90 /* page width, in columns, for the column "At once" */

static const char *const row_heads[] = { "Tool", "Step", "Process" };
static const char *const row_words[] = { "tools", "steps", "processes", "containers" };

struct drawing {
	struct chart chart;
	struct spans spans;
	struct gantt_rows rows;
	const struct report *report;
	const struct gantt_options *options;
	struct legend has;
	int runs_width;
};

/* ---- choosing rows ---- */

static int compare_walls(const void *a, const void *b)
{
	const struct gantt_row *one = *(struct gantt_row *const *)a, *other = *(struct gantt_row *const *)b;

	if (one->wall_us != other->wall_us)
		return one->wall_us > other->wall_us ? -1 : 1;
	return one < other ? -1 : one > other;
}

static void show_longest(struct gantt_row *first, size_t count, size_t max)
{
	struct gantt_row **order = calloc(count, sizeof(struct gantt_row *));

	for (size_t i = 0; order && i < count; i++)
		order[i] = &first[i];
	if (order)
		qsort(order, count, sizeof(struct gantt_row *), compare_walls);
	for (size_t i = 0; i < count && i < max; i++)
		(order ? order[i] : &first[i])->shown = true;
	free(order);
}

static void choose_rows(struct drawing *drawing)
{
	size_t nodes = drawing->spans.node_count, max = nodes > 0 ? ROWS_SHOWN / nodes : ROWS_SHOWN;
	struct gantt_rows *rows = &drawing->rows;

	if (max < ROWS_OF_NODE_MIN)
		max = ROWS_OF_NODE_MIN;
	for (size_t i = 0, count; i < rows->count; i += count) {
		for (count = 1; i + count < rows->count && rows->list[i + count].node == rows->list[i].node;)
			count++;
		show_longest(&rows->list[i], count, drawing->chart.page->all ? count : max);
	}
}

static bool node_shown(const struct drawing *drawing, size_t node)
{
	return drawing->chart.page->all || node < NODES_SHOWN;
}

/* ---- widths ---- */

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static void measure_columns(struct drawing *drawing)
{
	struct chart *chart = &drawing->chart;
	int most_width = chart->page->width >= MOST_FROM ? 9 : 0, longest = NAME_MIN;

	drawing->runs_width = 4;
	for (size_t i = 0; i < drawing->rows.count; i++) {
		const struct gantt_row *row = &drawing->rows.list[i];
		char text[32];

		if (!row->shown || !node_shown(drawing, row->node))
			continue;
		longest = larger(longest, (int)escape_width(row->label));
		drawing->runs_width = larger(drawing->runs_width, snprintf(text, sizeof(text), "%lld", (long long)row->runs));
		drawing->has.failures = drawing->has.failures || row->failures > 0;
		for (size_t s = 0; s < row->count; s++) {
			drawing->has.bursts |= drawing->spans.list[row->spans[s]].count > 1;
			drawing->has.living |= drawing->spans.list[row->spans[s]].living;
		}
	}
	chart->name_width = larger(NAME_MIN, chart->page->width / NAME_SHARE);
	if (longest < chart->name_width)
		chart->name_width = longest;
	chart->cells = chart->page->width - CHART_INDENT - chart->name_width - CHART_GAP - (drawing->runs_width + 1) -
		       10 - most_width - (drawing->has.failures ? 7 : 0);
	chart->cells = larger(chart->cells, 10);
}

static char *make_columns(const struct drawing *drawing)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, " %*s", drawing->runs_width, "Runs");
	if (drawing->has.failures)
		fprintf(out, " %6s", "Failed");
	if (drawing->chart.page->width >= MOST_FROM)
		fprintf(out, "  %7s", "At once");
	fprintf(out, "  %8s", "CPU");
	fclose(out);
	return text;
}

/* ---- words around the picture ---- */

static void print_remark(struct drawing *drawing, const char *label, const char *text)
{
	struct page page = { .options = drawing->chart.page, .out = drawing->chart.out };

	page_paragraph(&page, label, "%s", text);
}

/*
 * Returns the job's elapsed time, as on all pages. The picture may be longer: it begins at Slurm's whole second.
 * If the job was suspended, returns the length of the picture, which includes the suspension.
 */
static double title_seconds(const struct drawing *drawing)
{
	double drawn_s = (double)(drawing->spans.end_us - drawing->spans.start_us) / (double)US_PER_S;
	double elapsed_s = report_s(drawing->report->job.elapsed_s);

	return fabs(drawn_s - elapsed_s) < 1 ? elapsed_s : drawn_s;
}

static void print_title(struct drawing *drawing)
{
	const struct report_job *job = &drawing->report->job;
	FILE *out = drawing->chart.out;
	cleanup_free char *name = terminal_escape(drawing->chart.page, job->name);
	char length[DURATION_TEXT], moment[TIME_TEXT];

	fprintf(out, "%sJob %lld", terminal_on(drawing->chart.page, STYLE_HEAD), job->id > 0 ? (long long)job->id : 0);
	if (job->array_job_id >= 0 && job->array_task_id >= 0)
		fprintf(out, ", %lld_%lld", (long long)job->array_job_id, (long long)job->array_task_id);
	if (name && *name) {
		escape_cut(name, 24);
		fprintf(out, " (%s)", name);
	}
	time_text(drawing->spans.start_us * (NS_PER_S / US_PER_S), moment);
	moment[10] = ' ';
	memmove(moment + 19, moment + 23, strlen(moment + 23) + 1); /* cut off the milliseconds */
	fprintf(out, ": %s from %s%s\n", short_duration_text(title_seconds(drawing), length), moment,
		terminal_off(drawing->chart.page));
}

static void print_workflow(struct drawing *drawing)
{
	char text[WORKFLOW_SHOWN];

	if (workflow_text_of(&drawing->report->job.workflow, text, sizeof(text)))
		print_remark(drawing, "Workflow", text);
}

static void print_part(const struct drawing *drawing)
{
	const struct chart *chart = &drawing->chart;
	char from[RELATIVE_TEXT], to[RELATIVE_TEXT];

	if (chart->whole)
		return;
	fprintf(chart->out, "Part: %s to %s; each run counts with all of its CPU time\n",
		relative_text(chart->from_us - chart->zero_us, from), relative_text(chart->to_us - chart->zero_us, to));
}

/*
 * Returns whether rows show numbers from the report's lists of tools or steps.
 * If not, rows show sums over their runs in the picture.
 */
static bool shows_lists(const struct drawing *drawing)
{
	return drawing->chart.whole && drawing->spans.node_count <= 1 &&
	       drawing->options->by != GANTT_BY_PROCESS && drawing->options->by != GANTT_BY_CONTAINER;
}

/* Returns the CPU seconds of the user's tools, or of all tools with --all; NAN if those of a tool are not known. */
static double cpu_of_tools(const struct drawing *drawing)
{
	const struct report_tool_list *tools = &drawing->report->tools;
	double sum_s = 0;

	for (size_t i = 0; i < tools->count; i++)
		if (!tools->items[i].slurm.value || drawing->chart.page->all)
			sum_s += report_s(tools->items[i].cpu_s);
	return sum_s;
}

static void print_cpu_gap(struct drawing *drawing)
{
	char of_rows[DURATION_TEXT], of_tools[DURATION_TEXT], text[256];
	double tools_s = cpu_of_tools(drawing), rows_s = 0;

	if (shows_lists(drawing) || !drawing->chart.whole)
		return;
	for (size_t i = 0; i < drawing->rows.count; i++)
		rows_s += drawing->rows.list[i].cpu_s;
	if (!(tools_s - rows_s >= CPU_GAP_S) || tools_s - rows_s < CPU_GAP_SHARE * tools_s)
		return;
	snprintf(text, sizeof(text), "the runs drawn used %s of the tools' %s; the rest was used by processes before their "
				     "own program began, or by runs that are not shown", short_duration_text(rows_s, of_rows),
		 short_duration_text(tools_s, of_tools));
	print_remark(drawing, "CPU", text);
}

static void print_gaps(struct drawing *drawing)
{
	const struct report_gap_list *gaps = &drawing->report->gaps;

	if (drawing->report->so_far)
		print_remark(drawing, "Still running", "so far");
	else if (!drawing->report->complete.value)
		print_remark(drawing, "NOT COMPLETE", "stint report says what is missing, and why.");
	for (size_t i = 0; i < gaps->count; i++) {
		const char *name = gaps->items[i].name, *reason = gaps->items[i].reason;

		if (name && reason && strcmp(name, "timeline") == 0)
			print_remark(drawing, "Not all runs are here", reason);
		if (name && reason && strcmp(name, "series") == 0)
			print_remark(drawing, "Not all samples are here", reason);
	}
}

static void print_empty(struct drawing *drawing)
{
	if (drawing->report->mode && strcmp(drawing->report->mode, "summary") == 0)
		print_remark(drawing, "No timeline",
			     "the job was counted in mode summary, which keeps only sums. For the next one: sbatch "
			     "--stint=timeline, or mode = timeline in stint.conf.");
	else
		print_remark(drawing, "No timeline", "no runs of tools were noted.");
}

/* ---- the rows ---- */

static void print_row(struct drawing *drawing, const struct gantt_row *row)
{
	const struct chart *chart = &drawing->chart;
	char cpu[DURATION_TEXT];

	escape_cut(row->label, (size_t)chart->name_width);
	fprintf(chart->out, "%*s%s%*s", CHART_INDENT, "", row->label,
		chart->name_width - (int)escape_width(row->label) + CHART_GAP, "");
	chart_row(chart, &drawing->spans, row);
	fprintf(chart->out, " %*lld", drawing->runs_width, (long long)row->runs);
	if (row->failures > 0)
		fprintf(chart->out, " %s%6lld%s", terminal_on(chart->page, STYLE_BAD), (long long)row->failures,
			terminal_off(chart->page));
	else if (drawing->has.failures)
		fprintf(chart->out, " %6s", "");
	if (chart->page->width >= MOST_FROM)
		fprintf(chart->out, "  %7lld", (long long)row->most);
	fprintf(chart->out, "  %8s\n", row->cpu_known ? short_duration_text(row->cpu_s, cpu) : "-");
}

static void print_left_out(struct drawing *drawing, size_t rows, double wall_us, double all_us)
{
	if (rows > 0)
		fprintf(drawing->chart.out, "%*sand %zu more %s with %.1f%% of the time that all ran: --all\n", CHART_INDENT,
			"", rows, row_words[drawing->options->by], all_us > 0 ? 100 * wall_us / all_us : 0);
}

static void print_node(struct drawing *drawing, size_t node)
{
	const struct chart *chart = &drawing->chart;
	double left_us = 0, all_us = 0;
	size_t left = 0;

	if (drawing->spans.node_count > 1) {
		cleanup_free char *name = terminal_escape(chart->page, drawing->spans.nodes[node]);

		fprintf(chart->out, "%s%s%s%s\n", node > 0 ? "\n" : "", terminal_on(chart->page, STYLE_HEAD),
			name && *name ? name : "(node not known)", terminal_off(chart->page));
	}
	for (size_t i = 0; i < drawing->rows.count; i++) {
		const struct gantt_row *row = &drawing->rows.list[i];

		if (row->node != node)
			continue;
		all_us += (double)row->wall_us;
		if (row->shown) {
			print_row(drawing, row);
			continue;
		}
		left++;
		left_us += (double)row->wall_us;
	}
	print_left_out(drawing, left, left_us, all_us);
	if (chart_series(chart, drawing->report, drawing->spans.nodes[node]))
		drawing->has.unknown = true;
}

static void print_nodes(struct drawing *drawing)
{
	size_t count = drawing->spans.node_count, shown = 0;

	for (size_t i = 0; i < count; i++)
		if (node_shown(drawing, i)) {
			print_node(drawing, i);
			shown++;
		}
	if (shown < count)
		fprintf(drawing->chart.out, "and %zu more nodes: --all\n", count - shown);
}

/* ---- the whole picture ---- */

static int find_part(struct drawing *drawing, struct error *err)
{
	struct chart *chart = &drawing->chart;
	const struct gantt_options *options = drawing->options;
	char length[RELATIVE_TEXT], from[RELATIVE_TEXT];

	chart->zero_us = chart->from_us = drawing->spans.start_us;
	chart->to_us = drawing->spans.end_us;
	if (options->from_us >= 0)
		chart->from_us = chart->zero_us + options->from_us;
	if (options->to_us >= 0 && chart->zero_us + options->to_us < chart->to_us)
		chart->to_us = chart->zero_us + options->to_us;
	if (chart->from_us >= chart->to_us && options->from_us > 0)
		return error_set(err, "--from %s is after the job's end: it took %s",
				 relative_text(options->from_us, from),
				 relative_text(drawing->spans.end_us - chart->zero_us, length));
	if (chart->from_us >= chart->to_us)
		chart->to_us = chart->from_us + 1000; /* a job of unknown length gets one millisecond */
	chart->whole = chart->from_us <= drawing->spans.start_us && chart->to_us >= drawing->spans.end_us;
	return 0;
}

static int draw(struct drawing *drawing, struct error *err)
{
	struct chart *chart = &drawing->chart;
	cleanup_free char *columns = NULL;

	if (shows_lists(drawing))
		gantt_rows_use_lists(&drawing->rows, &drawing->spans, drawing->report, drawing->options->by);
	choose_rows(drawing);
	measure_columns(drawing);
	chart->ticks = calloc((size_t)chart->cells, sizeof(*chart->ticks));
	columns = make_columns(drawing);
	if (!chart->ticks || !columns)
		return error_set(err, "out of memory");
	print_title(drawing);
	print_workflow(drawing);
	print_part(drawing);
	print_gaps(drawing);
	print_cpu_gap(drawing);
	if (drawing->spans.count == 0)
		print_empty(drawing);
	fputc('\n', chart->out);
	chart_axis(chart, row_heads[drawing->options->by], columns);
	print_nodes(drawing);
	if (drawing->rows.slurms > 0)
		fprintf(chart->out, "\n%*sWhat Slurm itself ran (%zu) is left out: --all\n", CHART_INDENT, "",
			drawing->rows.slurms);
	if (drawing->rows.count > 0)
		chart_legend(chart, &drawing->has);
	return 0;
}

int gantt_print(const struct report *report, const struct gantt_options *gantt, const struct page_options *page,
		FILE *out, struct error *err)
{
	struct drawing drawing = { .chart = { .page = page, .report = report, .out = out }, .report = report, .options = gantt };
	int result = spans_read(&drawing.spans, report, err);

	if (result == 0)
		result = find_part(&drawing, err);
	if (result == 0)
		result = gantt_rows_make(&drawing.rows, &drawing.chart, &drawing.spans, gantt->by, page->all, err);
	if (result == 0)
		result = draw(&drawing, err);
	free(drawing.chart.ticks);
	gantt_rows_free(&drawing.rows);
	spans_free(&drawing.spans);
	return result;
}
