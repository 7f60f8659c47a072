/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/timeline/trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "common/time_text.h"
#include "common/utf8.h"
#include "reports/json/field.h"
#include "reports/timeline/spans.h"
#include "reports/timeline/trace_lanes.h"

struct trace {
	FILE *out;
	struct json_object *report;
	struct spans spans;
	struct lanes lanes;
	const char *before; /* separates the next event from the one before */
};

/* Returns the tid for events of the node itself: the node's number, which is no job's process. */
static int64_t node_tid(size_t node)
{
	return (int64_t)node + 1;
}

/* ---- JSON ---- */

/* Prints @value as JSON, escaped so that nothing in it controls a terminal. */
static void print_value(FILE *out, struct json_object *value)
{
	const char *json = json_object_to_json_string_ext(value, JSON_C_TO_STRING_NOSLASHESCAPE);
	/*
	 * Most values are numbers, in which there is nothing to escape. A forged report can have an object in their
	 * place.
	 */
	bool as_it_is = json_object_is_type(value, json_type_int) || json_object_is_type(value, json_type_double);
	cleanup_free char *safe = as_it_is ? NULL : escape_json(json ? json : "null", NULL);

	fputs(as_it_is ? json : safe ? safe : "null", out);
}

static void print_text(FILE *out, const char *text)
{
	cleanup_json struct json_object *value = json_object_new_string(text);

	print_value(out, value);
}

/* Prints the begin of an event, which all events have. */
static void begin(struct trace *trace, const char *phase, const char *name, size_t node, int64_t tid)
{
	fprintf(trace->out, "%s\n{\"ph\":\"%s\",\"name\":", trace->before, phase);
	print_text(trace->out, name);
	fprintf(trace->out, ",\"pid\":%zu,\"tid\":%" PRId64, node + 1, tid);
	trace->before = ",";
}

static void print_moment(const struct trace *trace, int64_t at_us)
{
	fprintf(trace->out, ",\"ts\":%" PRId64, at_us > trace->spans.start_us ? at_us - trace->spans.start_us : 0);
}

/* ---- names ---- */

static void name_with_text(struct trace *trace, const char *what, size_t node, int64_t tid, const char *text)
{
	begin(trace, "M", what, node, tid);
	fputs(",\"args\":{\"name\":", trace->out);
	print_text(trace->out, text);
	fputs("}}", trace->out);
}

static void name_with_index(struct trace *trace, const char *what, size_t node, int64_t tid, size_t index)
{
	begin(trace, "M", what, node, tid);
	fprintf(trace->out, ",\"args\":{\"sort_index\":%zu}}", index);
}

static void name_nodes(struct trace *trace)
{
	for (size_t i = 0; i < trace->spans.node_count; i++) {
		const char *name = trace->spans.nodes[i];

		name_with_text(trace, "process_name", i, node_tid(i), *name ? name : "node not known");
		name_with_index(trace, "process_sort_index", i, node_tid(i), i);
	}
}

static void name_lanes(struct trace *trace)
{
	for (size_t i = 0; i < trace->lanes.count; i++) {
		const struct lane *lane = &trace->lanes.list[i];
		const struct span *span = &trace->spans.list[lane->last];
		char name[512];

		snprintf(name, sizeof(name), "%.400s%s%.40s%s", span->tool, *span->step ? ", step " : "", span->step,
			 span->count > 1 ? ", bursts" : "");
		utf8_finish(name);
		name_with_text(trace, "thread_name", span->node, lane->id, name);
		name_with_index(trace, "thread_sort_index", span->node, lane->id, i);
	}
}

/* ---- the timeline ---- */

static void print_args(FILE *out, const struct span *span)
{
	static const char *const names[] = { "step",	    "interpreter", "pid",	 "ppid",   "forked", "dismissed", "living",
					     "count",	    "exit_code",   "signal",	 "cpu_s",  "wall_s", "peak_bytes",
					     "read_bytes", "write_bytes" };
	const char *before = "";

	fputs(",\"args\":{", out);
	if (field_find(span->entry, "failures")) {
		fprintf(out, "\"failures\":%" PRId64, span->failures);
		before = ",";
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct json_object *value = field_find(span->entry, names[i]);

		if (!value)
			continue;
		fprintf(out, "%s\"%s\":", before, names[i]);
		print_value(out, value);
		before = ",";
	}
	fputs("}}", out);
}

