/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "reports/field.h"
#include "reports/page_part.h"
#include "reports/units.h"

#define TOOLS_SHOWN 6
#define TOOL_SHARE 0.01 /* of the job's CPU time: with less, a tool is on one screen for its peak or failures alone */
#define STEPS_SHOWN 4
#define NODES_SHOWN 6
#define UNKNOWN "-"

static const char *ending_cell(struct json_object *from, struct page_cell *cell)
{
	int64_t code = 0, signal = 0;

	strcpy(cell->text, UNKNOWN);
	if (field_count(from, "signal", &signal) && signal)
		snprintf(cell->text, sizeof(cell->text), "signal %lld", (long long)signal);
	else if (field_count(from, "exit_code", &code))
		snprintf(cell->text, sizeof(cell->text), "%lld", (long long)code);
	return cell->text;
}

static bool has_any(struct json_object *from, const char *name)
{
	int64_t count = 0;

	return field_count(from, name, &count) && count > 0;
}

/* ---- tools ---- */

enum { TOOL_FAIL = 2 };

static void add_tool(struct page *page, struct page_table *table, struct json_object *tool, double cpu_s)
{
	const char *name = field_text(tool, "name"), *interpreter = field_text(tool, "interpreter");
	struct page_cell cells[9];
	cleanup_free char *note = NULL;

	if (interpreter && asprintf(&note, "(by %s)", interpreter) < 0)
		note = NULL;
	page_table_add(page, table, (const char *const[]){
		name ? name : "?",
		page_count_cell(tool, "runs", &cells[0]),
		page_count_cell(tool, "failures", &cells[1]),
		page_size_cell(tool, "peak_bytes", &cells[2]),
		page_size_cell(tool, "read_bytes", &cells[3]),
		page_size_cell(tool, "write_bytes", &cells[4]),
		page_time_cell(tool, "wall_s", &cells[5]),
		page_time_cell(tool, "cpu_s", &cells[6]),
		page_share_cell(tool, "cpu_s", cpu_s, &cells[7]),
		page_bar_cell(page, tool, "cpu_s", cpu_s, &cells[8]),
	}, note);
	if (has_any(tool, "failures"))
		page_table_style(table, TOOL_FAIL, STYLE_WARNING);
}

static struct json_object *tool_at(struct json_object *tools, size_t i)
{
	struct json_object *tool = json_object_array_get_idx(tools, i);

	return field_true(tool, "slurm") ? NULL : tool;
}

/* The tool of which one process held the most. */
static struct json_object *largest_tool(struct json_object *tools)
{
	struct json_object *largest = NULL;
	double peak, most = 0;

	for (size_t i = 0; i < field_length(tools); i++)
		if (field_number(tool_at(tools, i), "peak_bytes", &peak) && peak > most) {
			most = peak;
			largest = tool_at(tools, i);
		}
	return largest;
}

/* Those that took CPU time, and those that failed. */
static bool matters(struct json_object *tool, double cpu_s)
{
	double used = 0;

	field_number(tool, "cpu_s", &used);
	return (used > 0 && used >= TOOL_SHARE * cpu_s) || has_any(tool, "failures");
}

void page_tools(struct page *page)
{
	static const struct page_column columns[] = {
		{ .head = "Tools" },
		{ .head = "Runs" },
		{ .head = "Fail" },
		{ .head = "Peak" },
		{ .head = "Read", .spare = 3 },
		{ .head = "Write", .spare = 3 },
		{ .head = "Wall", .spare = 2 },
		{ .head = "CPU" },
		{ .head = "Share" },
		{ .head = "", .bar = true, .spare = 1 },
	};
	struct page_table table = PAGE_TABLE(columns);
	struct json_object *tools = field_typed(page->report, "tools", json_type_array);
	struct json_object *largest = largest_tool(tools);
	size_t limit = page_limit(page, TOOLS_SHOWN), left_out = 0;
	double cpu_s = 0;

	field_number(page->report, "used.cpu_s", &cpu_s);
	for (size_t i = 0; i < field_length(tools); i++) {
		struct json_object *tool = tool_at(tools, i);

		if (!tool)
			continue;
		/* the last place is kept for the one that took the memory */
		if (tool == largest)
			largest = NULL;
		else if (!page->options->all && (table.row_count + (largest != NULL) >= limit ||
						 (table.row_count > 0 && !matters(tool, cpu_s)))) {
			left_out++;
			continue;
		}
		add_tool(page, &table, tool, cpu_s);
	}
	page_table_print(page, &table);
	page_leave_out(page, left_out, "tool", "tools");
}

