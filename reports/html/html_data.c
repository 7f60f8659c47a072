/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the data for the pictures, column by column, as compressed whole numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/cleanup.h"
#include "common/memory/map.h"
#include "reports/html/html_internal.h"
#include "reports/json/gzip64.h"
#include "reports/model/report_tables.h"
#include "reports/rules/peak_memory.h"

#define ENTRIES_MAX 100000 /* a forged report may have any number of entries */
#define MANY 20000         /* if there are this many entries, numbers have fewer digits */
#define TASKS_MAX 20000
#define POINTS_MAX 4096 /* over all nodes */
#define POINTS_MIN 32    /* for each node */
#define NODES_MAX 128
#define SERIES_FIGURES 4
#define EXACT 15

static int number_of(struct map *names, const char *name)
{
	const struct map_entry *entry = name ? map_get(names, name, strlen(name) + 1) : NULL;

	return entry ? (int)(entry - names->list) : -1;
}

struct data {
	const struct report *report;
	FILE *out;
	int64_t start_ms; /* all times are relative to this */
	int figures;
	struct map tools, steps, nodes;
};

static void print_names(FILE *out, const char *key, const struct map *names)
{
	fprintf(out, ",\n\"%s\":[", key);
	for (size_t i = 0; i < names->count; i++) {
		if (i)
			fputc(',', out);
		html_json_text(out, names->list[i].key);
	}
	fputs("]", out);
}

/* ---- times ---- */

static void earlier(int64_t *start_ms, const char *time)
{
	int64_t ms = html_time(time);

	if (ms != INT64_MIN && (*start_ms == INT64_MIN || ms < *start_ms))
		*start_ms = ms;
}

static int64_t first_moment(const struct report *report)
{
	int64_t start_ms = INT64_MIN;

	earlier(&start_ms, report->job.start);
	for (size_t i = 0; i < report->timeline.count; i++)
		earlier(&start_ms, report->timeline.items[i].start);
	for (size_t i = 0; i < report->steps.count; i++)
		earlier(&start_ms, report->steps.items[i].start);
	for (size_t i = 0; i < report->series.count; i++)
		earlier(&start_ms, report->series.items[i].start);
	return start_ms == INT64_MIN ? 0 : start_ms;
}

static void print_moment(const struct data *data, const char *time)
{
	int64_t ms = html_time(time);

	if (ms == INT64_MIN)
		fputs("null", data->out);
	else
		fprintf(data->out, "%lld", (long long)(ms - data->start_ms));
}

/* ---- timeline ---- */

static double rounded(double value, int figures)
{
	double unit = value < pow(10, figures) ? 1 : pow(10, floor(log10(value)) - figures + 1);

	return round(value / unit) * unit;
}

static void print_length(struct data *data, const struct report_entry *entry)
{
	int64_t start = html_time(entry->start), end = html_time(entry->end);

	if (end == INT64_MIN && entry->living && entry->wall_s.ns >= 0)
		fprintf(data->out, "%.0f", 1000 * report_s(entry->wall_s));
	else if (start == INT64_MIN || end == INT64_MIN)
		fputs("null", data->out);
	else
		fprintf(data->out, "%lld", (long long)(end > start ? end - start : 0));
}

static void print_tool(struct data *data, const struct report_entry *entry)
{
	fprintf(data->out, "%d", number_of(&data->tools, entry->tool));
}

static void print_step(struct data *data, const struct report_entry *entry)
{
	fprintf(data->out, "%d", number_of(&data->steps, entry->step));
}

static void print_node(struct data *data, const struct report_entry *entry)
{
	fprintf(data->out, "%d", number_of(&data->nodes, entry->node));
}

static void print_rounded(FILE *out, double value, int figures)
{
	if (isnan(value))
		fputs("null", out);
	else
		fprintf(out, "%.0f", rounded(value, figures));
}

