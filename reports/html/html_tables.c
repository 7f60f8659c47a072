/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the page's tables, and names the fields that are their columns. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/html/html_internal.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/wording/container_fields.h"
#include "reports/wording/tool_fields.h"

#define ROWS_MAX 300
#define ENTRIES_SHOWN 100

/* ---- cells that print themselves ---- */

static void print_mark(FILE *out, const char *word, const char *name)
{
	fprintf(out, " <span class=\"by\">%s ", word);
	html_text(out, name);
	fputs("</span>", out);
}

static void tool_marks(const struct report *report, const void *row, FILE *out)
{
	const struct report_tool *tool = row;
	char text[TOOL_FOLDER_TEXT], container[CONTAINER_NAME_TEXT];
	const char *folder = tool_fields_folder(&report->tools, tool, text);
	double forks = tool_fields_forks(tool);

	if (tool->interpreter)
		print_mark(out, "by", tool->interpreter);
	if (folder)
		print_mark(out, "in", folder);
	if (container_name(report, tool->container, container))
		print_mark(out, "in", container);
	if (forks > 0)
		fprintf(out, " <span class=\"by\">CPU with %.0f fork%s</span>", forks, plural(forks));
	if (tool->living > 0)
		fprintf(out, " <span class=\"by\">%lld running</span>", (long long)tool->living);
}

static void entry_marks(const struct report *report, const void *row, FILE *out)
{
	const struct report_entry *entry = row;

	(void)report;
	if (entry->interpreter)
		print_mark(out, "by", entry->interpreter);
	if (entry->living)
		fputs(" <span class=\"by\">running</span>", out);
}

/* @bad: the class for failures */
static void ending_cell(FILE *out, int64_t signal, int64_t code, const char *bad)
{
	if (signal > 0)
		fprintf(out, "<td class=\"n%s\" data-v=\"%.0f\">signal %lld</td>", bad, 1000.0 + (double)signal,
			(long long)signal);
	else if (code >= 0)
		fprintf(out, "<td class=\"n%s\" data-v=\"%lld\">%lld</td>", code ? bad : "", (long long)code,
			(long long)code);
	else
		html_unknown_cell(out);
}

static void step_ending(const struct report *report, const void *row, FILE *out)
{
	const struct report_step *step = row;

	(void)report;
	ending_cell(out, step->signal, step->exit_code, " bad");
}

static void container_ending(const struct report *report, const void *row, FILE *out)
{
	const struct report_container *container = row;

	(void)report;
	ending_cell(out, container->signal, container->exit_code, " bad");
}

/* A fork never counts as failed. A run that its parent ended does not count as failed either. */
static void entry_ending(const struct report *report, const void *row, FILE *out)
{
	const struct report_entry *entry = row;

	(void)report;
	ending_cell(out, entry->signal, entry->exit_code, entry->forked || entry->dismissed ? "" : " bad");
}

/* Shows a peak that was not sampled as "at least". */
static void step_peak(const struct report *report, const void *row, FILE *out)
{
	const struct report_step *step = row;
	double peak = report_number(step->memory_used_peak_bytes);
	char text[SIZE_TEXT];

	(void)report;
	if (isnan(peak))
		html_unknown_cell(out);
	else
		fprintf(out, "<td class=\"n\" data-v=\"%.9g\">%s%s</td>", peak,
			step->memory_used_peak_at_least ? "at least " : "", size_text(peak, text));
}

/* A fork does not count as a run. */
static void entry_runs(const struct report *report, const void *row, FILE *out)
{
	const struct report_entry *entry = row;
	long long count = entry->count >= 0 ? entry->count : 1;

	(void)report;
	if (!entry->forked)
		fprintf(out, "<td class=\"n\" data-v=\"%lld\">%lld</td>", count, count);
	else if (count > 1)
		fprintf(out, "<td class=\"n\" data-v=\"0\">%lld forks</td>", count);
	else
		fputs("<td class=\"n\" data-v=\"0\">fork</td>", out);
}

/* ---- the tables ---- */

static bool is_users(const void *row)
{
	const struct report_tool *tool = row;

	return !tool->slurm.value;
}

/* Returns false for Slurm's extern step, which runs no program of the user. */
static bool is_no_extern(const void *row)
{
	const struct report_step *step = row;

	return !report_text_is(step->id, "extern");
}

static bool was_used(const void *row)
{
	const struct report_file_system *file_system = row;

	return file_system->wait_s.ns > 0 || file_system->read_bytes > 0 || file_system->write_bytes > 0;
}