static void trace_spans(struct trace *trace)
{
	for (size_t i = 0; i < trace->spans.count; i++) {
		const struct span *span = &trace->spans.list[i];
		const struct place *place = &trace->lanes.places[i];

		begin(trace, "X", span->tool, span->node, trace->lanes.list[place->lane].id);
		print_moment(trace, place->start_us);
		fprintf(trace->out, ",\"dur\":%" PRId64 ",\"cat\":\"%s\"", place->length_us,
			span->count > 1 ? "burst" : span->slurm ? "slurm" : "run");
		print_args(trace->out, span);
	}
}

/* ---- the series ---- */

struct counter {
	const char *name;
	struct {
		const char *column, *word;
	} parts[2];
	/* a level, valid at the point's end; else a sum over the point, shown as a rate from its start on */
	bool level;
};

static const struct counter counters[] = {
	{ "CPU cores busy", { { "cpu_s", "cores" } }, false },
	{ "memory", { { "memory_used_bytes", "used_bytes" }, { "memory_cache_bytes", "cache_bytes" } }, true },
	{ "storage per second", { { "read_bytes", "read_bytes" }, { "write_bytes", "write_bytes" } }, false },
	{ "sockets per second", { { "socket_rx_bytes", "rx_bytes" }, { "socket_tx_bytes", "tx_bytes" } }, false },
};

struct point {
	size_t node, index;
	int64_t start_us, end_us;
};

static void print_number(FILE *out, double value)
{
	/* Six digits of cores, whole bytes: more is noise. */
	fprintf(out, value >= 1000 ? "%.0f" : "%.6g", value);
}

/* Prints a counter's event. Values that are not known are left out; without any, there is no event. */
static void trace_counter(struct trace *trace, const struct counter *counter, struct json_object *columns,
			  const struct point *point)
{
	double length_s = (double)(point->end_us - point->start_us) / (double)US_PER_S;
	const char *before = "";

	for (size_t i = 0; i < sizeof(counter->parts) / sizeof(counter->parts[0]); i++) {
		const char *name = counter->parts[i].column;
		struct json_object *column = name ? field_typed(columns, name, json_type_array) : NULL;
		struct json_object *value = column ? json_object_array_get_idx(column, point->index) : NULL;

		double number;

		if (!value || (!counter->level && length_s <= 0))
			continue;
		number = json_object_get_double(value) / (counter->level ? 1 : length_s);
		if (!isfinite(number))
			continue; /* JSON cannot write it */
		if (!*before) {
			begin(trace, "C", counter->name, point->node, node_tid(point->node));
			print_moment(trace, counter->level ? point->end_us : point->start_us);
			fputs(",\"args\":{", trace->out);
		}
		fprintf(trace->out, "%s\"%s\":", before, counter->parts[i].word);
		print_number(trace->out, number);
		before = ",";
	}
	if (*before)
		fputs("}}", trace->out);
}

/* A counter keeps its last value. So rates are set to 0 behind the last point. */
static void end_counters(struct trace *trace, size_t node, int64_t end_us, struct json_object *columns)
{
	for (size_t c = 0; c < sizeof(counters) / sizeof(counters[0]); c++) {
		const char *before = "";

		if (counters[c].level || !field_find(columns, counters[c].parts[0].column))
			continue;
		begin(trace, "C", counters[c].name, node, node_tid(node));
		print_moment(trace, end_us);
		fputs(",\"args\":{", trace->out);
		for (size_t i = 0; i < 2 && counters[c].parts[i].word; i++, before = ",")
			fprintf(trace->out, "%s\"%s\":0", before, counters[c].parts[i].word);
		fputs("}}", trace->out);
	}
}

