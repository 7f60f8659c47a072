/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data that the pictures are drawn from. Timeline and series are most of a report. So they are stored here by
 * column, with whole numbers, names replaced by numbers, and compressed by zlib.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/cleanup.h"
#include "reports/html/html_internal.h"
#include "reports/json/field.h"
#include "reports/json/gzip64.h"

#define ENTRIES_MAX 100000 /* the collector keeps fewer; a forged report may have any number */
#define MANY 20000         /* from so many entries on, numbers are rounded more */
#define TASKS_MAX 20000
#define POINTS_MAX 4096 /* over all nodes */
#define POINTS_MIN 32    /* for each node */
#define NODES_MAX 128
#define SERIES_FIGURES 4
#define EXACT 15

/* Names and their numbers, in the order in which they were first seen. */
struct names {
	struct json_object *numbers;
	int count;
};

static int number_of(struct names *names, const char *name)
{
	struct json_object *number;

	if (!name)
		return -1;
	if (json_object_object_get_ex(names->numbers, name, &number))
		return json_object_get_int(number);
	json_object_object_add(names->numbers, name, json_object_new_int(names->count));
	return names->count++;
}

struct data {
	struct json_object *report;
	FILE *out;
	int64_t start_ms; /* all times count from here */
	int figures;      /* significant digits of the timeline's numbers */
	struct names tools, steps, nodes;
};

static void print_names(FILE *out, const char *key, const struct names *names)
{
	const char *before = "";

	fprintf(out, ",\n\"%s\":[", key);
	json_object_object_foreach(names->numbers, name, number) {
		struct json_object *text = html_json_text(name);

		(void)number;
		fprintf(out, "%s%s", before, json_object_to_json_string_ext(text, JSON_C_TO_STRING_PLAIN));
		json_object_put(text);
		before = ",";
	}
	fputs("]", out);
}

/* ---- times ---- */

static void earlier(int64_t *start_ms, struct json_object *from, const char *name)
{
	int64_t ms = html_time(from, name);

	if (ms != INT64_MIN && (*start_ms == INT64_MIN || ms < *start_ms))
		*start_ms = ms;
}

/* Returns the first moment that the report has anything about. */
static int64_t first_moment(struct json_object *report)
{
	static const char *const lists[] = { "timeline", "steps", "series" };
	int64_t start_ms = INT64_MIN;

	earlier(&start_ms, report, "job.start");
	for (size_t l = 0; l < sizeof(lists) / sizeof(lists[0]); l++) {
		struct json_object *list = field_typed(report, lists[l], json_type_array);

		for (size_t i = 0; i < field_length(list); i++)
			earlier(&start_ms, json_object_array_get_idx(list, i), "start");
	}
	return start_ms == INT64_MIN ? 0 : start_ms;
}

/* Prints milliseconds since the first moment; null: not known. */
static void print_moment(const struct data *data, struct json_object *from, const char *name)
{
	int64_t ms = html_time(from, name);

	if (ms == INT64_MIN)
		fputs("null", data->out);
	else
		fprintf(data->out, "%lld", (long long)(ms - data->start_ms));
}

/* ---- timeline ---- */

/* Rounds to @figures digits: a picture shows no more, and fewer digits take less space. */
static double rounded(double value, int figures)
{
	double unit = value < pow(10, figures) ? 1 : pow(10, floor(log10(value)) - figures + 1);

	return round(value / unit) * unit;
}

/* Prints milliseconds from the entry's start to its end, or to now where it still runs; null: its end is not known. */
static void print_length(struct data *data, struct json_object *entry)
{
	int64_t start = html_time(entry, "start"), end = html_time(entry, "end");
	double wall_s;

	if (end == INT64_MIN && field_true(entry, "living") && field_number(entry, "wall_s", &wall_s) && wall_s < 1e12)
		fprintf(data->out, "%.0f", 1000 * wall_s);
	else if (start == INT64_MIN || end == INT64_MIN)
		fputs("null", data->out);
	else
		fprintf(data->out, "%lld", (long long)(end > start ? end - start : 0));
}

static void print_tool(struct data *data, struct json_object *entry)
{
	fprintf(data->out, "%d", number_of(&data->tools, field_text(entry, "tool")));
}

static void print_step(struct data *data, struct json_object *entry)
{
	fprintf(data->out, "%d", number_of(&data->steps, field_text(entry, "step")));
}

static void print_node(struct data *data, struct json_object *entry)
{
	fprintf(data->out, "%d", number_of(&data->nodes, field_text(entry, "node")));
}

