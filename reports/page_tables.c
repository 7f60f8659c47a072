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

#define TOOLS_SHOWN 15
#define STEPS_SHOWN 20
#define NODES_SHOWN 20
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

/* ---- tools ---- */

static void add_tool(struct page_table *table, struct json_object *tool, double cpu_s)
{
	const char *name = field_text(tool, "name"), *interpreter = field_text(tool, "interpreter");
	struct page_cell cells[8];
	cleanup_free char *note = NULL;

	if (interpreter && asprintf(&note, "(by %s)", interpreter) < 0)
		note = NULL;
	page_table_add(table, (const char *const[]){
		name ? name : "?",
		page_count_cell(tool, "runs", &cells[0]),
		page_count_cell(tool, "failures", &cells[1]),
		page_time_cell(tool, "cpu_s", &cells[2]),
		page_share_cell(tool, "cpu_s", cpu_s, &cells[3]),
		page_time_cell(tool, "wall_s", &cells[4]),
		page_size_cell(tool, "peak_bytes", &cells[5]),
		page_size_cell(tool, "read_bytes", &cells[6]),
		page_size_cell(tool, "write_bytes", &cells[7]),
	}, note);
}

void page_tools(struct json_object *report, FILE *out)
{
	static const char *const heads[] = { "Tool", "Runs", "Fail", "CPU", "Share", "Wall", "Peak", "Read", "Write" };
	struct page_table table = { .columns = sizeof(heads) / sizeof(heads[0]), .heads = heads };
	struct json_object *tools = field_typed(report, "tools", json_type_array);
	double cpu_s = 0;
	size_t own = 0;

	field_number(report, "used.cpu_s", &cpu_s);
	for (size_t i = 0; i < field_length(tools); i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);

		if (!field_true(tool, "slurm") && own++ < TOOLS_SHOWN)
			add_tool(&table, tool, cpu_s);
	}
	if (own == 0)
		return;
	fputs("\nTools, by CPU time (memory and storage in KiB, MiB, GiB)\n", out);
	page_table_print(&table, out);
	page_print_more(out, own > TOOLS_SHOWN ? own - TOOLS_SHOWN : 0, "tools");
}

/* ---- steps ---- */

static void add_step(struct page_table *table, struct json_object *step)
{
	const char *id = field_text(step, "id");
	struct page_cell cells[8];

	page_table_add(table, (const char *const[]){
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
}

/* Slurm's own step, that only holds the job's processes together, is not what anybody looks for. */
static bool is_extern(struct json_object *step)
{
	const char *id = field_text(step, "id");

	return id && strcmp(id, "extern") == 0;
}

void page_steps(struct json_object *report, FILE *out)
{
	static const char *const heads[] = { "Step",	  "Tasks", "Exit", "Wall", "CPU",
					     "Processes", "Peak",  "Read", "Write" };
	struct page_table table = { .columns = sizeof(heads) / sizeof(heads[0]), .heads = heads };
	struct json_object *steps = field_typed(report, "steps", json_type_array);
	size_t own = 0;

	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);

		if (!is_extern(step) && own++ < STEPS_SHOWN)
			add_step(&table, step);
	}
	if (own == 0)
		return;
	fputs("\nSteps\n", out);
	page_table_print(&table, out);
	page_print_more(out, own > STEPS_SHOWN ? own - STEPS_SHOWN : 0, "steps");
}

/* ---- nodes ---- */

static void add_node(struct page_table *table, struct json_object *node)
{
	const char *name = field_text(node, "name");
	struct page_cell cells[7];

	page_table_add(table, (const char *const[]){
		name ? name : "?",
		page_count_cell(node, "allocated.cpus", &cells[0]),
		page_time_cell(node, "used.cpu_s", &cells[1]),
		page_count_cell(node, "used.processes", &cells[2]),
		page_size_cell(node, "used.memory_used_peak_bytes", &cells[3]),
		page_size_cell(node, "used.memory_charged_peak_bytes", &cells[4]),
		page_size_cell(node, "used.read_bytes", &cells[5]),
		page_size_cell(node, "used.write_bytes", &cells[6]),
	}, NULL);
}

void page_nodes(struct json_object *report, FILE *out)
{
	static const char *const heads[] = { "Node", "CPUs", "CPU", "Processes", "Peak", "Charged", "Read", "Write" };
	struct page_table table = { .columns = sizeof(heads) / sizeof(heads[0]), .heads = heads };
	struct json_object *nodes = field_typed(report, "nodes", json_type_array);
	size_t count = field_length(nodes);

	if (count < 2)
		return;
	for (size_t i = 0; i < count && i < NODES_SHOWN; i++)
		add_node(&table, json_object_array_get_idx(nodes, i));
	fputs("\nNodes\n", out);
	page_table_print(&table, out);
	page_print_more(out, count > NODES_SHOWN ? count - NODES_SHOWN : 0, "nodes");
}
