/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page's tables, and which fields of the report are their columns. */
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/html/html_internal.h"
#include "reports/json/field.h"
#include "reports/wording/tool_fields.h"

#define ROWS_MAX 300
#define ENTRIES_SHOWN 100

#define COLUMNS(list) .columns = (list), .columns_count = sizeof(list) / sizeof((list)[0])

static bool is_users(struct json_object *tool)
{
	return !field_true(tool, "slurm");
}

/* Nobody looks for Slurm's extern step, which only holds the job's processes together. */
static bool is_no_extern(struct json_object *step)
{
	return !field_is(step, "id", "extern");
}

static bool was_used(struct json_object *file_system)
{
	static const char *const names[] = { "wait_s", "read_bytes", "write_bytes" };
	double value;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (field_number(file_system, names[i], &value) && value > 0)
			return true;
	return false;
}

#define TOOL_COLUMNS(peak) \
	{ "Tool", "name", HTML_TOOL }, { "Runs", "runs", HTML_COUNT }, { "Failed", "failures", HTML_COUNT }, \
	{ "CPU", "cpu_s", HTML_TIME }, { "Share of CPU", "cpu_s", HTML_SHARE }, { "Wall", "wall_s", HTML_TIME }, peak, \
	{ "Read", "read_bytes", HTML_SIZE }, { "Written", "write_bytes", HTML_SIZE }, \
	{ "File waits", "states.file_io_s", HTML_TIME }, { "Network waits", "states.network_s", HTML_TIME }, \
	{ "Lock waits", "states.lock_s", HTML_TIME }
#define PEAK { "Peak memory", "used_peak_bytes", HTML_SIZE }
#define RESIDENT { "Resident peak", "peak_bytes", HTML_SIZE }

static void print_tools(struct json_object *report, FILE *out)
{
	static const struct html_column columns[] = { TOOL_COLUMNS(PEAK), RESIDENT };
	static const struct html_column before[] = { TOOL_COLUMNS(RESIDENT) };
	static const char *const rare[] = { "states.file_io_s", "states.network_s", "states.lock_s", NULL };
	struct json_object *tools = field_typed(report, "tools", json_type_array);
	struct html_table table = { .id = "tools", .title = "Tools", COLUMNS(columns), .max = ROWS_MAX,
				    .worth = is_users, .rare = rare,
				    .note = "What ran, by program. Memory is of its largest process; resident, pages of mapped "
					    "files are among it. Waits are of all its threads, read and written is what "
					    "storage carried." };

	if (strcmp(tool_fields_peak(tools), "peak_bytes") == 0) {
		table.columns = before;
		table.columns_count = sizeof(before) / sizeof(before[0]);
	}
	field_number(report, "used.cpu_s", &table.whole);
	html_table(out, &table, tools);
}

static void print_steps(struct json_object *report, FILE *out)
{
	static const struct html_column columns[] = {
		{ "Step", "id", HTML_TEXT },
		{ "Tasks", "task_count", HTML_COUNT },
		{ "Nodes", "nodes", HTML_COUNT },
		{ "Exit", NULL, HTML_ENDING },
		{ "Wall", "elapsed_s", HTML_TIME },
		{ "CPU", "cpu_s", HTML_TIME },
		{ "Processes", "processes", HTML_COUNT },
		{ "Peak memory", "memory_used_peak_bytes", HTML_PEAK },
		{ "Read", "read_bytes", HTML_SIZE },
		{ "Written", "write_bytes", HTML_SIZE },
	};
	struct html_table table = { .id = "steps", .title = "Steps", COLUMNS(columns), .max = ROWS_MAX,
				    .worth = is_no_extern };

	html_table(out, &table, field_typed(report, "steps", json_type_array));
}

static void print_nodes(struct json_object *report, FILE *out)
{
	static const struct html_column columns[] = {
		{ "Node", "name", HTML_TEXT },
		{ "CPUs", "allocated.cpus", HTML_COUNT },
		{ "CPU", "used.cpu_s", HTML_TIME },
		{ "Share of CPU", "used.cpu_s", HTML_SHARE },
		{ "Processes", "used.processes", HTML_COUNT },
		{ "Peak memory", "used.memory_used_peak_bytes", HTML_SIZE },
		{ "With cache", "used.memory_charged_peak_bytes", HTML_SIZE },
		{ "Read", "used.read_bytes", HTML_SIZE },
		{ "Written", "used.write_bytes", HTML_SIZE },
		{ "Received", "used.socket_rx_bytes", HTML_SIZE },
		{ "Sent", "used.socket_tx_bytes", HTML_SIZE },
	};
	struct html_table table = { .id = "nodes", .title = "Nodes", COLUMNS(columns), .max = ROWS_MAX };

	field_number(report, "used.cpu_s", &table.whole);
	html_table(out, &table, field_typed(report, "nodes", json_type_array));
}

static void print_file_systems(struct json_object *report, FILE *out)
{
	static const struct html_column columns[] = {
		{ "File system", "type", HTML_TEXT },
		{ "Class", "class", HTML_TEXT },
		{ "Waited", "wait_s", HTML_TIME },
		{ "Waits", "waits", HTML_COUNT },
		{ "Read", "read_bytes", HTML_SIZE },
		{ "Written", "write_bytes", HTML_SIZE },
		{ "Opens", "opens", HTML_COUNT },
		{ "Served by", "served_by", HTML_TEXT },
		{ "Its CPU", "server_cpu_s", HTML_TIME },
	};
	static const char *const rare[] = { "read_bytes", "write_bytes", "opens", "served_by", "server_cpu_s", NULL };
	struct html_table table = { .id = "file-systems", .title = "File systems", COLUMNS(columns), .max = ROWS_MAX,
				    .worth = was_used, .rare = rare,
				    .note = "By the time that threads waited for them." };

	html_table(out, &table, field_typed(report, "used.file_systems", json_type_array));
}

