/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What seff cannot say, line by line. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "reports/field.h"
#include "reports/page_part.h"
#include "reports/units.h"
#include "reports/workflow.h"

#define IDLE_TOLD_S 10
#define WORKFLOW_SHOWN 1024
#define HOURS_TOLD 0.005
#define SOCKETS_TOLD (1 << 20) /* bytes; less has no line on one screen */

static const char *size(struct json_object *report, const char *name, char text[SIZE_TEXT])
{
	double bytes;

	return field_number(report, name, &bytes) ? size_text(bytes, text) : NULL;
}

static const char *or_unknown(const char *text)
{
	return text ? text : PAGE_UNKNOWN;
}

/* ---- the verdict ---- */

static enum terminal_style verdict_style(const char *bound)
{
	if (strcmp(bound, "cpu") == 0)
		return STYLE_GOOD;
	return strcmp(bound, "mixed") == 0 || strcmp(bound, "unknown") == 0 ? STYLE_HEAD : STYLE_WARNING;
}

static void print_verdict(struct page *page)
{
	const char *text = field_text(page->report, "verdict.text"), *bound = field_text(page->report, "verdict.bound");

	if (text)
		page_wrapped(page, &(struct page_wrap){ .first = "Verdict: ", .style = STYLE_HEAD,
							.head = verdict_style(bound ? bound : "unknown") }, text);
}

/* What bound a job is not what ended it: the critical findings by name, which stand below with all that there is to them. */
static void print_critical(struct page *page)
{
	struct json_object *findings = field_typed(page->report, "findings", json_type_array);
	cleanup_free char *codes = NULL;
	size_t size, count = 0;
	FILE *out = open_memstream(&codes, &size);

	if (!out)
		return;
	for (size_t i = 0; i < field_length(findings); i++) {
		struct json_object *finding = json_object_array_get_idx(findings, i);
		const char *code = field_text(finding, "code"), *severity = field_text(finding, "severity");

		if (code && severity && strcmp(severity, "critical") == 0)
			fprintf(out, "%s%s", count++ ? ", " : "", code);
	}
	if (fclose(out) == 0 && count > 0)
		page_wrapped(page, &(struct page_wrap){ .first = "Critical: ", .style = STYLE_BAD }, codes);
}

/* ---- memory, cores, traffic ---- */

/* Both peaks; and where what was used can have been more than was seen of it, how much at most. */
static void print_peaks(struct page *page)
{
	char used[SIZE_TEXT], upper[SIZE_TEXT], charged[SIZE_TEXT], swapped[SIZE_TEXT], at_most[64] = "";
	const char *most = size(page->report, "used.memory_used_peak_upper_bytes", upper);
	double swap = 0;

	if (most)
		snprintf(at_most, sizeof(at_most), " (at most %s)", most);
	page_paragraph(page, "Memory peak", "%s used%s, %s charged with cache%s",
		       or_unknown(size(page->report, "used.memory_used_peak_bytes", used)), at_most,
		       or_unknown(size(page->report, "used.memory_charged_peak_bytes", charged)),
		       field_text(page->report, "used.memory_scope") ? ", on one node" : "");
	field_number(page->report, "used.memory_swap_peak_bytes", &swap);
	if (swap > 0)
		page_paragraph(page, "Swapped out", "%s at most, as sampled", size_text(swap, swapped));
}

static void print_cores(struct page *page)
{
	size_t unused = field_length(field_typed(page->report, "progress.cores_unused", json_type_array));
	char never[64] = "";
	int64_t cores, cpus;
	double busy;

	if (unused > 0)
		snprintf(never, sizeof(never), ", %zu never used", unused);
	if (!field_number(page->report, "used.cores_busy", &busy))
		page_paragraph(page, "Cores kept busy", "%s%s", PAGE_UNKNOWN, never);
	else if (field_count(page->report, "used.cores_bound", &cores))
		page_paragraph(page, "Cores kept busy", "%.1f of %lld bound%s", busy, (long long)cores, never);
	else if (field_count(page->report, "allocated.cpus", &cpus))
		page_paragraph(page, "Cores kept busy", "%.1f of %lld allocated", busy, (long long)cpus);
}