#define TOOL_COLUMNS(peak) \
	HTML_COLUMN(tool, "Tool", HTML_TEXT, name, .print = tool_marks), HTML_COLUMN(tool, "Runs", HTML_COUNT, runs), \
	HTML_COLUMN(tool, "Failed", HTML_COUNT, failures), HTML_COLUMN(tool, "CPU", HTML_TIME, cpu_s), \
	HTML_COLUMN(tool, "Share of CPU", HTML_SHARE, cpu_s), HTML_COLUMN(tool, "Wall", HTML_TIME, wall_s), peak, \
	HTML_COLUMN(tool, "Read", HTML_SIZE, read_bytes), HTML_COLUMN(tool, "Written", HTML_SIZE, write_bytes), \
	HTML_COLUMN(tool, "File waits", HTML_TIME, states.file_io_s, .rare = true), \
	HTML_COLUMN(tool, "GPU waits", HTML_TIME, states.gpu_s, .rare = true), \
	HTML_COLUMN(tool, "Network waits", HTML_TIME, states.network_s, .rare = true), \
	HTML_COLUMN(tool, "Lock waits", HTML_TIME, states.lock_s, .rare = true)
#define PEAK HTML_COLUMN(tool, "Peak memory", HTML_SIZE, used_peak_bytes)
#define RESIDENT HTML_COLUMN(tool, "Resident peak", HTML_SIZE, peak_bytes)

static void print_tools(const struct report *report, FILE *out)
{
	static const struct html_column columns[] = { TOOL_COLUMNS(PEAK), RESIDENT };
	static const struct html_column before[] = { TOOL_COLUMNS(RESIDENT) };
	struct html_table table = { .id = "tools", .title = "Tools", .report = report, HTML_COLUMNS(columns),
				    HTML_ROWS(&report->tools), .max = ROWS_MAX, .worth = is_users,
				    .note = "The programs that ran. Memory is that of a tool's largest process; resident memory "
					    "includes pages of mapped files. Waits are those of all threads of the tool. Read and "
					    "written are bytes of storage." };

	if (strcmp(tool_fields_peak(&report->tools), "peak_bytes") == 0) {
		table.columns = before;
		table.columns_count = sizeof(before) / sizeof(before[0]);
	}
	html_table(out, &table);
}

static void print_steps(const struct report *report, FILE *out)
{
	static const struct html_column columns[] = {
		HTML_COLUMN(step, "Step", HTML_TEXT, id),
		HTML_COLUMN(step, "Tasks", HTML_COUNT, task_count),
		HTML_COLUMN(step, "Nodes", HTML_COUNT, nodes),
		{ .head = "Exit", .kind = HTML_NUMBER, .print = step_ending },
		HTML_COLUMN(step, "Wall", HTML_TIME, elapsed_s),
		HTML_COLUMN(step, "CPU", HTML_TIME, cpu_s),
		HTML_COLUMN(step, "Processes", HTML_COUNT, processes),
		{ .head = "Peak memory", .kind = HTML_NUMBER, .print = step_peak },
		HTML_COLUMN(step, "Read", HTML_SIZE, read_bytes),
		HTML_COLUMN(step, "Written", HTML_SIZE, write_bytes),
	};
	struct html_table table = { .id = "steps", .title = "Steps", .report = report,
				    HTML_COLUMNS(columns), HTML_ROWS(&report->steps), .max = ROWS_MAX, .worth = is_no_extern };

	html_table(out, &table);
}

static void print_containers(const struct report *report, FILE *out)
{
	static const struct html_column columns[] = {
		HTML_COLUMN(container, "Runtime", HTML_TEXT, runtime),
		HTML_COLUMN(container, "Image", HTML_TEXT, image),
		HTML_COLUMN(container, "Root", HTML_TEXT, root),
		HTML_COLUMN(container, "Count", HTML_COUNT, count),
		{ .head = "Exit", .kind = HTML_NUMBER, .print = container_ending },
		HTML_COLUMN(container, "Begin", HTML_TEXT, start),
		HTML_COLUMN(container, "End", HTML_TEXT, end),
		HTML_COLUMN(container, "Setup", HTML_TIME, setup_s),
		HTML_COLUMN(container, "Runs", HTML_COUNT, runs),
		HTML_COLUMN(container, "Failed", HTML_COUNT, failures),
		HTML_COLUMN(container, "CPU", HTML_TIME, cpu_s),
	};
	struct html_table table = { .id = "containers", .title = "Containers", .report = report, HTML_COLUMNS(columns),
				    HTML_ROWS(&report->containers), .max = ROWS_MAX,
				    .note = "Setup is the time from the runtime's start to the first program in the container; of "
					    "several containers, the longest." };

	html_table(out, &table);
}