static void print_scaled(struct data *data, struct json_object *entry, const char *name, double scale)
{
	double value;

	if (field_number(entry, name, &value) && isfinite(value * scale))
		fprintf(data->out, "%.0f", rounded(value * scale, data->figures));
	else
		fputs("null", data->out);
}

static double group_seconds(struct json_object *states, const struct html_state *group)
{
	double sum = 0, value;

	for (size_t i = 0; i < sizeof(group->fields) / sizeof(group->fields[0]) && group->fields[i]; i++)
		if (field_number(states, group->fields[i], &value))
			sum += value;
	return sum;
}

/*
 * Returns what the entry's threads waited for most; time on a CPU is left out, since it is the CPU time. Returns -1
 * when they did not wait.
 */
static int longest_wait(struct json_object *entry, double *seconds)
{
	struct json_object *states = field_typed(entry, "states", json_type_object);
	int longest = -1;

	*seconds = 0;
	for (int group = 1; group < HTML_STATES; group++) {
		double sum = group_seconds(states, &html_state_groups[group]);

		if (sum > *seconds) {
			*seconds = sum;
			longest = group;
		}
	}
	return longest;
}

/* Prints the kind of entry as bits: 1 forked, 2 dismissed, 4 living, 8 what Slurm itself ran. */
static void print_kind(struct data *data, struct json_object *entry)
{
	fprintf(data->out, "%d", field_true(entry, "forked") + 2 * field_true(entry, "dismissed") +
		4 * field_true(entry, "living") + 8 * field_true(entry, "slurm"));
}

/* Only runs fail: forks and dismissed entries have no failures, however they ended. */
static void print_failures(struct data *data, struct json_object *entry)
{
	if (field_true(entry, "forked") || field_true(entry, "dismissed"))
		fputs("0", data->out);
	else
		print_scaled(data, entry, "failures", 1);
}

static void print_wait(struct data *data, struct json_object *entry)
{
	double seconds;

	fprintf(data->out, "%d", longest_wait(entry, &seconds));
}

static void print_waited(struct data *data, struct json_object *entry)
{
	double seconds;

	longest_wait(entry, &seconds);
	fprintf(data->out, "%.0f", isfinite(1000 * seconds) ? rounded(1000 * seconds, data->figures) : 0);
}

/* Columns for an entry's numbers: milliseconds, KiB, or unchanged. */
static const struct {
	const char *key, *field;
	double scale;
} entry_numbers[] = {
	{ "count", "count", 1 },
	{ "code", "exit_code", 1 },
	{ "signal", "signal", 1 },
	{ "wall", "wall_s", 1000 },
	{ "cpu", "cpu_s", 1000 },
	{ "peak", "peak_bytes", 1 / 1024.0 },
	{ "read", "read_bytes", 1 / 1024.0 },
	{ "write", "write_bytes", 1 / 1024.0 },
};

/* Prints one column: what @print prints for each entry. */
static void print_column(struct data *data, struct json_object *list, size_t count, const char *key,
			 void (*print)(struct data *data, struct json_object *entry))
{
	fprintf(data->out, ",\n\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputc(',', data->out);
		print(data, json_object_array_get_idx(list, i));
	}
	fputs("]", data->out);
}

static void print_numbers(struct data *data, struct json_object *list, size_t count, size_t number)
{
	fprintf(data->out, ",\n\"%s\":[", entry_numbers[number].key);
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputc(',', data->out);
		print_scaled(data, json_object_array_get_idx(list, i), entry_numbers[number].field,
			     entry_numbers[number].scale);
	}
	fputs("]", data->out);
}

/* Prints a column of numbers that mostly ascend, each as its difference to the one before. null: not known. */
static void print_steps_of(struct data *data, struct json_object *list, size_t count, const char *key,
			   bool (*read)(const struct data *data, struct json_object *entry, int64_t *value))
{
	int64_t before = 0, value;

	fprintf(data->out, ",\n\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputc(',', data->out);
		if (read(data, json_object_array_get_idx(list, i), &value)) {
			fprintf(data->out, "%lld", (long long)(value - before));
			before = value;
		} else {
			fputs("null", data->out);
		}
	}
	fputs("]", data->out);
}

static bool read_start(const struct data *data, struct json_object *entry, int64_t *value)
{
	int64_t ms = html_time(entry, "start");

	if (ms == INT64_MIN)
		return false;
	*value = ms - data->start_ms;
	return true;
}