/* Only what is worth a line: neither starting nor ending takes no time. */
static void print_idle(struct page *page)
{
	struct json_object *steps = field_typed(page->report, "progress.steps_without_processes", json_type_array);
	char before[DURATION_TEXT], after[DURATION_TEXT];
	double head = 0, tail = 0;

	field_number(page->report, "progress.idle_head_s", &head);
	field_number(page->report, "progress.idle_tail_s", &tail);
	if (head >= IDLE_TOLD_S || tail >= IDLE_TOLD_S)
		page_paragraph(page, "Idle", "%s before its first activity, %s after the last",
			       duration_text(head, before), duration_text(tail, after));
	if (field_length(steps) > 0)
		page_paragraph(page, "Steps in which no process ran", "%zu", field_length(steps));
}

/* On one screen, what is none at two decimals has no line. */
static void print_waste(struct page *page)
{
	double core_hours = 0, gib_hours = 0;
	bool cpu = field_number(page->report, "used.cpu_wasted_core_hours", &core_hours);
	bool memory = field_number(page->report, "used.memory_wasted_gib_hours", &gib_hours);

	if (!page->options->all && core_hours < HOURS_TOLD && gib_hours < HOURS_TOLD)
		return;
	if (cpu && memory)
		page_paragraph(page, "Left unused", "%.2f core-hours, %.2f GiB-hours", core_hours, gib_hours);
	else if (cpu)
		page_paragraph(page, "Left unused", "%.2f core-hours", core_hours);
}

static void print_counts(struct page *page)
{
	char threads_text[64] = "", processes_text[32] = PAGE_UNKNOWN;
	int64_t processes, threads;

	if (field_count(page->report, "used.threads_peak", &threads))
		snprintf(threads_text, sizeof(threads_text), ", %lld thread%s at most at once", (long long)threads,
			 threads == 1 ? "" : "s");
	if (field_count(page->report, "used.processes", &processes))
		snprintf(processes_text, sizeof(processes_text), "%lld", (long long)processes);
	page_paragraph(page, "Processes", "%s%s", processes_text, threads_text);
}

/* A line of two byte counts, unless neither is known. */
static void print_bytes(struct page *page, const char *label, const char *in, const char *in_word,
			const char *outward, const char *out_word)
{
	char one[SIZE_TEXT], other[SIZE_TEXT];
	const char *first = size(page->report, in, one), *second = size(page->report, outward, other);

	if (first || second)
		page_paragraph(page, label, "%s %s, %s %s", or_unknown(first), in_word, or_unknown(second), out_word);
}

static void print_traffic(struct page *page)
{
	double received = 0, sent = 0;

	field_number(page->report, "used.socket_rx_bytes", &received);
	field_number(page->report, "used.socket_tx_bytes", &sent);
	print_bytes(page, "Storage", "used.read_bytes", "read", "used.write_bytes", "written");
	if (page->options->all)
		print_bytes(page, "System calls", "used.syscall_read_bytes", "read", "used.syscall_write_bytes",
			    "written");
	if (page->options->all || received + sent >= SOCKETS_TOLD)
		print_bytes(page, "Sockets", "used.socket_rx_bytes", "received", "used.socket_tx_bytes", "sent");
}

/* ---- which job ---- */

/* A time as people write it: "2026-11-20 22:35:13 +00:00"; of its day alone where that is @day's, its zone last. */
struct moment {
	char day[16], clock[16], zone[16];
};

static bool read_moment(struct json_object *report, const char *name, struct moment *moment)
{
	const char *text = field_text(report, name);

	return text && sscanf(text, "%10[0-9-]T%8[0-9:].%*3[0-9]%6[0-9:+-]", moment->day, moment->clock, moment->zone) == 3;
}

static void print_name(struct page *page)
{
	const char *name = field_text(page->report, "job.name");
	char workflow[WORKFLOW_SHOWN];
	struct moment start, end;
	int64_t attempt;

	if (field_count(page->report, "job.attempt", &attempt) && attempt > 1)
		page_line(page, "Attempt", "%lld", (long long)attempt);
	if (name)
		page_line(page, "Job name", "%s", name);
	if (workflow_text(page->report, workflow, sizeof(workflow)))
		page_paragraph(page, "Workflow", "%s", workflow);
	if (!read_moment(page->report, "job.start", &start) || !read_moment(page->report, "job.end", &end))
		return;
	if (strcmp(start.day, end.day) == 0)
		*end.day = '\0';
	page_line(page, "Ran", "%s %s to %s%s%s (UTC%s)", start.day, start.clock, end.day, *end.day ? " " : "", end.clock,
		  end.zone);
}

void page_more(struct page *page)
{
	fputc('\n', page->out);
	print_critical(page);
	print_verdict(page);
	print_peaks(page);
	print_cores(page);
	print_waste(page);
	print_idle(page);
	print_counts(page);
	print_traffic(page);
	print_name(page);
}
