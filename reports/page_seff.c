/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines that seff prints, in its order; on a terminal, efficiencies have a bar beside them. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "reports/field.h"
#include "reports/page_part.h"
#include "reports/units.h"

#define GAUGE_CELLS 20
#define GAUGE_FROM 54 /* the column where it begins, on a narrow page */
#define EFFICIENT 0.8

static const char *or_unknown(const char *text)
{
	return text ? text : PAGE_UNKNOWN;
}

/* A name, or the number of what has none on the node. */
static const char *name_or_number(struct json_object *report, const char *name, const char *number, char text[32])
{
	const char *given = field_text(report, name);
	int64_t value;

	if (given)
		return given;
	strcpy(text, "?");
	if (field_count(report, number, &value))
		snprintf(text, 32, "%lld", (long long)value);
	return text;
}

static void print_ids(struct page *page)
{
	struct json_object *report = page->report;
	int64_t id = 0, array, task;
	char user[32], group[32];

	field_count(report, "job.id", &id);
	page_line(page, "Job ID", "%lld", (long long)id);
	if (field_count(report, "job.array_job_id", &array) && field_count(report, "job.array_task_id", &task))
		page_line(page, "Array Job ID", "%lld_%lld", (long long)array, (long long)task);
	if (field_count(report, "job.het_job_id", &array) && field_count(report, "job.het_job_offset", &task))
		page_line(page, "Heterogeneous Job ID", "%lld+%lld", (long long)array, (long long)task);
	if (field_text(report, "job.cluster"))
		page_line(page, "Cluster", "%s", field_text(report, "job.cluster"));
	page_line(page, "User/Group", "%s/%s", name_or_number(report, "job.user", "job.uid", user),
		  name_or_number(report, "job.group", "job.gid", group));
}

/* ---- the state ---- */

static enum terminal_style state_style(const char *state)
{
	static const char *const plain[] = { "PENDING", "RUNNING", "SUSPENDED", "REQUEUED", "COMPLETING" };

	if (strcmp(state, "COMPLETED") == 0)
		return STYLE_GOOD;
	if (strcmp(state, "CANCELLED") == 0 || strcmp(state, "PREEMPTED") == 0)
		return STYLE_WARNING;
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (strcmp(state, plain[i]) == 0)
			return STYLE_ACCENT;
	return STYLE_BAD;
}

static bool is_going_on(const char *state)
{
	return strcmp(state, "RUNNING") == 0 || strcmp(state, "PENDING") == 0;
}

static void print_state(struct page *page)
{
	const char *state = field_text(page->report, "job.state"), *name = NULL;
	char ending[128] = "", signal_text[64] = "", code_text[32] = PAGE_UNKNOWN;
	cleanup_free char *escaped = terminal_escape(page->options, or_unknown(state));
	int64_t code, signal;

	if (field_count(page->report, "job.exit_code", &code))
		snprintf(code_text, sizeof(code_text), "%lld", (long long)code);
	if (field_count(page->report, "job.signal", &signal) && signal > 0) {
		name = signal < 65 ? sigabbrev_np((int)signal) : NULL;
		snprintf(signal_text, sizeof(signal_text), ", signal %lld%s%s", (long long)signal, name ? " SIG" : "",
			 name ? name : "");
	}
	if (!state || !is_going_on(state))
		snprintf(ending, sizeof(ending), " (exit code %s%s)", code_text, signal_text);
	if (escaped)
		escape_cut(escaped, page->options->width - strlen("State: ") - strlen(ending));
	fputs("State: ", page->out);
	terminal_styled(page->options, state ? state_style(state) : STYLE_PLAIN, escaped ? escaped : "?", page->out);
	fprintf(page->out, "%s\n", ending);
}

/* ---- its size ---- */

/* The fewest and the most CPUs that a node gave. */
static bool cpus_per_node(struct json_object *report, int64_t *fewest, int64_t *most)
{
	struct json_object *nodes = field_typed(report, "nodes", json_type_array);
	int64_t cpus, count = 0;

	*fewest = INT64_MAX;
	*most = 0;
	if (field_count(report, "allocated.nodes", &count) && count == 1 &&
	    field_count(report, "allocated.cpus", &cpus)) {
		*fewest = *most = cpus;
		return true;
	}
	for (size_t i = 0; i < field_length(nodes); i++) {
		if (!field_count(json_object_array_get_idx(nodes, i), "allocated.cpus", &cpus))
			continue;
		*fewest = cpus < *fewest ? cpus : *fewest;
		*most = cpus > *most ? cpus : *most;
	}
	return *most > 0;
}

static void print_size_of_job(struct page *page)
{
	int64_t nodes, fewest, most;

	if (field_count(page->report, "allocated.nodes", &nodes))
		page_line(page, "Nodes", "%lld", (long long)nodes);
	if (!cpus_per_node(page->report, &fewest, &most))
		page_line(page, "Cores per node", PAGE_UNKNOWN);
	else if (fewest == most)
		page_line(page, "Cores per node", "%lld", (long long)most);
	else
		page_line(page, "Cores per node", "%lld to %lld", (long long)fewest, (long long)most);
}

/* ---- efficiencies ---- */