static bool read_pid(const struct data *data, struct json_object *entry, int64_t *value)
{
	(void)data;
	return field_count(entry, "pid", value);
}

static bool read_ppid(const struct data *data, struct json_object *entry, int64_t *value)
{
	(void)data;
	return field_count(entry, "ppid", value);
}

static void print_timeline(struct data *data)
{
	struct json_object *list = field_typed(data->report, "timeline", json_type_array);
	size_t all = field_length(list), count = all < ENTRIES_MAX ? all : ENTRIES_MAX;

	data->figures = count > MANY ? 2 : 3;
	fprintf(data->out, ",\n\"timeline\":{\"all\":%zu", all);
	print_column(data, list, count, "tool", print_tool);
	print_column(data, list, count, "step", print_step);
	print_column(data, list, count, "node", print_node);
	print_steps_of(data, list, count, "start", read_start);
	print_column(data, list, count, "length", print_length);
	print_steps_of(data, list, count, "pid", read_pid);
	print_steps_of(data, list, count, "ppid", read_ppid);
	for (size_t i = 0; i < sizeof(entry_numbers) / sizeof(entry_numbers[0]); i++)
		print_numbers(data, list, count, i);
	print_column(data, list, count, "kind", print_kind);
	print_column(data, list, count, "failures", print_failures);
	print_column(data, list, count, "wait", print_wait);
	print_column(data, list, count, "waited", print_waited);
	fputs("}", data->out);
}

/* ---- steps and tasks ---- */

static void print_steps(struct data *data)
{
	struct json_object *steps = field_typed(data->report, "steps", json_type_array);
	size_t tasks_listed = 0;

	fputs(",\n\"stepRows\":[", data->out);
	for (size_t i = 0; i < field_length(steps); i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);
		struct json_object *tasks = field_typed(step, "tasks", json_type_array);
		const char *before = "";

		fprintf(data->out, "%s{\"step\":%d,\"start\":", i ? ",\n" : "",
			number_of(&data->steps, field_text(step, "id")));
		print_moment(data, step, "start");
		fputs(",\"end\":", data->out);
		print_moment(data, step, "end");
		fputs(",\"tasks\":[", data->out);
		for (size_t t = 0; t < field_length(tasks) && tasks_listed < TASKS_MAX; t++, tasks_listed++) {
			struct json_object *task = json_object_array_get_idx(tasks, t);
			int64_t rank = 0, pid = 0;

			field_count(task, "rank", &rank);
			field_count(task, "pid", &pid);
			fprintf(data->out, "%s[%lld,%d,%lld]", before, (long long)rank,
				number_of(&data->nodes, field_text(task, "node")), (long long)pid);
			before = ",";
		}
		fputs("]}", data->out);
	}
	fputs("]", data->out);
}

/* ---- series ---- */

static bool is_level(const char *name)
{
	return strncmp(name, "memory_", 7) == 0 ? strstr(name, "_bytes") != NULL :
	       strcmp(name, "processes") == 0 || strcmp(name, "threads") == 0;
}

static bool value_at(struct json_object *list, size_t i, double *value)
{
	struct json_object *one = json_object_array_get_idx(list, i);

	if (!json_object_is_type(one, json_type_int) && !json_object_is_type(one, json_type_double))
		return false;
	*value = json_object_get_double(one);
	return true;
}

/* Joins each @each points: takes the last end or the highest level, or adds up sums. Seconds become milliseconds. */
static void print_joined(FILE *out, struct json_object *list, size_t each, bool level, double scale,
			 int figures)
{
	size_t length = field_length(list);

	fputs("[", out);
	for (size_t i = 0; i < length; i += each) {
		double joined = 0, value;
		bool known = false;

		for (size_t k = i; k < length && k < i + each; k++)
			if (value_at(list, k, &value)) {
				known = true;
				joined = level ? fmax(joined, value) : joined + value;
			}
		if (i)
			fputc(',', out);
		if (known && isfinite(joined * scale))
			fprintf(out, "%.0f", rounded(joined * scale, figures));
		else
			fputs("null", out);
	}
	fputs("]", out);
}

/* Prints what was allocated on the series' node, for the charts of that node alone. */
static void print_node_limits(struct data *data, const char *name)
{
	struct json_object *nodes = field_typed(data->report, "nodes", json_type_array);
	double value;

	for (size_t i = 0; name && i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		const char *other = field_text(node, "name");

		if (!other || strcmp(other, name) != 0)
			continue;
		if (field_number(node, "allocated.cpus", &value))
			fprintf(data->out, ",\"cpus\":%.0f", value);
		if (field_number(node, "allocated.memory_bytes", &value))
			fprintf(data->out, ",\"memory\":%.0f", value);
		return;
	}
}

