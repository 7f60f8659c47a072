/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/terminal/page_table.h"
#include "reports/text/page_internal.h"
#include "reports/wording/container_fields.h"
#include "reports/wording/tool_fields.h"

#define TOOLS_SHOWN 5
#define TOOLS_MORE 20 /* rows for tools that failed or still run */
#define IDLE_SHARE 0.3 /* of an idle job's idle time; without --all, a tool with less is left out */
#define TOOL_SHARE 0.01 /* of the job's CPU time; without --all, a tool with less is shown only for its peak or failures */
#define STEPS_SHOWN 4
#define NODES_SHOWN 6

static const char *ending_cell(const struct report_step *step, struct page_cell *cell)
{
	if (step->signal <= 0)
		return page_count_cell(step->exit_code, cell);
	snprintf(cell->text, sizeof(cell->text), "signal %lld", (long long)step->signal);
	return cell->text;
}

#define TOOL_NOTE 400

enum { TOOL_FAIL = 2 };

struct tool_view {
	const struct report *report;
	const struct report_tool_list *tools;
	bool used; /* true: the peak is used memory; false: it is the resident set */
	double cpu_s; /* of the job; 0 if unknown */
	double idle_s; /* of the job's threads, if the job was idle; else 0 */
};

/*
 * Writes a note such as "(by bash, 2 running)". It has up to five parts:
 *  - the interpreter;
 *  - the folder, if other tools have the same name;
 *  - the container;
 *  - the number of forks, if the runs alone cannot have used the CPU time;
 *  - how many processes still run.
 * Returns @text; NULL if there is nothing to write.
 */
static const char *tool_note(const struct tool_view *view, const struct report_tool *tool, char text[TOOL_NOTE])
{
	char folder[TOOL_FOLDER_TEXT];
	const char *in = tool_fields_folder(view->tools, tool, folder);
	char name[CONTAINER_NAME_TEXT];
	const char *container = container_name(view->report, tool->container, name);
	double forks = tool_fields_forks(tool);

	*text = '\0';
	if (tool->interpreter)
		utf8_append(text, TOOL_NOTE, "(by %s", tool->interpreter);
	if (in)
		utf8_append(text, TOOL_NOTE, "%sin %s", *text ? ", " : "(", in);
	if (container)
		utf8_append(text, TOOL_NOTE, "%sin %s", *text ? ", " : "(", container);
	if (forks > 0)
		utf8_append(text, TOOL_NOTE, "%sCPU with %.0f fork%s", *text ? ", " : "(", forks, plural(forks));
	if (tool->living > 0)
		utf8_append(text, TOOL_NOTE, "%s%lld running", *text ? ", " : "(", (long long)tool->living);
	if (!*text)
		return NULL;
	utf8_append(text, TOOL_NOTE, ")");
	return text;
}

static int64_t peak_of(const struct report_tool *tool, const struct tool_view *view)
{
	return view->used ? tool->used_peak_bytes : tool->peak_bytes;
}

static void add_tool(struct page *page, struct page_table *table, const struct report_tool *tool,
		     const struct tool_view *view)
{
	double cpu_s = report_s(tool->cpu_s);
	struct page_cell cells[11];
	char note[TOOL_NOTE];

	page_table_add(page, table, (const char *const[]){
		tool->name ? tool->name : "?",
		page_count_cell(tool->runs, &cells[0]),
		page_count_cell(tool->failures, &cells[1]),
		page_count_cell(tool->dismissed, &cells[10]),
		page_size_cell(peak_of(tool, view), &cells[2]),
		page_size_cell(tool->peak_bytes, &cells[9]),
		page_size_cell(tool->read_bytes, &cells[3]),
		page_size_cell(tool->write_bytes, &cells[4]),
		page_time_cell(tool->wall_s, &cells[5]),
		page_time_cell(tool->cpu_s, &cells[6]),
		page_share_cell(cpu_s, view->cpu_s, &cells[7]),
		page_bar_cell(page, cpu_s, view->cpu_s, &cells[8]),
	}, tool_note(view, tool, note));
	if (tool->failures > 0)
		page_table_style(table, TOOL_FAIL, STYLE_WARNING);
}

static const struct report_tool *largest_tool(const struct tool_view *view)
{
	const struct report_tool *largest = NULL;

	for (size_t i = 0; i < view->tools->count; i++) {
		const struct report_tool *tool = &view->tools->items[i];

		if (!tool->slurm.value && peak_of(tool, view) > (largest ? peak_of(largest, view) : 0))
			largest = tool;
	}
	return largest;
}

static bool failed_or_lives(const struct report_tool *tool)
{
	return tool->failures > 0 || tool->living > 0;
}

