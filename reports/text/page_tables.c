/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "reports/json/field.h"
#include "reports/json/units.h"
#include "reports/terminal/page_table.h"
#include "reports/text/page_internal.h"
#include "reports/wording/tool_fields.h"

#define TOOLS_SHOWN 5
#define TOOLS_MORE 20 /* that failed or that run now: these may be more, but a page has an end */
#define IDLE_SHARE 0.3 /* of the time in which an idle job's threads had nothing to do; a tool with as much is on one screen */
#define TOOL_SHARE 0.01 /* of the job's CPU time; a tool with less is on one screen only for its peak or failures */
#define STEPS_SHOWN 4
#define NODES_SHOWN 6

static const char *ending_cell(struct json_object *from, struct page_cell *cell)
{
	int64_t code = 0, signal = 0;

	strcpy(cell->text, PAGE_NO_VALUE);
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

#define TOOL_NOTE 400

enum { TOOL_FAIL = 2 };

/* What the columns need to know. */
struct tool_view {
	struct json_object *tools; /* the report's */
	const char *peak;
	double cpu_s; /* of the job */
	double idle_s; /* of the job's threads, if the job was idle; else 0 */
};

/*
 * Writes which interpreter runs it, where it lies if others have its name, and how many of its processes still run: "(by bash, 2
 * running)". Returns @text; NULL: there is nothing to write.
 */
static const char *tool_note(struct json_object *tools, struct json_object *tool, char text[TOOL_NOTE])
{
	const char *interpreter = field_text(tool, "interpreter"), *in;
	char folder[TOOL_FOLDER_TEXT];
	int64_t living = 0;

	*text = '\0';
	in = tool_fields_folder(tools, tool, folder);
	field_count(tool, "living", &living);
	if (interpreter)
		utf8_append(text, TOOL_NOTE, "(by %s", interpreter);
	if (in)
		utf8_append(text, TOOL_NOTE, "%sin %s", *text ? ", " : "(", in);
	if (living > 0)
		utf8_append(text, TOOL_NOTE, "%s%lld running", *text ? ", " : "(", (long long)living);
	if (!*text)
		return NULL;
	utf8_append(text, TOOL_NOTE, ")");
	return text;
}

static void add_tool(struct page *page, struct page_table *table, struct json_object *tool,
		     const struct tool_view *view)
{
	const char *name = field_text(tool, "name");
	struct page_cell cells[11];
	char note[TOOL_NOTE];

	page_table_add(page, table, (const char *const[]){
		name ? name : "?",
		page_count_cell(tool, "runs", &cells[0]),
		page_count_cell(tool, "failures", &cells[1]),
		page_count_cell(tool, "dismissed", &cells[10]),
		page_size_cell(tool, view->peak, &cells[2]),
		page_size_cell(tool, "peak_bytes", &cells[9]),
		page_size_cell(tool, "read_bytes", &cells[3]),
		page_size_cell(tool, "write_bytes", &cells[4]),
		page_time_cell(tool, "wall_s", &cells[5]),
		page_time_cell(tool, "cpu_s", &cells[6]),
		page_share_cell(tool, "cpu_s", view->cpu_s, &cells[7]),
		page_bar_cell(page, tool, "cpu_s", view->cpu_s, &cells[8]),
	}, tool_note(view->tools, tool, note));
	if (has_any(tool, "failures"))
		page_table_style(table, TOOL_FAIL, STYLE_WARNING);
}

static struct json_object *tool_at(struct json_object *tools, size_t i)
{
	struct json_object *tool = json_object_array_get_idx(tools, i);

	return field_true(tool, "slurm") ? NULL : tool;
}

/* Returns the tool whose largest process held most memory. */
static struct json_object *largest_tool(struct json_object *tools, const char *peak_field)
{
	struct json_object *largest = NULL;
	double peak, most = 0;

	for (size_t i = 0; i < field_length(tools); i++)
		if (field_number(tool_at(tools, i), peak_field, &peak) && peak > most) {
			most = peak;
			largest = tool_at(tools, i);
		}
	return largest;
}

static bool failed_or_lives(struct json_object *tool)
{
	return has_any(tool, "failures") || has_any(tool, "living");
}

/* How long the threads of @of, the report or a tool, slept, or waited for events and other threads. */
static double idle_seconds(struct json_object *of)
{
	double slept = 0, events = 0, threads = 0;

	field_number(of, "states.sleep_s", &slept);
	field_number(of, "states.event_s", &events);
	field_number(of, "states.condition_s", &threads);
	return slept + events + threads;
}

/* One screen has the tools that took CPU time, that failed, that run now, or by which the job was idle. */
static bool matters(struct json_object *tool, const struct tool_view *view)
{
	double used = 0;

	field_number(tool, "cpu_s", &used);
	return (used > 0 && used >= TOOL_SHARE * view->cpu_s) || failed_or_lives(tool) ||
	       (view->idle_s > 0 && idle_seconds(tool) >= IDLE_SHARE * view->idle_s);
}

static bool any_dismissed(struct json_object *tools)
{
	for (size_t i = 0; i < field_length(tools); i++)
		if (has_any(tool_at(tools, i), "dismissed"))
			return true;
	return false;
}

static size_t count_failed_or_living(struct json_object *tools)
{
	size_t count = 0;

	for (size_t i = 0; i < field_length(tools); i++)
		count += failed_or_lives(tool_at(tools, i));
	return count;
}

/* How many rows there are room for: of tools that failed or live, and of others. */
struct tool_room {
	size_t failed, others;
};

/* One screen has TOOLS_SHOWN. Those that failed or live come first, and one other at least, which took most CPU time. */
static struct tool_room tool_room(struct page *page, struct json_object *tools)
{
	size_t limit = page_limit(page, TOOLS_SHOWN), failed = count_failed_or_living(tools);
	struct tool_room room = { .failed = TOOLS_MORE, .others = failed < limit ? limit - failed : 1 };

	return room;
}

static void add_tools(struct page *page, struct page_table *table, struct json_object *tools,
		      const struct tool_view *view)
{
	struct json_object *largest = largest_tool(tools, view->peak);
	struct tool_room room = tool_room(page, tools);
	size_t left_out = 0;

	for (size_t i = 0; i < field_length(tools); i++) {
		struct json_object *tool = tool_at(tools, i);
		size_t *left = failed_or_lives(tool) ? &room.failed : &room.others;

		if (!tool)
			continue;
		/* the last place is kept for the tool that took most memory */
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
 * The peak is of used memory, as the job's peak is. Where that is not known, it is of the resident set, and the column
 * is named so. While all of them run, neither is known.
 */
void page_tools(struct page *page)
{
	struct json_object *tools = field_typed(page->report, "tools", json_type_array);
	struct tool_view view = { .tools = tools, .peak = tool_fields_peak(tools) };
	bool used = strcmp(view.peak, "used_peak_bytes") == 0, all = page->options->all;
	const struct page_column columns[] = {
		{ .head = "Tools" },
		{ .head = "Runs" },
		{ .head = "Fail" },
		{ .head = "Dismissed", .spare = 4, .hidden = !all || !any_dismissed(tools) },
		{ .head = used ? "Peak" : "Resident", .hidden = !tool_fields_know(tools, view.peak) },
		{ .head = "Resident", .spare = 4, .hidden = !all || !used },
		{ .head = "Read", .spare = 3 },
		{ .head = "Write", .spare = 3 },
		{ .head = "Wall", .spare = 2 },
		{ .head = "CPU" },
		{ .head = "Share" },
		{ .head = "", .bar = true, .spare = 1 },
	};
	struct page_table table = PAGE_TABLE(columns);

	field_number(page->report, "used.cpu_s", &view.cpu_s);
	if (field_is(page->report, "verdict.bound", "idle"))
		view.idle_s = idle_seconds(page->report);
	add_tools(page, &table, tools, &view);
	page_table_print(page, &table);
}

/* ---- steps ---- */

enum { STEP_EXIT = 2 };

/* If the step's processes were not sampled together, only a lower bound is known: the largest process' peak. */
static const char *peak_of_step(const struct page *page, struct json_object *step, struct page_cell *cell)
{
	struct page_cell bare;

	page_size_cell(step, "memory_used_peak_bytes", &bare);
	snprintf(cell->text, sizeof(cell->text), "%s%.64s", !field_true(step, "memory_used_peak_at_least") ? "" :
		 page->options->unicode ? "\u2265" : ">=", bare.text);
	return cell->text;
}

static bool has_failed(struct json_object *step)
{
	return has_any(step, "exit_code") || has_any(step, "signal");
}

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
		peak_of_step(page, step, &cells[5]),
		page_size_cell(step, "read_bytes", &cells[6]),
		page_size_cell(step, "write_bytes", &cells[7]),
	}, NULL);
	if (has_failed(step))
		page_table_style(table, STEP_EXIT, STYLE_WARNING);
}

/* Nobody looks for Slurm's extern step, which only holds the job's processes together. */
static bool is_extern(struct json_object *step)
{
	return field_is(step, "id", "extern");
}

/* @failed: how many of them failed */
static size_t own_steps(struct json_object *steps, size_t *failed)
{
	size_t count = 0;

	*failed = 0;
	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

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
	struct json_object *steps = field_typed(page->report, "steps", json_type_array);
	size_t failed, own = own_steps(steps, &failed), limit = page_limit(page, STEPS_SHOWN);
	size_t others = limit > failed ? limit - failed : 0; /* that there is room for */

	if (own < 2 && !page->options->all)
		return; /* a single step is the job itself, which is shown already */
	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		if (is_extern(step) || table.row_count == limit || (!has_failed(step) && others == 0))
			continue;
		others -= !has_failed(step);
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
