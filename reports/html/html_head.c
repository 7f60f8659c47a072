/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the top of the page: the job, how it ended, and more figures. */
#include <math.h>

#include "common/time_text.h"
#include "reports/builder/workflow.h"
#include "reports/html/html_internal.h"
#include "reports/json/units.h"
#include "reports/verdict/outcome.h"
#include "reports/wording/job_fields.h"

static void print_id(const struct report *report, FILE *out)
{
	char id[JOB_ID_TEXT];

	fprintf(out, "Job %s", job_id_text(report, id));
}

void html_title(const struct report *report, FILE *out)
{
	print_id(report, out);
	if (report->job.name)
		html_textf(out, " %s", report->job.name);
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

static void print_state(const struct report_job *job, FILE *out)
{
	char text[SIGNAL_TEXT];

	fprintf(out, "<span class=\"badge %s\">", html_style_class(job_state_style(job->state)));
	html_text(out, job->state ? job->state : "STATE NOT KNOWN");
	fputs("</span>", out);
	if (job->signal > 0)
		fprintf(out, " <span class=\"ending\">%s</span>", signal_text(job->signal, text));
	else if (job->exit_code > 0)
		fprintf(out, " <span class=\"ending\">exit code %lld</span>", (long long)job->exit_code);
}

/* Writes "2025-11-20T22:35:00.000+00:00" as "2025-11-20 22:35:00 +00:00". */
static const char *plain_time(const char *time, char text[TIME_TEXT])
{
	struct time_parts parts;

	if (!time_split(time, &parts))
		return time;
	snprintf(text, TIME_TEXT, "%s %s %s", parts.day, parts.clock, parts.zone);
	return text;
}

void html_items(const struct report *report, FILE *out)
{
	char start[TIME_TEXT], end[TIME_TEXT], attempt[32], workflow[512], suspended[DURATION_TEXT];
	const struct report_job *job = &report->job;

	fputs("<ul class=\"items\">", out);
	print_item(out, "Account", job->account);
	if (workflow_text(report, workflow, sizeof(workflow)))
		print_item(out, "Workflow", workflow);
	print_item(out, "Partition", job->partition);
	print_item(out, "Nodes", report->allocated.node_list);
	if (job->attempt > 1) {
		snprintf(attempt, sizeof(attempt), "%lld", (long long)job->attempt);
		print_item(out, "Attempt", attempt);
	}
	print_item(out, "Started", plain_time(job->start, start));
	print_item(out, "Ended", plain_time(job->end, end));
	if (job->suspended_s.ns >= 0)
		print_item(out, "Suspended by Slurm", duration_text(report_s(job->suspended_s), suspended));
	print_item(out, "Directory", job->work_dir);
	fputs("</ul>\n", out);
}

static void print_verdict(const struct report_verdict *verdict, FILE *out, const char *title)
{
	const char *look = html_style_class(terminal_style_of(look_of_bound(verdict->bound), STYLE_ACCENT));

	fprintf(out, "<section class=\"verdict %s\" aria-labelledby=\"verdict-h\"><h2 id=\"verdict-h\">%s</h2><p>", look, title);
	fprintf(out, "<span class=\"bound %s\">", look);
	html_text(out, verdict->bound ? verdict->bound : "unknown");
	fputs("</span> ", out);
	html_text(out, verdict->text ? verdict->text : "This report has no verdict.");
	fputs("</p>", out);
	if (verdict->evidence.count > 0) {
		fputs("<details><summary>The numbers behind it</summary>", out);
		html_evidence(out, &verdict->evidence);
		fputs("</details>", out);
	}
	fputs("</section>\n", out);
}

void html_why(const struct report *report, FILE *out)
{
	if (!job_failed_by_itself(report->job.state))
		print_verdict(&report->verdict, out, "Why");
}

void html_verdict(const struct report *report, FILE *out)
{
	if (job_failed_late(report))
		print_verdict(&report->verdict, out, "Verdict");
}

static void print_outcome(const struct report *report, FILE *out)
{
	char text[OUTCOME_TEXT];

	fputs("<p class=\"outcome\">", out);
	html_text(out, outcome_of_report(report, text));
	fputs("</p>\n", out);
}

void html_head(const struct report *report, FILE *out)
{
	fputs("<p class=\"id\">", out);
	print_id(report, out);
	fputs(" ", out);
	print_state(&report->job, out);
	fputs("</p>\n<h1>", out);
	if (report->job.name)
		html_text(out, report->job.name);
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

static const char *known_size(int64_t bytes, char text[SIZE_TEXT])
{
	return bytes >= 0 ? size_text((double)bytes, text) : NULL;
}

/* Prints memory figures that the bars and seff's lines do not show. */
static void print_memory(const struct report_used *used, FILE *out)
{
	char upper[SIZE_TEXT], charged[SIZE_TEXT];
	const char *most = known_size(used->memory_used_peak_upper_bytes, upper);

	begin_figure(out, "Memory, with cache");
	print_value(out, known_size(used->memory_charged_peak_bytes, charged));
	fprintf(out, "<p>at its peak%s%s</p>", most ? "; without cache: at most " : "", most ? most : "");
	end_figure(out);
}

static void print_waste(const struct report_used *used, FILE *out)
{
	char value[48];
	double core_hours = used->cpu_wasted_core_hours, gib_hours = used->memory_wasted_gib_hours;
	bool cpu = core_hours >= JOB_HOURS_SHOWN, memory = gib_hours >= JOB_HOURS_SHOWN;

	if (!isnan(core_hours) && !cpu && !memory)
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

static void print_processes(const struct report_used *used, FILE *out)
{
	char value[32];

	begin_figure(out, "Processes");
	snprintf(value, sizeof(value), "%lld", (long long)used->processes);
	print_value(out, used->processes >= 0 ? value : NULL);
	if (used->threads_peak >= 0)
		fprintf(out, "<p>%lld threads at most at once</p>", (long long)used->threads_peak);
	end_figure(out);
}

static void print_storage(const struct report_used *used, FILE *out)
{
	char in[SIZE_TEXT], outward[SIZE_TEXT], cancelled[SIZE_TEXT];
	const char *written = known_size(used->write_bytes, outward);

	begin_figure(out, "Storage");
	print_value(out, known_size(used->read_bytes, in));
	fprintf(out, "<p>read, %s written", written ? written : HTML_UNKNOWN);
	if (used->cancelled_write_bytes > 0)
		fprintf(out, ", of which %s was deleted before it was written", known_size(used->cancelled_write_bytes, cancelled));
	fputs("</p>", out);
	end_figure(out);
}

static void print_sockets(const struct report_used *used, FILE *out)
{
	char in[SIZE_TEXT], outward[SIZE_TEXT];
	const char *sent = known_size(used->socket_tx_bytes, outward);

	begin_figure(out, "Sockets");
	print_value(out, known_size(used->socket_rx_bytes, in));
	fprintf(out, "<p>received, %s sent</p>", sent ? sent : HTML_UNKNOWN);
	end_figure(out);
}

void html_figures(const struct report *report, FILE *out)
{
	print_memory(&report->used, out);
	print_waste(&report->used, out);
	print_processes(&report->used, out);
	print_storage(&report->used, out);
	print_sockets(&report->used, out);
}
