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
#include "reports/model/report_values.h"
#include "reports/timeline/column.h"
#include "reports/timeline/spans.h"
#include "reports/timeline/trace_lanes.h"

struct trace {
	FILE *out;
	const struct report *report;
	struct spans spans;
	struct lanes lanes;
	const char *before; /* separates the next event from the previous one */
};

/* Returns the tid for events of a node. No process of a job has such a small pid. */
static int64_t node_tid(size_t node)
{
	return (int64_t)node + 1;
}

/* ---- JSON ---- */

static bool is_plain(const char *text)
{
	while (*text >= ' ' && *text <= '~' && *text != '"' && *text != '\\')
		text++;
	return !*text;
}

static void print_text(FILE *out, const char *text)
{
	cleanup_free char *json = NULL, *safe = NULL;
	FILE *memory;
	size_t len;

	if (is_plain(text)) {
		fprintf(out, "\"%s\"", text);
		return;
	}
	memory = open_memstream(&json, &len);
	if (memory)
		values_print_text(text, memory);
	if (memory && fclose(memory) == 0)
		safe = escape_json(json, NULL);
	fputs(safe ? safe : "null", out);
}

/* A member that an event prints, as a struct report_field. */
#define MEMBER(object, type, member) \
	{ #member, sizeof(#member) - 1, offsetof(struct object, member), REPORT_TYPE_##type, NULL }

static void print_members(FILE *out, const struct report_field *fields, size_t count, const void *object, const char *before)
{
	for (size_t i = 0; i < count; i++) {
		const void *member = (const char *)object + fields[i].offset;

		if (!values_known(fields[i].type, member) ||
		    (fields[i].type == REPORT_TYPE_LIMIT && *(const int64_t *)member == REPORT_NONE))
			continue;
		fprintf(out, "%s\"%s\":", before, fields[i].name);
		if (fields[i].type == REPORT_TYPE_TEXT)
			print_text(out, *(const char *const *)member);
		else
			values_print(fields[i].type, member, out);
		before = ",";
	}
}

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
	static const struct report_field fields[] = {
		MEMBER(report_entry, TEXT, step),	   MEMBER(report_entry, TEXT, interpreter),
		MEMBER(report_entry, COUNT, pid),	   MEMBER(report_entry, COUNT, ppid),
		MEMBER(report_entry, MARK, forked),	   MEMBER(report_entry, MARK, dismissed),
		MEMBER(report_entry, MARK, living),	   MEMBER(report_entry, COUNT, count),
		MEMBER(report_entry, COUNT, exit_code),	   MEMBER(report_entry, COUNT, signal),
		MEMBER(report_entry, SECONDS, cpu_s),	   MEMBER(report_entry, SECONDS, wall_s),
		MEMBER(report_entry, COUNT, peak_bytes),   MEMBER(report_entry, COUNT, read_bytes),
		MEMBER(report_entry, COUNT, write_bytes),
	};
	bool failures = span->entry->failures >= 0;

	fputs(",\"args\":{", out);
	if (failures)
		fprintf(out, "\"failures\":%" PRId64, span->failures);
	print_members(out, fields, sizeof(fields) / sizeof(fields[0]), span->entry, failures ? "," : "");
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
		struct column column;
		const char *word;
	} parts[2];
	/*
	 * true: a level, valid at the sample's end
	 * false: a sum over the sample, shown as a rate from the sample's start
	 */
	bool level;
};

static const struct counter counters[] = {
	{ "CPU cores busy", { { COLUMN_S(cpu_s), "cores" } }, false },
	{ "memory", { { COLUMN(memory_used_bytes), "used_bytes" }, { COLUMN(memory_cache_bytes), "cache_bytes" } }, true },
	{ "storage per second", { { COLUMN(read_bytes), "read_bytes" }, { COLUMN(write_bytes), "write_bytes" } }, false },
	{ "sockets per second", { { COLUMN(socket_rx_bytes), "rx_bytes" }, { COLUMN(socket_tx_bytes), "tx_bytes" } }, false },
};

struct point {
	size_t node, index;
	int64_t start_us, end_us;
};

static void print_number(FILE *out, double value)
{
	/* Print six digits for cores, and whole bytes. More digits are noise. */
	fprintf(out, value >= 1000 ? "%.0f" : "%.6g", value);
}