static int longest_wait(const struct report_entry *entry, double *seconds)
{
	int longest = -1;

	*seconds = 0;
	for (int group = 1; group < HTML_STATES; group++) {
		double sum = html_state_seconds(&entry->states, &html_state_groups[group]);

		if (sum > *seconds) {
			*seconds = sum;
			longest = group;
		}
	}
	return longest;
}

/* Bits: 1 forked, 2 dismissed, 4 living, 8 started by Slurm. */
static void print_kind(struct data *data, const struct report_entry *entry)
{
	fprintf(data->out, "%d", entry->forked + 2 * entry->dismissed + 4 * entry->living + 8 * entry->slurm);
}

/* Forks and dismissed entries have no failures, however they ended. */
static void print_failures(struct data *data, const struct report_entry *entry)
{
	print_rounded(data->out, entry->forked || entry->dismissed ? 0 : report_number(entry->failures), data->figures);
}

static void print_wait(struct data *data, const struct report_entry *entry)
{
	double seconds;

	fprintf(data->out, "%d", longest_wait(entry, &seconds));
}

static void print_waited(struct data *data, const struct report_entry *entry)
{
	double seconds;

	longest_wait(entry, &seconds);
	print_rounded(data->out, 1000 * seconds, data->figures);
}

static const struct html_column entry_numbers[] = {
	HTML_COLUMN(entry, "count", HTML_COUNT, count),
	HTML_COLUMN(entry, "code", HTML_COUNT, exit_code),
	HTML_COLUMN(entry, "signal", HTML_COUNT, signal),
	HTML_COLUMN(entry, "wall", HTML_TIME, wall_s),
	HTML_COLUMN(entry, "cpu", HTML_TIME, cpu_s),
	HTML_COLUMN(entry, "peak", HTML_SIZE, peak_bytes),
	HTML_COLUMN(entry, "read", HTML_SIZE, read_bytes),
	HTML_COLUMN(entry, "write", HTML_SIZE, write_bytes),
};

static void print_column(struct data *data, size_t count, const char *key,
			 void (*print)(struct data *data, const struct report_entry *entry))
{
	fprintf(data->out, ",\n\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputc(',', data->out);
		print(data, &data->report->timeline.items[i]);
	}
	fputs("]", data->out);
}

/* Prints times in milliseconds and sizes in KiB. */
static void print_numbers(struct data *data, size_t count, const struct html_column *column)
{
	double scale = column->kind == HTML_TIME ? 1000 : column->kind == HTML_SIZE ? 1 / 1024.0 : 1;

	fprintf(data->out, ",\n\"%s\":[", column->head);
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputc(',', data->out);
		print_rounded(data->out, scale * html_number(column, &data->report->timeline.items[i]), data->figures);
	}
	fputs("]", data->out);
}

/* Prints each number as its difference from the previous one; null if unknown. */
static void print_steps_of(struct data *data, size_t count, const char *key,
			   bool (*read)(const struct data *data, const struct report_entry *entry, int64_t *value))
{
	int64_t before = 0, value;

	fprintf(data->out, ",\n\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputc(',', data->out);
		if (read(data, &data->report->timeline.items[i], &value)) {
			fprintf(data->out, "%lld", (long long)(value - before));
			before = value;
		} else {
			fputs("null", data->out);
		}
	}
	fputs("]", data->out);
}

static bool read_start(const struct data *data, const struct report_entry *entry, int64_t *value)
{
	int64_t ms = html_time(entry->start);

	if (ms == INT64_MIN)
		return false;
	*value = ms - data->start_ms;
	return true;
}

static bool read_pid(const struct data *data, const struct report_entry *entry, int64_t *value)
{
	(void)data;
	*value = entry->pid;
	return entry->pid >= 0;
}

static bool read_ppid(const struct data *data, const struct report_entry *entry, int64_t *value)
{
	(void)data;
	*value = entry->ppid;
	return entry->ppid >= 0;
}