static double idle_seconds(struct report_seconds slept, struct report_seconds events, struct report_seconds threads)
{
	return fmax(report_s(slept), 0) + fmax(report_s(events), 0) + fmax(report_s(threads), 0);
}

/* Without --all, the page shows only tools that used CPU time, failed, still run, or made the job idle. */
static bool matters(const struct report_tool *tool, const struct tool_view *view)
{
	const struct report_states *states = &tool->states;
	double used = report_s(tool->cpu_s);

	return (used > 0 && used >= TOOL_SHARE * view->cpu_s) || failed_or_lives(tool) ||
	       (view->idle_s > 0 &&
		idle_seconds(states->sleep_s, states->event_s, states->condition_s) >= IDLE_SHARE * view->idle_s);
}

static bool any_dismissed(const struct report_tool_list *tools)
{
	for (size_t i = 0; i < tools->count; i++)
		if (!tools->items[i].slurm.value && tools->items[i].dismissed > 0)
			return true;
	return false;
}

static bool any_peak(const struct tool_view *view)
{
	for (size_t i = 0; i < view->tools->count; i++)
		if (!view->tools->items[i].slurm.value && peak_of(&view->tools->items[i], view) >= 0)
			return true;
	return false;
}

static size_t count_failed_or_living(const struct report_tool_list *tools)
{
	size_t count = 0;

	for (size_t i = 0; i < tools->count; i++)
		count += !tools->items[i].slurm.value && failed_or_lives(&tools->items[i]);
	return count;
}

struct tool_room {
	size_t failed, others;
};

/* Tools that failed or still run go first. One row is always left for the tool with the most CPU time. */
static struct tool_room tool_room(struct page *page, const struct report_tool_list *tools)
{
	size_t limit = page_limit(page, TOOLS_SHOWN), failed = count_failed_or_living(tools);
	struct tool_room room = { .failed = TOOLS_MORE, .others = failed < limit ? limit - failed : 1 };

	return room;
}

static void add_tools(struct page *page, struct page_table *table, const struct tool_view *view)
{
	const struct report_tool *largest = largest_tool(view);
	struct tool_room room = tool_room(page, view->tools);
	size_t left_out = 0;

	for (size_t i = 0; i < view->tools->count; i++) {
		const struct report_tool *tool = &view->tools->items[i];
		size_t *left = failed_or_lives(tool) ? &room.failed : &room.others;

		if (tool->slurm.value)
			continue;
		/* the last row is for the tool with the largest process */
		if (tool == largest)
			largest = NULL;
		else if (!page->options->all && (*left <= (largest && !failed_or_lives(largest) && left == &room.others) ||
						 (table->row_count > 0 && !matters(tool, view)))) {
			left_out++;
			continue;
		}
		if (*left > 0)
			--*left;
		add_tool(page, table, tool, view);
	}
	page_leave_out(page, left_out, "tool", "tools");
}

/*
 * The column shows the peak of used memory. If used memory is not known for any tool, the column shows the peak of
 * the resident set, and its title says so. While all processes of a tool still run, the peak is not known.
 */
void page_tools(struct page *page)
{
	const struct report_tool_list *tools = &page->report->tools;
	const struct report_job_states *states = &page->report->states;
	struct tool_view view = {
		.report = page->report,
		.tools = tools,
		.used = strcmp(tool_fields_peak(tools), "used_peak_bytes") == 0,
		.cpu_s = fmax(report_s(page->report->used.cpu_s), 0),
	};
	bool all = page->options->all;
	const struct page_column columns[] = {
		{ .head = "Tools" },
		{ .head = "Runs" },
		{ .head = "Fail" },
		{ .head = "Dismissed", .spare = 4, .hidden = !all || !any_dismissed(tools) },
		{ .head = view.used ? "Peak" : "Resident", .hidden = !any_peak(&view) },
		{ .head = "Resident", .spare = 4, .hidden = !all || !view.used },
		{ .head = "Read", .spare = 3 },
		{ .head = "Write", .spare = 3 },
		{ .head = "Wall", .spare = 2 },
		{ .head = "CPU" },
		{ .head = "Share" },
		{ .head = "", .bar = true, .spare = 1 },
	};
	struct page_table table = PAGE_TABLE(columns);

	if (report_text_is(page->report->verdict.bound, "idle"))
		view.idle_s = idle_seconds(states->sleep_s, states->event_s, states->condition_s);
	add_tools(page, &table, &view);
	page_table_print(page, &table);
}

enum { STEP_EXIT = 2 };

/* If processes were not sampled together, only a lower bound is known: the peak of the largest process. */
static const char *peak_of_step(const struct page *page, const struct report_step *step, struct page_cell *cell)
{
	struct page_cell bare;

	page_size_cell(step->memory_used_peak_bytes, &bare);
	snprintf(cell->text, sizeof(cell->text), "%s%.64s", !step->memory_used_peak_at_least ? "" :
		 page->options->unicode ? "\u2265" : ">=", bare.text);
	return cell->text;
}