static void print_nodes(const struct report *report, FILE *out)
{
	static const struct html_column columns[] = {
		HTML_COLUMN(node, "Node", HTML_TEXT, name),
		HTML_COLUMN(node, "CPUs", HTML_COUNT, allocated.cpus),
		HTML_COLUMN(node, "CPU", HTML_TIME, used.cpu_s),
		HTML_COLUMN(node, "Share of CPU", HTML_SHARE, used.cpu_s),
		HTML_COLUMN(node, "Processes", HTML_COUNT, used.processes),
		HTML_COLUMN(node, "Peak memory", HTML_SIZE, used.memory_used_peak_bytes),
		HTML_COLUMN(node, "With cache", HTML_SIZE, used.memory_charged_peak_bytes),
		HTML_COLUMN(node, "Read", HTML_SIZE, used.read_bytes),
		HTML_COLUMN(node, "Written", HTML_SIZE, used.write_bytes),
		HTML_COLUMN(node, "Received", HTML_SIZE, used.socket_rx_bytes),
		HTML_COLUMN(node, "Sent", HTML_SIZE, used.socket_tx_bytes),
	};
	struct html_table table = { .id = "nodes", .title = "Nodes", .report = report,
				    HTML_COLUMNS(columns), HTML_ROWS(&report->nodes), .max = ROWS_MAX };

	html_table(out, &table);
}

static void print_file_systems(const struct report *report, FILE *out)
{
	static const struct html_column columns[] = {
		HTML_COLUMN(file_system, "File system", HTML_TEXT, type),
		HTML_COLUMN(file_system, "Class", HTML_TEXT, class),
		HTML_COLUMN(file_system, "Waited", HTML_TIME, wait_s),
		HTML_COLUMN(file_system, "Waits", HTML_COUNT, waits),
		HTML_COLUMN(file_system, "Read", HTML_SIZE, read_bytes, .rare = true),
		HTML_COLUMN(file_system, "Written", HTML_SIZE, write_bytes, .rare = true),
		HTML_COLUMN(file_system, "Opens", HTML_COUNT, opens, .rare = true),
		HTML_COLUMN(file_system, "Served by", HTML_TEXT, served_by, .rare = true),
		HTML_COLUMN(file_system, "Its CPU", HTML_TIME, server_cpu_s, .rare = true),
	};
	struct html_table table = { .id = "file-systems", .title = "File systems", .report = report,
				    HTML_COLUMNS(columns), HTML_ROWS(&report->used.file_systems), .max = ROWS_MAX, .worth = was_used,
				    .note = "Sorted by the time that threads waited for them." };

	html_table(out, &table);
}

static void print_files(const struct report *report, FILE *out)
{
	static const struct html_column columns[] = {
		HTML_COLUMN(file, "File", HTML_TEXT, path),
		HTML_COLUMN(file, "On", HTML_TEXT, type),
		HTML_COLUMN(file, "Opens", HTML_COUNT, opens),
		HTML_COLUMN(file, "Reads", HTML_COUNT, reads),
		HTML_COLUMN(file, "Writes", HTML_COUNT, writes),
		HTML_COLUMN(file, "Read", HTML_SIZE, read_bytes),
		HTML_COLUMN(file, "Written", HTML_SIZE, write_bytes),
	};
	struct html_table table = { .id = "files", .title = "Files", .report = report,
				    HTML_COLUMNS(columns), HTML_ROWS(&report->files), .max = ROWS_MAX,
				    .note = "The files with the most bytes read and written, and those that were opened most often." };

	html_table(out, &table);
}

static void print_victims(const struct report *report, FILE *out)
{
	static const struct html_column columns[] = {
		HTML_COLUMN(oom_kill, "Tool", HTML_TEXT, tool),
		HTML_COLUMN(oom_kill, "Command", HTML_TEXT, comm),
		HTML_COLUMN(oom_kill, "PID", HTML_COUNT, pid),
		HTML_COLUMN(oom_kill, "Step", HTML_TEXT, step),
		HTML_COLUMN(oom_kill, "Node", HTML_TEXT, node),
		HTML_COLUMN(oom_kill, "Used", HTML_SIZE, used_bytes),
		HTML_COLUMN(oom_kill, "Resident", HTML_SIZE, rss_bytes),
		HTML_COLUMN(oom_kill, "Limit", HTML_SIZE, limit_bytes),
		HTML_COLUMN(oom_kill, "Time", HTML_TEXT, time),
	};
	struct html_table table = { .id = "oom", .title = "Killed by the kernel, out of memory", .report = report,
				    HTML_COLUMNS(columns), HTML_ROWS(&report->oom), .max = ROWS_MAX,
				    .note = "The memory that each process had when the kernel killed it. Resident memory includes "
					    "pages of mapped files, which need not count for the limit." };

	html_table(out, &table);
}