static void print_timeline(struct data *data)
{
	size_t all = data->report->timeline.count, count = all < ENTRIES_MAX ? all : ENTRIES_MAX;

	data->figures = count > MANY ? 2 : 3;
	fprintf(data->out, ",\n\"timeline\":{\"all\":%zu", all);
	print_column(data, count, "tool", print_tool);
	print_column(data, count, "step", print_step);
	print_column(data, count, "node", print_node);
	print_steps_of(data, count, "start", read_start);
	print_column(data, count, "length", print_length);
	print_steps_of(data, count, "pid", read_pid);
	print_steps_of(data, count, "ppid", read_ppid);
	for (size_t i = 0; i < sizeof(entry_numbers) / sizeof(entry_numbers[0]); i++)
		print_numbers(data, count, &entry_numbers[i]);
	print_column(data, count, "kind", print_kind);
	print_column(data, count, "failures", print_failures);
	print_column(data, count, "wait", print_wait);
	print_column(data, count, "waited", print_waited);
	fputs("}", data->out);
}

/* ---- steps and tasks ---- */

static long long known_or_0(int64_t count)
{
	return count >= 0 ? count : 0;
}

static void print_steps(struct data *data)
{
	size_t tasks_listed = 0;

	fputs(",\n\"stepRows\":[", data->out);
	for (size_t i = 0; i < data->report->steps.count; i++) {
		const struct report_step *step = &data->report->steps.items[i];

		fprintf(data->out, "%s{\"step\":%d,\"start\":", i ? ",\n" : "", number_of(&data->steps, step->id));
		print_moment(data, step->start);
		fputs(",\"end\":", data->out);
		print_moment(data, step->end);
		fputs(",\"tasks\":[", data->out);
		for (size_t t = 0; t < step->tasks.count && tasks_listed < TASKS_MAX; t++, tasks_listed++) {
			const struct report_task *task = &step->tasks.items[t];

			fprintf(data->out, "%s[%lld,%d,%lld]", t ? "," : "", known_or_0(task->rank),
				number_of(&data->nodes, task->node), known_or_0(task->pid));
		}
		fputs("]}", data->out);
	}
	fputs("]", data->out);
}

/* ---- series ---- */

static double value_at(const struct report_any_list *list, bool seconds, size_t i)
{
	return seconds ? report_s(((const struct report_seconds *)list->items)[i]) :
			 report_number(((const int64_t *)list->items)[i]);
}

/*
 * Prints one value for every @each samples: the highest for a level or an end, else their sum.
 * Prints seconds as milliseconds.
 */
static void print_joined(FILE *out, const struct report_any_list *list, size_t each, bool level, bool seconds, int figures)
{
	fputs("[", out);
	for (size_t i = 0; i < list->count; i += each) {
		double joined = NAN, value;

		for (size_t k = i; k < list->count && k < i + each; k++) {
			value = value_at(list, seconds, k);
			joined = level || isnan(joined) || isnan(value) ? fmax(joined, value) : joined + value;
		}
		if (i)
			fputc(',', out);
		print_rounded(out, seconds ? 1000 * joined : joined, figures);
	}
	fputs("]", out);
}

static void print_node_limits(struct data *data, const char *name)
{
	for (size_t i = 0; i < data->report->nodes.count; i++) {
		const struct report_node *node = &data->report->nodes.items[i];

		if (!report_text_is(node->name, name))
			continue;
		if (node->allocated.cpus >= 0)
			fprintf(data->out, ",\"cpus\":%lld", (long long)node->allocated.cpus);
		if (node->allocated.memory_bytes >= 0)
			fprintf(data->out, ",\"memory\":%lld", (long long)node->allocated.memory_bytes);
		return;
	}
}

