/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The top of the page: the job, how it ended, and the figures that stand nowhere else. */
#include <stdlib.h>
#include <string.h>

#include "common/time_text.h"
#include "reports/builder/workflow.h"
#include "reports/html/html_internal.h"
#include "reports/json/field.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/verdict/outcome.h"
#include "reports/wording/job_fields.h"

static void print_id(struct json_object *report, FILE *out)
{
	char id[JOB_ID_TEXT];

	fprintf(out, "Job %s", job_id_text(report, id));
}

void html_title(struct json_object *report, FILE *out)
{
	const char *name = field_text(report, "job.name");

	print_id(report, out);
	if (name)
		html_textf(out, " %s", name);
}

/* ---- the job, and how it ended ---- */

static void print_item(FILE *out, const char *label, const char *text)
{
	if (!text)
		return;
	fprintf(out, "<li><span class=\"label\">%s</span> ", label);
	html_text(out, text);
	fputs("</li>", out);
}

static void print_state(struct json_object *report, FILE *out)
{
	const char *state = field_text(report, "job.state");
	char text[SIGNAL_TEXT];
	int64_t code = 0, signal = 0;

	fprintf(out, "<span class=\"badge %s\">", html_style_class(job_state_style(state)));
	html_text(out, state ? state : "STATE NOT KNOWN");
	fputs("</span>", out);
	if (field_count(report, "job.signal", &signal) && signal > 0)
		fprintf(out, " <span class=\"ending\">%s</span>", signal_text(signal, text));
	else if (field_count(report, "job.exit_code", &code) && code > 0)
		fprintf(out, " <span class=\"ending\">exit code %lld</span>", (long long)code);
}

/* Writes "2025-11-20T22:35:00.000+00:00" as "2025-11-20 22:35:00 +00:00". */
static const char *plain_time(struct json_object *report, const char *name, char text[TIME_TEXT])
{
	const char *time = field_text(report, name);
	struct time_parts parts;

	if (!time_split(time, &parts))
		return time;
	snprintf(text, TIME_TEXT, "%s %s %s", parts.day, parts.clock, parts.zone);
	return text;
}

void html_items(struct json_object *report, FILE *out)
{
	char start[TIME_TEXT], end[TIME_TEXT], attempt[32], workflow[512], suspended[DURATION_TEXT];
	double suspended_s;
	int64_t number;

	fputs("<ul class=\"items\">", out);
	print_item(out, "Account", field_text(report, "job.account"));
	if (workflow_text(report, workflow, sizeof(workflow)))
		print_item(out, "Workflow", workflow);
	print_item(out, "Partition", field_text(report, "job.partition"));
	print_item(out, "Nodes", field_text(report, "allocated.node_list"));
	if (field_count(report, "job.attempt", &number) && number > 1) {
		snprintf(attempt, sizeof(attempt), "%lld", (long long)number);
		print_item(out, "Attempt", attempt);
	}
	print_item(out, "Started", plain_time(report, "job.start", start));
	print_item(out, "Ended", plain_time(report, "job.end", end));
	if (field_number(report, "job.suspended_s", &suspended_s))
		print_item(out, "Suspended by Slurm", duration_text(suspended_s, suspended));
	print_item(out, "Directory", field_text(report, "job.work_dir"));
	fputs("</ul>\n", out);
}

static void print_verdict(struct json_object *report, FILE *out, const char *title)
{
	const char *bound = field_text(report, "verdict.bound"), *text = field_text(report, "verdict.text");
	struct json_object *evidence = field_typed(report, "verdict.evidence", json_type_array);

	fprintf(out, "<section class=\"verdict %s\" aria-labelledby=\"verdict-h\"><h2 id=\"verdict-h\">%s</h2><p>",
		html_style_class(terminal_style_of(look_of_bound(bound), STYLE_ACCENT)), title);
	fprintf(out, "<span class=\"bound %s\">", html_style_class(terminal_style_of(look_of_bound(bound), STYLE_ACCENT)));
	html_text(out, bound ? bound : "unknown");
	fputs("</span> ", out);
	html_text(out, text ? text : "This report has no verdict.");
	fputs("</p>", out);
	if (field_length(evidence) > 0) {
		fputs("<details><summary>The numbers behind it</summary>", out);
		html_evidence(out, evidence);
		fputs("</details>", out);
	}
	fputs("</section>\n", out);
}

void html_why(struct json_object *report, FILE *out)
{
	if (!job_failed_by_itself(field_text(report, "job.state")))
		print_verdict(report, out, "Why");
}

void html_verdict(struct json_object *report, FILE *out)
{
	if (job_failed_late(report))
		print_verdict(report, out, "Verdict");
}