static void trace_series(struct trace *trace, struct json_object *series)
{
	struct json_object *columns = field_typed(series, "columns", json_type_object);
	struct json_object *ends = field_typed(series, "end_offsets_s", json_type_array);
	int64_t start, node = spans_node(&trace->spans, field_text(series, "node"));
	struct point point = { .node = (size_t)node };

	if (node < 0 || !columns || !time_parse(field_text(series, "start"), &start))
		return;
	point.end_us = start;
	for (point.index = 0; point.index < field_length(ends); point.index++) {
		double end = json_object_get_double(json_object_array_get_idx(ends, point.index));

		point.start_us = point.end_us;
		if (end >= 0 && end < 1e11)
			point.end_us = start + (int64_t)(end * (double)US_PER_S + 0.5);
		for (size_t c = 0; c < sizeof(counters) / sizeof(counters[0]); c++)
			trace_counter(trace, &counters[c], columns, &point);
	}
	end_counters(trace, point.node, point.end_us, columns);
}

/* ---- events of one moment ---- */

static void trace_oom(struct trace *trace, struct json_object *kill)
{
	static const char *const names[] = { "tool", "comm", "pid", "step", "used_bytes", "rss_bytes", "limit_bytes" };
	int64_t at, node = spans_node(&trace->spans, field_text(kill, "node"));

	if (node < 0 || !time_parse(field_text(kill, "time"), &at))
		return;
	begin(trace, "i", "killed: out of memory", (size_t)node, node_tid((size_t)node));
	print_moment(trace, at);
	fputs(",\"s\":\"p\",\"cat\":\"oom\",\"args\":{", trace->out);
	for (size_t i = 0, printed = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct json_object *value = field_find(kill, names[i]);

		if (!value)
			continue;
		fprintf(trace->out, "%s\"%s\":", printed++ ? "," : "", names[i]);
		print_value(trace->out, value);
	}
	fputs("}}", trace->out);
}

static void trace_finding(struct trace *trace, struct json_object *finding)
{
	const char *code = field_text(finding, "code"), *severity = field_text(finding, "severity");
	const char *hint = field_text(finding, "hint");
	char name[128];

	if (!code)
		return;
	snprintf(name, sizeof(name), "finding: %.100s", code);
	utf8_finish(name);
	begin(trace, "i", name, 0, node_tid(0));
	print_moment(trace, trace->spans.end_us);
	fputs(",\"s\":\"g\",\"cat\":\"finding\",\"args\":{\"severity\":", trace->out);
	print_text(trace->out, severity ? severity : "");
	fputs(",\"hint\":", trace->out);
	print_text(trace->out, hint ? hint : "");
	fputs("}}", trace->out);
}

static void trace_list(struct trace *trace, const char *list, void (*print)(struct trace *, struct json_object *))
{
	struct json_object *array = field_typed(trace->report, list, json_type_array);

	for (size_t i = 0; i < field_length(array); i++)
		print(trace, json_object_array_get_idx(array, i));
}

/* ---- the whole trace ---- */

static void trace_other(struct trace *trace)
{
	static const char *const names[] = { "job.id", "job.array_job_id", "job.array_task_id", "job.cluster",
					     "job.name", "job.attempt", "job.workflow.engine", "job.workflow.process",
					     "job.workflow.rule", "job.workflow.group", "job.workflow.tag",
					     "job.workflow.wildcards", "mode", "complete" };
	char start[TIME_TEXT];

	fprintf(trace->out, "\n],\"displayTimeUnit\":\"ms\",\"otherData\":{\"start\":\"%s\"",
		time_text(trace->spans.start_us * (NS_PER_S / US_PER_S), start));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct json_object *value = field_find(trace->report, names[i]);

		if (!value)
			continue;
		fprintf(trace->out, ",\"%s\":", names[i]);
		print_value(trace->out, value);
	}
	fputs("}}\n", trace->out);
}

int trace_write(struct json_object *report, FILE *out, struct error *err)
{
	struct trace trace = { .out = out, .report = report, .before = "" };
	int result = spans_read(&trace.spans, report, err);

	if (result == 0)
		result = lanes_make(&trace.lanes, &trace.spans, err);
	if (result == 0) {
		fputs("{\"traceEvents\":[", out);
		name_nodes(&trace);
		name_lanes(&trace);
		trace_spans(&trace);
		trace_list(&trace, "series", trace_series);
		trace_list(&trace, "oom", trace_oom);
		trace_list(&trace, "findings", trace_finding);
		trace_other(&trace);
	}
	lanes_free(&trace.lanes);
	spans_free(&trace.spans);
	return result;
}