static bool has_failed(const struct report_step *step)
{
	return step->exit_code > 0 || step->signal > 0;
}

static void add_step(struct page *page, struct page_table *table, const struct report_step *step)
{
	struct page_cell cells[8];

	page_table_add(page, table, (const char *const[]){
		step->id ? step->id : "?",
		page_count_cell(step->task_count, &cells[0]),
		ending_cell(step, &cells[1]),
		page_time_cell(step->elapsed_s, &cells[2]),
		page_time_cell(step->cpu_s, &cells[3]),
		page_count_cell(step->processes, &cells[4]),
		peak_of_step(page, step, &cells[5]),
		page_size_cell(step->read_bytes, &cells[6]),
		page_size_cell(step->write_bytes, &cells[7]),
	}, NULL);
	if (has_failed(step))
		page_table_style(table, STEP_EXIT, STYLE_WARNING);
}

/* The extern step runs no program of the user, so users do not need its row. */
static bool is_extern(const struct report_step *step)
{
	return report_text_is(step->id, "extern");
}

static size_t own_steps(const struct report_step_list *steps, size_t *failed)
{
	size_t count = 0;

	*failed = 0;
	for (size_t i = 0; i < steps->count; i++) {
		const struct report_step *step = &steps->items[i];

		count += !is_extern(step);
		*failed += !is_extern(step) && has_failed(step);
	}
	return count;
}

void page_steps(struct page *page)
{
	static const struct page_column columns[] = {
		{ .head = "Steps" },
		{ .head = "Tasks" },
		{ .head = "Exit" },
		{ .head = "Wall" },
		{ .head = "CPU" },
		{ .head = "Processes", .spare = 2 },
		{ .head = "Peak" },
		{ .head = "Read", .spare = 1 },
		{ .head = "Write", .spare = 1 },
	};
	struct page_table table = PAGE_TABLE(columns);
	const struct report_step_list *steps = &page->report->steps;
	size_t failed, own = own_steps(steps, &failed), limit = page_limit(page, STEPS_SHOWN);
	size_t others = limit > failed ? limit - failed : 0;

	if (own < 2 && !page->options->all)
		return; /* a single step is the whole job, which the page already shows */
	for (size_t i = 0; i < steps->count; i++) {
		const struct report_step *step = &steps->items[i];

		if (is_extern(step) || table.row_count == limit || (!has_failed(step) && others == 0))
			continue;
		others -= !has_failed(step);
		add_step(page, &table, step);
	}
	own -= table.row_count;
	page_table_print(page, &table);
	page_leave_out(page, own, "step", "steps");
}

static void add_node(struct page *page, struct page_table *table, const struct report_node *node, double most_cpu_s)
{
	struct page_cell cells[8];

	page_table_add(page, table, (const char *const[]){
		node->name ? node->name : "?",
		page_count_cell(node->allocated.cpus, &cells[0]),
		page_count_cell(node->used.processes, &cells[1]),
		page_size_cell(node->used.memory_used_peak_bytes, &cells[2]),
		page_size_cell(node->used.memory_charged_peak_bytes, &cells[3]),
		page_size_cell(node->used.read_bytes, &cells[4]),
		page_size_cell(node->used.write_bytes, &cells[5]),
		page_time_cell(node->used.cpu_s, &cells[6]),
		page_bar_cell(page, report_s(node->used.cpu_s), most_cpu_s, &cells[7]),
	}, NULL);
}

void page_nodes(struct page *page)
{
	static const struct page_column columns[] = {
		{ .head = "Nodes" },
		{ .head = "CPUs" },
		{ .head = "Processes", .spare = 3 },
		{ .head = "Peak" },
		{ .head = "Charged" },
		{ .head = "Read", .spare = 2 },
		{ .head = "Write", .spare = 2 },
		{ .head = "CPU" },
		{ .head = "", .bar = true, .spare = 1 },
	};
	struct page_table table = PAGE_TABLE(columns);
	const struct report_node_list *nodes = &page->report->nodes;
	size_t count = nodes->count, limit = page_limit(page, NODES_SHOWN);
	double most = 0;

	if (count < 2)
		return;
	for (size_t i = 0; i < count; i++)
		most = fmax(most, report_s(nodes->items[i].used.cpu_s));
	for (size_t i = 0; i < count && i < limit; i++)
		add_node(page, &table, &nodes->items[i], most);
	page_table_print(page, &table);
	page_leave_out(page, count > limit ? count - limit : 0, "node", "nodes");
}