static void print_columns(FILE *out, const struct report_columns *columns, size_t each)
{
	const struct report_object *table = report_table_columns();
	struct report_any_list list;

	fputs(",\n\"columns\":{\"none\":[]", out);
	for (size_t i = 0; i < table->count; i++) {
		const struct report_field *field = &table->fields[i];

		memcpy(&list, (const char *)columns + field->offset, sizeof(list));
		if (!list.known)
			continue;
		fprintf(out, ",\n\"%s\":", field->name);
		/* struct report_columns has the sums first, then the levels */
		print_joined(out, &list, each, field->offset >= offsetof(struct report_columns, memory_used_bytes),
			     field->type == REPORT_TYPE_SECONDS_LIST, SERIES_FIGURES);
	}
	fputs("}", out);
}

static void print_series_of(struct data *data, const struct report_series *series, size_t max)
{
	const struct report_any_list ends = { .items = series->end_offsets_s.items, .count = series->end_offsets_s.count };
	size_t each = (ends.count + max - 1) / max;

	if (each == 0)
		each = 1;
	fprintf(data->out, "{\"node\":%d,\"joined\":%zu,\"start\":", number_of(&data->nodes, series->node), each);
	print_moment(data, series->start);
	print_node_limits(data, series->node);
	fputs(",\n\"ends\":", data->out);
	print_joined(data->out, &ends, each, true, true, EXACT);
	print_columns(data->out, &series->columns, each);
	fputs("}", data->out);
}

static void print_series(struct data *data)
{
	size_t all = data->report->series.count, count = all < NODES_MAX ? all : NODES_MAX;
	size_t max = count ? POINTS_MAX / count : POINTS_MAX;

	fprintf(data->out, ",\n\"seriesAll\":%zu,\"series\":[", all);
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputs(",\n", data->out);
		print_series_of(data, &data->report->series.items[i], max > POINTS_MIN ? max : POINTS_MIN);
	}
	fputs("]", data->out);
}

/* ---- all of it ---- */

static void print_limits(struct data *data)
{
	const struct report *report = data->report;
	struct peak_memory peak;
	int64_t memory = 0;

	if (report->allocated.cpus >= 0)
		fprintf(data->out, ",\n\"cpus\":%lld", (long long)report->allocated.cpus);
	/* The chart shows the node that uses the most memory, so take the largest memory limit of a node. */
	for (size_t i = 0; i < report->nodes.count; i++)
		if (report->nodes.items[i].allocated.memory_bytes > memory)
			memory = report->nodes.items[i].allocated.memory_bytes;
	if (memory > 0)
		fprintf(data->out, ",\"memory\":%lld", (long long)memory);
	peak_memory_read(report, &peak);
	if (!isnan(peak.bytes))
		fprintf(data->out, ",\"memoryPeak\":%.0f", peak.bytes);
}

static char *data_text(const struct report *report, size_t *len)
{
	char *text = NULL;
	struct data data = { .report = report, .out = open_memstream(&text, len), .start_ms = first_moment(report) };

	if (!data.out)
		return NULL;
	fprintf(data.out, "{\"start\":%lld,\"end\":", (long long)data.start_ms);
	print_moment(&data, report->job.end);
	fputs(",\"zero\":", data.out);
	print_moment(&data, report->job.start);
	print_limits(&data);
	print_steps(&data);
	print_timeline(&data);
	print_series(&data);
	print_names(data.out, "tools", &data.tools);
	print_names(data.out, "steps", &data.steps);
	print_names(data.out, "nodes", &data.nodes);
	fputs("}\n", data.out);
	map_free(&data.tools);
	map_free(&data.steps);
	map_free(&data.nodes);
	if (fclose(data.out) == 0)
		return text;
	free(text);
	return NULL;
}

void html_data(const struct report *report, FILE *out)
{
	size_t len = 0;
	cleanup_free char *text = data_text(report, &len);
	cleanup_free char *packed = text ? gzip64(text, len, Z_DEFAULT_COMPRESSION) : NULL;

	if (packed)
		fputs(packed, out);
}