/* ---- steps ---- */

enum { STEP_EXIT = 2 };

static void add_step(struct page *page, struct page_table *table, struct json_object *step)
{
	const char *id = field_text(step, "id");
	struct page_cell cells[8];

	page_table_add(page, table, (const char *const[]){
		id ? id : "?",
		page_count_cell(step, "task_count", &cells[0]),
		ending_cell(step, &cells[1]),
		page_time_cell(step, "elapsed_s", &cells[2]),
		page_time_cell(step, "cpu_s", &cells[3]),
		page_count_cell(step, "processes", &cells[4]),
		page_size_cell(step, "memory_used_peak_bytes", &cells[5]),
		page_size_cell(step, "read_bytes", &cells[6]),
		page_size_cell(step, "write_bytes", &cells[7]),
	}, NULL);
	if (has_any(step, "exit_code") || has_any(step, "signal"))
		page_table_style(table, STEP_EXIT, STYLE_WARNING);
}

/* Slurm's own step, that only holds the job's processes together, is not what anybody looks for. */
static bool is_extern(struct json_object *step)
{
	const char *id = field_text(step, "id");

	return id && strcmp(id, "extern") == 0;
}

static size_t own_steps(struct json_object *steps)
{
	size_t count = 0;

	for (size_t i = 0; i < field_length(steps); i++)
		count += !is_extern(json_object_array_get_idx(steps, i));
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
	struct json_object *steps = field_typed(page->report, "steps", json_type_array);
	size_t own = own_steps(steps), limit = page_limit(page, STEPS_SHOWN);

	if (own < 2 && !page->options->all)
		return; /* one step is the job, of which all has been told */
	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		if (!is_extern(step) && table.row_count < limit)
			add_step(page, &table, step);
	}
	own -= table.row_count;
	page_table_print(page, &table);
	page_leave_out(page, own, "step", "steps");
}

/* ---- nodes ---- */

static void add_node(struct page *page, struct page_table *table, struct json_object *node, double cpu_s)
{
	const char *name = field_text(node, "name");
	struct page_cell cells[8];

	page_table_add(page, table, (const char *const[]){
		name ? name : "?",
		page_count_cell(node, "allocated.cpus", &cells[0]),
		page_count_cell(node, "used.processes", &cells[1]),
		page_size_cell(node, "used.memory_used_peak_bytes", &cells[2]),
		page_size_cell(node, "used.memory_charged_peak_bytes", &cells[3]),
		page_size_cell(node, "used.read_bytes", &cells[4]),
		page_size_cell(node, "used.write_bytes", &cells[5]),
		page_time_cell(node, "used.cpu_s", &cells[6]),
		page_bar_cell(page, node, "used.cpu_s", cpu_s, &cells[7]),
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
	struct json_object *nodes = field_typed(page->report, "nodes", json_type_array);
	size_t count = field_length(nodes), limit = page_limit(page, NODES_SHOWN);
	double cpu_s, most = 0;

	if (count < 2)
		return;
	for (size_t i = 0; i < count; i++)
		if (field_number(json_object_array_get_idx(nodes, i), "used.cpu_s", &cpu_s) && cpu_s > most)
			most = cpu_s;
	for (size_t i = 0; i < count && i < limit; i++)
		add_node(page, &table, json_object_array_get_idx(nodes, i), most);
	page_table_print(page, &table);
	page_leave_out(page, count > limit ? count - limit : 0, "node", "nodes");
}