static void print_stalls(const struct report *report, FILE *out)
{
	static const struct html_column columns[] = {
		HTML_COLUMN(stall, "Tool", HTML_TEXT, tool),
		HTML_COLUMN(stall, "PID", HTML_COUNT, pid),
		HTML_COLUMN(stall, "Step", HTML_TEXT, step),
		HTML_COLUMN(stall, "Node", HTML_TEXT, node),
		HTML_COLUMN(stall, "Quiet", HTML_TIME, quiet_s),
		HTML_COLUMN(stall, "From", HTML_TEXT, start),
	};
	struct html_table table = { .id = "stalls", .title = "Stalled: alive, and using nothing", .report = report,
				    HTML_COLUMNS(columns), HTML_ROWS(&report->progress.stalls), .max = ROWS_MAX };

	html_table(out, &table);
}

void html_tables(const struct report *report, FILE *out)
{
	print_victims(report, out);
	print_stalls(report, out);
	print_tools(report, out);
	html_gpus(report, out);
	print_containers(report, out);
	print_steps(report, out);
	print_nodes(report, out);
	print_file_systems(report, out);
	print_files(report, out);
}

/* ---- the timeline as a table ---- */

static int64_t wall_ns(const void *at)
{
	const struct report_entry *entry = *(const struct report_entry *const *)at;

	return entry->wall_s.ns > 0 ? entry->wall_s.ns : 0;
}

static int compare_wall(const void *a, const void *b)
{
	return (wall_ns(a) < wall_ns(b)) - (wall_ns(a) > wall_ns(b));
}

/*
 * Returns copies of the @count longest entries, the longest first; NULL if out of memory.
 * The caller must free them.
 */
static struct report_entry *longest(const struct report_entry_list *timeline, size_t count)
{
	cleanup_free const struct report_entry **sorted = calloc(timeline->count + 1, sizeof(*sorted));
	struct report_entry *entries = sorted ? calloc(count + 1, sizeof(*entries)) : NULL;

	if (!entries)
		return NULL;
	for (size_t i = 0; i < timeline->count; i++)
		sorted[i] = &timeline->items[i];
	qsort(sorted, timeline->count, sizeof(*sorted), compare_wall);
	for (size_t i = 0; i < count; i++)
		entries[i] = *sorted[i];
	return entries;
}

void html_entries(const struct report *report, FILE *out)
{
	static const struct html_column columns[] = {
		HTML_COLUMN(entry, "Tool", HTML_TEXT, tool, .print = entry_marks),
		HTML_COLUMN(entry, "Step", HTML_TEXT, step),
		HTML_COLUMN(entry, "Node", HTML_TEXT, node),
		HTML_COLUMN(entry, "PID", HTML_COUNT, pid),
		{ .head = "Runs", .kind = HTML_NUMBER, .print = entry_runs },
		HTML_COLUMN(entry, "Start", HTML_TEXT, start),
		HTML_COLUMN(entry, "Wall", HTML_TIME, wall_s),
		HTML_COLUMN(entry, "CPU", HTML_TIME, cpu_s),
		HTML_COLUMN(entry, "Resident peak", HTML_SIZE, peak_bytes),
		{ .head = "Exit", .kind = HTML_NUMBER, .print = entry_ending },
	};
	size_t all = report->timeline.count, count = all < ENTRIES_SHOWN ? all : ENTRIES_SHOWN;
	cleanup_free struct report_entry *entries = longest(&report->timeline, count);
	struct html_table table = { .id = "entries", .title = "Timeline as a table", .report = report, HTML_COLUMNS(columns),
				    .rows = entries, .rows_count = count, .row_bytes = sizeof(*entries), .max = count };

	if (all == 0)
		fputs("<p class=\"note\">This report has no timeline.</p>\n", out);
	if (all == 0 || !entries)
		return;
	fputs("<details class=\"as-table\"><summary>The timeline as a table: ", out);
	if (all > count)
		fprintf(out, "the longest %zu of %zu entries", count, all);
	else
		fputs("all its entries, the longest first", out);
	fputs("</summary>\n", out);
	html_bare_table(out, &table);
	fputs("</details>\n", out);
}