static void print_series_of(struct data *data, struct json_object *series, size_t max)
{
	struct json_object *ends = field_typed(series, "end_offsets_s", json_type_array);
	struct json_object *columns = field_typed(series, "columns", json_type_object);
	size_t each = (field_length(ends) + max - 1) / max;

	if (each == 0)
		each = 1;
	fprintf(data->out, "{\"node\":%d,\"joined\":%zu,\"start\":", number_of(&data->nodes, field_text(series, "node")),
		each);
	print_moment(data, series, "start");
	print_node_limits(data, field_text(series, "node"));
	fputs(",\n\"ends\":", data->out);
	print_joined(data->out, ends, each, true, 1000, EXACT);
	fputs(",\n\"columns\":{\"none\":[]", data->out);
	if (columns) {
		json_object_object_foreach(columns, name, list) {
			struct json_object *text = json_object_new_string(name);
			bool seconds = strlen(name) > 2 && strcmp(name + strlen(name) - 2, "_s") == 0;

			fprintf(data->out, ",\n%s:", json_object_to_json_string_ext(text, JSON_C_TO_STRING_PLAIN));
			json_object_put(text);
			print_joined(data->out, json_object_is_type(list, json_type_array) ? list : NULL, each,
				     is_level(name), seconds ? 1000 : 1, SERIES_FIGURES);
		}
	}
	fputs("}}", data->out);
}

static void print_series(struct data *data)
{
	struct json_object *list = field_typed(data->report, "series", json_type_array);
	size_t all = field_length(list), count = all < NODES_MAX ? all : NODES_MAX;
	size_t max = count ? POINTS_MAX / count : POINTS_MAX;

	fprintf(data->out, ",\n\"seriesAll\":%zu,\"series\":[", all);
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputs(",\n", data->out);
		print_series_of(data, json_object_array_get_idx(list, i), max > POINTS_MIN ? max : POINTS_MIN);
	}
	fputs("]", data->out);
}

/* ---- all of it ---- */

static void print_limits(struct data *data)
{
	double cpus, memory = 0, one;
	struct json_object *nodes = field_typed(data->report, "nodes", json_type_array);

	if (field_number(data->report, "allocated.cpus", &cpus))
		fprintf(data->out, ",\n\"cpus\":%.0f", cpus);
	/* Charts show the highest node of a level. So the limit is that of the node with most memory. */
	for (size_t i = 0; i < field_length(nodes); i++)
		if (field_number(json_object_array_get_idx(nodes, i), "allocated.memory_bytes", &one))
			memory = fmax(memory, one);
	if (memory > 0)
		fprintf(data->out, ",\"memory\":%.0f", memory);
	if (field_number(data->report, "used.memory_used_peak_bytes", &one))
		fprintf(data->out, ",\"memoryPeak\":%.0f", one);
}

/* Returns the data as JSON, to be freed; NULL when memory is short. */
static char *data_text(struct json_object *report, size_t *len)
{
	char *text = NULL;
	struct data data = {
		.report = report,
		.out = open_memstream(&text, len),
		.start_ms = first_moment(report),
		.tools.numbers = json_object_new_object(),
		.steps.numbers = json_object_new_object(),
		.nodes.numbers = json_object_new_object(),
	};

	if (data.out) {
		fprintf(data.out, "{\"start\":%lld,\"end\":", (long long)data.start_ms);
		print_moment(&data, report, "job.end");
		fputs(",\"zero\":", data.out);
		print_moment(&data, report, "job.start");
		print_limits(&data);
		print_steps(&data);
		print_timeline(&data);
		print_series(&data);
		print_names(data.out, "tools", &data.tools);
		print_names(data.out, "steps", &data.steps);
		print_names(data.out, "nodes", &data.nodes);
		fputs("}\n", data.out);
		if (fclose(data.out) != 0) {
			free(text);
			text = NULL;
		}
	}
	json_object_put(data.tools.numbers);
	json_object_put(data.steps.numbers);
	json_object_put(data.nodes.numbers);
	return text;
}

void html_data(struct json_object *report, FILE *out)
{
	size_t len = 0;
	cleanup_free char *text = data_text(report, &len);
	cleanup_free char *packed = text ? gzip64(text, len, Z_DEFAULT_COMPRESSION) : NULL;

	if (packed)
		fputs(packed, out);
}