static void print_outcome(struct json_object *report, FILE *out)
{
	char text[OUTCOME_TEXT];

	fputs("<p class=\"outcome\">", out);
	html_text(out, outcome_of_report(report, text));
	fputs("</p>\n", out);
}

void html_head(struct json_object *report, FILE *out)
{
	const char *name = field_text(report, "job.name");

	fputs("<p class=\"id\">", out);
	print_id(report, out);
	fputs(" ", out);
	print_state(report, out);
	fputs("</p>\n<h1>", out);
	if (name)
		html_text(out, name);
	else
		print_id(report, out);
	fputs("</h1>\n", out);
	print_outcome(report, out);
}

/* ---- figures ---- */

static void begin_figure(FILE *out, const char *label)
{
	fprintf(out, "<div class=\"figure\"><dt>%s</dt><dd>", label);
}

static void print_value(FILE *out, const char *text)
{
	fprintf(out, "<span class=\"value%s\">%s</span>", text ? "" : " unknown", text ? text : HTML_UNKNOWN);
}

static void end_figure(FILE *out)
{
	fputs("</dd></div>\n", out);
}

static const char *known_size(struct json_object *report, const char *name, char text[SIZE_TEXT])
{
	double value;

	return field_number(report, name, &value) ? size_text(value, text) : NULL;
}

/* What was used itself, and its share, stand above: in the bars and in seff's lines. */
static void print_memory(struct json_object *report, FILE *out)
{
	char upper[SIZE_TEXT], charged[SIZE_TEXT];
	const char *most = known_size(report, "used.memory_used_peak_upper_bytes", upper);

	begin_figure(out, "Memory, with cache");
	print_value(out, known_size(report, "used.memory_charged_peak_bytes", charged));
	fprintf(out, "<p>at its peak%s%s</p>", most ? "; without cache at most " : "", most ? most : "");
	end_figure(out);
}

static void print_waste(struct json_object *report, FILE *out)
{
	char value[48];
	double core_hours, gib_hours;
	bool known = field_number(report, "used.cpu_wasted_core_hours", &core_hours);
	bool cpu = known && core_hours >= JOB_HOURS_SHOWN;
	bool memory = field_number(report, "used.memory_wasted_gib_hours", &gib_hours) && gib_hours >= JOB_HOURS_SHOWN;

	if (known && !cpu && !memory)
		return;
	begin_figure(out, "Left unused");
	if (cpu || memory)
		snprintf(value, sizeof(value), "%.2f", cpu ? core_hours : gib_hours);
	print_value(out, cpu || memory ? value : NULL);
	if (cpu || memory)
		fputs(cpu ? " core-hours" : " GiB-hours of memory", out);
	if (cpu && memory)
		fprintf(out, "<p>and %.2f GiB-hours of memory</p>", gib_hours);
	end_figure(out);
}

static void print_processes(struct json_object *report, FILE *out)
{
	char value[32];
	int64_t processes, threads;
	bool known = field_count(report, "used.processes", &processes);

	begin_figure(out, "Processes");
	if (known)
		snprintf(value, sizeof(value), "%lld", (long long)processes);
	print_value(out, known ? value : NULL);
	if (field_count(report, "used.threads_peak", &threads))
		fprintf(out, "<p>%lld threads at most at once</p>", (long long)threads);
	end_figure(out);
}

/* Bytes that come in and go out: the report's fields, and the words for them. */
struct traffic {
	const char *label;
	const char *in, *in_word;
	const char *outward, *out_word;
};

static const struct traffic storage = { "Storage", "used.read_bytes", "read", "used.write_bytes", "written" };
static const struct traffic sockets = { "Sockets", "used.socket_rx_bytes", "received", "used.socket_tx_bytes", "sent" };

static void print_traffic(struct json_object *report, FILE *out, const struct traffic *traffic)
{
	char one[SIZE_TEXT], other[SIZE_TEXT];
	const char *second = known_size(report, traffic->outward, other);
	double cancelled;

	begin_figure(out, traffic->label);
	print_value(out, known_size(report, traffic->in, one));
	fprintf(out, "<p>%s, %s %s", traffic->in_word, second ? second : HTML_UNKNOWN, traffic->out_word);
	if (traffic == &storage && field_number(report, "used.cancelled_write_bytes", &cancelled) &&
	    cancelled > 0)
		fprintf(out, ", of which %s was deleted before", size_text(cancelled, one));
	fputs("</p>", out);
	end_figure(out);
}

void html_figures(struct json_object *report, FILE *out)
{
	print_memory(report, out);
	print_waste(report, out);
	print_processes(report, out);
	print_traffic(report, out, &storage);
	print_traffic(report, out, &sockets);
}