static bool has_finding(struct page *page, const char *const *codes, const char *severity)
{
	struct json_object *findings = field_typed(page->report, "findings", json_type_array);

	for (size_t i = 0; i < field_length(findings); i++) {
		struct json_object *finding = json_object_array_get_idx(findings, i);
		const char *code = field_text(finding, "code"), *of = field_text(finding, "severity");

		for (const char *const *one = codes; code && of && *one; one++)
			if (strcmp(code, *one) == 0 && strcmp(of, severity) == 0)
				return true;
	}
	return false;
}

struct gauge {
	double share, more;
	enum terminal_style style;
};

/* Never less good than the findings have it, which go by the site's thresholds. */
static enum terminal_style judge(struct page *page, const char *const *codes, enum terminal_style otherwise)
{
	if (has_finding(page, codes, "critical"))
		return STYLE_BAD;
	return has_finding(page, codes, "warning") ? STYLE_WARNING : otherwise;
}

/* A line with a bar at the page's right, where there is room for one. */
static void gauge_line(struct page *page, const char *label, const struct gauge *gauge, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void gauge_line(struct page *page, const char *label, const struct gauge *gauge, const char *format, ...)
{
	int right = page->options->width < TERMINAL_WIDTH ? page->options->width : TERMINAL_WIDTH;
	int cells = right - GAUGE_FROM < GAUGE_CELLS ? right - GAUGE_FROM : GAUGE_CELLS, pad;
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	pad = right - cells - (int)(strlen(label) + 2 + strlen(text));
	if (!page->options->bars || pad < 2) {
		page_paragraph(page, label, "%s", text);
		return;
	}
	fprintf(page->out, "%s: %s%*s", label, text, pad, "");
	terminal_gauge(page->options, gauge->share, gauge->more, cells, gauge->style, page->out);
	fputc('\n', page->out);
}

static void print_cpu(struct page *page)
{
	static const char *const codes[] = { "cpu-efficiency-low",   "cores-unused",	"node-idle",
					     "serial-on-many-cores", "oversubscribed", NULL };
	struct json_object *report = page->report;
	char used[DURATION_TEXT], given[DURATION_TEXT], wall[DURATION_TEXT];
	double efficiency, elapsed, cpus, used_s;
	struct gauge gauge = { 0 };

	page_line(page, "CPU Utilized", "%s",
		  field_number(report, "used.cpu_s", &used_s) ? duration_text(used_s, used) : PAGE_UNKNOWN);
	if (field_number(report, "used.cpu_efficiency", &efficiency) &&
	    field_number(report, "job.elapsed_s", &elapsed) && field_number(report, "allocated.cpus", &cpus)) {
		gauge.share = efficiency;
		gauge.style = judge(page, codes, efficiency >= EFFICIENT ? STYLE_GOOD : STYLE_ACCENT);
		gauge_line(page, "CPU Efficiency", &gauge, "%.2f%% of %s core-walltime", 100 * efficiency,
			   duration_text(elapsed * cpus, given));
	} else {
		page_line(page, "CPU Efficiency", PAGE_UNKNOWN);
	}
	page_line(page, "Job Wall-clock time", "%s",
		  field_number(report, "job.elapsed_s", &elapsed) ? duration_text(elapsed, wall) : PAGE_UNKNOWN);
}

/* The bar has both peaks: what was used, and paler, to where the page cache took what was charged. */
static void print_memory(struct page *page)
{
	static const char *const codes[] = { "oom-kill", "memory-near-limit", "memory-swapped", "memory-over-asked",
					     "memory-reclaim", NULL };
	struct json_object *report = page->report;
	char used[SIZE_TEXT], per_node[SIZE_TEXT], whole[SIZE_TEXT];
	double efficiency, bytes, nodes, peak, charged = 0;
	struct gauge gauge = { 0 };

	page_line(page, "Memory Utilized", "%s",
		  field_number(report, "used.memory_used_peak_bytes", &peak) ? size_text(peak, used) : PAGE_UNKNOWN);
	if (!field_number(report, "used.memory_efficiency", &efficiency) ||
	    !field_number(report, "requested.memory_bytes", &bytes) ||
	    !field_number(report, "requested.nodes", &nodes) || nodes < 1) {
		page_line(page, "Memory Efficiency", PAGE_UNKNOWN);
		return;
	}
	field_number(report, "used.memory_charged_peak_bytes", &charged);
	gauge.share = efficiency;
	gauge.more = bytes > 0 ? charged / (bytes / nodes) : 0;
	gauge.style = judge(page, codes, efficiency >= EFFICIENT ? STYLE_GOOD : STYLE_ACCENT);
	if (nodes < 2)
		gauge_line(page, "Memory Efficiency", &gauge, "%.2f%% of %s (%s/node)", 100 * efficiency,
			   size_text(bytes, whole), size_text(bytes, per_node));
	else
		gauge_line(page, "Memory Efficiency", &gauge, "%.2f%% of %s/node (%s in all)", 100 * efficiency,
			   size_text(bytes / nodes, per_node), size_text(bytes, whole));
}

void page_seff(struct page *page)
{
	print_ids(page);
	print_state(page);
	print_size_of_job(page);
	print_cpu(page);
	print_memory(page);
}