static void trace_counter(struct trace *trace, const struct counter *counter, const struct report_columns *columns,
			  const struct point *point)
{
	double length_s = (double)(point->end_us - point->start_us) / (double)US_PER_S;
	const char *before = "";

	for (size_t i = 0; i < sizeof(counter->parts) / sizeof(counter->parts[0]); i++) {
		double number = column_value(columns, &counter->parts[i].column, point->index);

		if (!counter->level)
			number = length_s > 0 ? number / length_s : NAN;
		if (!isfinite(number))
			continue; /* not known: JSON has no NAN */
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

/* Sets rates to 0 after the last sample, because viewers keep a counter's last value. */
static void end_counters(struct trace *trace, size_t node, int64_t end_us, const struct report_columns *columns)
{
	for (size_t c = 0; c < sizeof(counters) / sizeof(counters[0]); c++) {
		const char *before = "";

		if (counters[c].level || !column_list(columns, &counters[c].parts[0].column).known)
			continue;
		begin(trace, "C", counters[c].name, node, node_tid(node));
		print_moment(trace, end_us);
		fputs(",\"args\":{", trace->out);
		for (size_t i = 0; i < 2 && counters[c].parts[i].word; i++, before = ",")
			fprintf(trace->out, "%s\"%s\":0", before, counters[c].parts[i].word);
		fputs("}}", trace->out);
	}
}

static void trace_series(struct trace *trace, const struct report_series *series)
{
	const struct report_columns *columns = &series->columns;
	const struct report_times *ends = &series->end_offsets_s;
	int64_t start, node = spans_node(&trace->spans, series->node);
	struct point point = { .node = (size_t)node };

	if (node < 0 || !columns->known || !time_parse(series->start, &start))
		return;
	point.end_us = start;
	for (point.index = 0; point.index < ends->count; point.index++) {
		double end = report_s(ends->items[point.index]);

		point.start_us = point.end_us;
		if (end >= 0 && end < 1e11)
			point.end_us = start + (int64_t)(end * (double)US_PER_S + 0.5);
		for (size_t c = 0; c < sizeof(counters) / sizeof(counters[0]); c++)
			trace_counter(trace, &counters[c], columns, &point);
	}
	end_counters(trace, point.node, point.end_us, columns);
}

/* ---- events of one moment ---- */

static void trace_oom(struct trace *trace, const struct report_oom_kill *kill)
{
	static const struct report_field fields[] = {
		MEMBER(report_oom_kill, TEXT, tool),	    MEMBER(report_oom_kill, TEXT, comm),
		MEMBER(report_oom_kill, COUNT, pid),	    MEMBER(report_oom_kill, TEXT, step),
		MEMBER(report_oom_kill, COUNT, used_bytes), MEMBER(report_oom_kill, COUNT, rss_bytes),
		MEMBER(report_oom_kill, COUNT, limit_bytes),
	};
	int64_t at, node = spans_node(&trace->spans, kill->node);

	if (node < 0 || !time_parse(kill->time, &at))
		return;
	begin(trace, "i", "killed: out of memory", (size_t)node, node_tid((size_t)node));
	print_moment(trace, at);
	fputs(",\"s\":\"p\",\"cat\":\"oom\",\"args\":{", trace->out);
	print_members(trace->out, fields, sizeof(fields) / sizeof(fields[0]), kill, "");
	fputs("}}", trace->out);
}

static void trace_finding(struct trace *trace, const struct report_finding *finding)
{
	char name[128];

	if (!finding->code)
		return;
	snprintf(name, sizeof(name), "finding: %.100s", finding->code);
	utf8_finish(name);
	begin(trace, "i", name, 0, node_tid(0));
	print_moment(trace, trace->spans.end_us);
	fputs(",\"s\":\"g\",\"cat\":\"finding\",\"args\":{\"severity\":", trace->out);
	print_text(trace->out, finding->severity ? finding->severity : "");
	fputs(",\"hint\":", trace->out);
	print_text(trace->out, finding->hint ? finding->hint : "");
	fputs("}}", trace->out);
}

/* ---- the whole trace ---- */

static void trace_other(struct trace *trace)
{
	static const struct report_field fields[] = {
		MEMBER(report, COUNT, job.id),
		MEMBER(report, LIMIT, job.array_job_id),
		MEMBER(report, LIMIT, job.array_task_id),
		MEMBER(report, TEXT, job.cluster),
		MEMBER(report, TEXT, job.name),
		MEMBER(report, COUNT, job.attempt),
		MEMBER(report, TEXT, job.workflow.engine),
		MEMBER(report, TEXT, job.workflow.process),
		MEMBER(report, TEXT, job.workflow.rule),
		MEMBER(report, TEXT, job.workflow.group),
		MEMBER(report, TEXT, job.workflow.tag),
		MEMBER(report, TEXT, job.workflow.wildcards),
		MEMBER(report, TEXT, mode),
		MEMBER(report, FLAG, complete),
	};
	char start[TIME_TEXT];

	fprintf(trace->out, "\n],\"displayTimeUnit\":\"ms\",\"otherData\":{\"start\":\"%s\"",
		time_text(trace->spans.start_us * (NS_PER_S / US_PER_S), start));
	print_members(trace->out, fields, sizeof(fields) / sizeof(fields[0]), trace->report, ",");
	fputs("}}\n", trace->out);
}

int trace_write(const struct report *report, FILE *out, struct error *err)
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
		for (size_t i = 0; i < report->series.count; i++)
			trace_series(&trace, &report->series.items[i]);
		for (size_t i = 0; i < report->oom.count; i++)
			trace_oom(&trace, &report->oom.items[i]);
		for (size_t i = 0; i < report->findings.count; i++)
			trace_finding(&trace, &report->findings.items[i]);
		trace_other(&trace);
	}
	lanes_free(&trace.lanes);
	spans_free(&trace.spans);
	return result;
}