static void print_files(struct json_object *report, FILE *out)
{
	static const struct html_column columns[] = {
		{ "File", "path", HTML_TEXT },
		{ "On", "type", HTML_TEXT },
		{ "Opens", "opens", HTML_COUNT },
		{ "Reads", "reads", HTML_COUNT },
		{ "Writes", "writes", HTML_COUNT },
		{ "Read", "read_bytes", HTML_SIZE },
		{ "Written", "write_bytes", HTML_SIZE },
	};
	struct html_table table = { .id = "files", .title = "Files", COLUMNS(columns), .max = ROWS_MAX,
				    .note = "Those that carried most bytes, and those that were opened most often." };

	html_table(out, &table, field_typed(report, "files", json_type_array));
}

static void print_victims(struct json_object *report, FILE *out)
{
	static const struct html_column columns[] = {
		{ "Tool", "tool", HTML_TEXT },
		{ "Command", "comm", HTML_TEXT },
		{ "PID", "pid", HTML_COUNT },
		{ "Step", "step", HTML_TEXT },
		{ "Node", "node", HTML_TEXT },
		{ "Used", "used_bytes", HTML_SIZE },
		{ "Resident", "rss_bytes", HTML_SIZE },
		{ "Limit", "limit_bytes", HTML_SIZE },
		{ "Time", "time", HTML_TEXT },
	};
	struct html_table table = { .id = "oom", .title = "Killed by the kernel, out of memory", COLUMNS(columns),
				    .max = ROWS_MAX,
				    .note = "What the process had in memory then; resident, pages of mapped files are among "
					    "it, which need not count for the limit." };

	html_table(out, &table, field_typed(report, "oom", json_type_array));
}

static void print_stalls(struct json_object *report, FILE *out)
{
	static const struct html_column columns[] = {
		{ "Tool", "tool", HTML_TEXT },
		{ "PID", "pid", HTML_COUNT },
		{ "Step", "step", HTML_TEXT },
		{ "Node", "node", HTML_TEXT },
		{ "Quiet", "quiet_s", HTML_TIME },
		{ "From", "start", HTML_TEXT },
	};
	struct html_table table = { .id = "stalls", .title = "Stalled: alive, and using nothing", COLUMNS(columns),
				    .max = ROWS_MAX };

	html_table(out, &table, field_typed(report, "progress.stalls", json_type_array));
}

void html_tables(struct json_object *report, FILE *out)
{
	print_victims(report, out);
	print_stalls(report, out);
	print_tools(report, out);
	print_steps(report, out);
	print_nodes(report, out);
	print_file_systems(report, out);
	print_files(report, out);
}

/* ---- the timeline as a table ---- */

static int compare_wall(const void *a, const void *b)
{
	double one = 0, other = 0;

	field_number(*(struct json_object *const *)a, "wall_s", &one);
	field_number(*(struct json_object *const *)b, "wall_s", &other);
	return one < other ? 1 : one > other ? -1 : 0;
}

/* Returns the longest entries, the longest first; NULL when memory is short. */
static struct json_object *longest(struct json_object *timeline)
{
	size_t count = field_length(timeline), shown = count < ENTRIES_SHOWN ? count : ENTRIES_SHOWN;
	cleanup_free struct json_object **sorted = calloc(count + 1, sizeof(*sorted));
	struct json_object *list = sorted ? json_object_new_array() : NULL;

	if (!list)
		return NULL;
	for (size_t i = 0; i < count; i++)
		sorted[i] = json_object_array_get_idx(timeline, i);
	qsort(sorted, count, sizeof(*sorted), compare_wall);
	for (size_t i = 0; i < shown; i++)
		json_object_array_add(list, json_object_get(sorted[i]));
	return list;
}

void html_entries(struct json_object *report, FILE *out)
{
	static const struct html_column columns[] = {
		{ "Tool", "tool", HTML_TOOL },
		{ "Step", "step", HTML_TEXT },
		{ "Node", "node", HTML_TEXT },
		{ "PID", "pid", HTML_COUNT },
		{ "Runs", "count", HTML_RUNS },
		{ "Start", "start", HTML_TEXT },
		{ "Wall", "wall_s", HTML_TIME },
		{ "CPU", "cpu_s", HTML_TIME },
		{ "Resident peak", "peak_bytes", HTML_SIZE },
		{ "Exit", NULL, HTML_ENDING },
	};
	struct html_table table = { .id = "entries", .title = "Timeline as a table", COLUMNS(columns),
				    .max = ENTRIES_SHOWN };
	struct json_object *timeline = field_typed(report, "timeline", json_type_array);
	cleanup_json struct json_object *list = longest(timeline);
	size_t count = field_length(timeline);

	if (count == 0)
		fputs("<p class=\"note\">This report has no timeline.</p>\n", out);
	if (count == 0 || !list)
		return;
	fputs("<details class=\"as-table\"><summary>The timeline as a table: ", out);
	if (count > ENTRIES_SHOWN)
		fprintf(out, "the longest %d of %zu entries", ENTRIES_SHOWN, count);
	else
		fputs("all its entries, the longest first", out);
	fputs("</summary>\n", out);
	html_bare_table(out, &table, list);
	fputs("</details>\n", out);
}
