/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of the page that seff does not have. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/builder/workflow.h"
#include "reports/json/field.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/rules/facts.h"
#include "reports/rules/unheld_memory.h"
#include "reports/text/page_internal.h"
#include "reports/wording/job_fields.h"

#define IDLE_SHOWN_S 10
#define WORKFLOW_SHOWN 1024
#define SOCKETS_SHOWN (1 << 20) /* bytes; with less there is no line on one screen */

static const char *size(struct json_object *report, const char *name, char text[SIZE_TEXT])
{
	double bytes;

	return field_number(report, name, &bytes) ? size_text(bytes, text) : NULL;
}

/* ---- the verdict ---- */

static bool failed(struct page *page)
{
	return job_failed_by_itself(field_text(page->report, "job.state"));
}

static void print_verdict(struct page *page, const char *label)
{
	const char *text = field_text(page->report, "verdict.text"), *bound = field_text(page->report, "verdict.bound");

	if (text)
		page_wrapped(page, &(struct page_wrap){ .first = label, .style = STYLE_HEAD,
							.head = terminal_style_of(look_of_bound(bound), STYLE_HEAD) }, text);
}

void page_why(struct page *page)
{
	if (failed(page) || !field_text(page->report, "verdict.text"))
		return;
	print_verdict(page, "Why: ");
}

/* ---- memory, cores, traffic ---- */

/* Prints both peaks. Where more may have been used than was seen, it was at most the charged peak. */
static void print_peaks(struct page *page)
{
	char used[SIZE_TEXT], upper[SIZE_TEXT], charged[SIZE_TEXT], swapped[SIZE_TEXT], mapped[SIZE_TEXT], held[SIZE_TEXT];
	bool more = size(page->report, "used.memory_used_peak_upper_bytes", upper);
	double unheld = unheld_memory(page->report), swap = 0;

	page_paragraph(page, "Memory peak", "%s%s (%s with file cache)%s",
		       page_or_unknown(size(page->report, "used.memory_used_peak_bytes", used)), more ? " or more" : "",
		       page_or_unknown(size(page->report, "used.memory_charged_peak_bytes", charged)),
		       field_text(page->report, "used.memory_scope") ? ", on one node" : "");
	if (!isnan(unheld))
		page_paragraph(page, "Of it, in no process", "%s at least: files in memory (/dev/shm and other tmpfs), or the kernel's memory",
			       size_text(unheld, held));
	if (facts_mapped_of(page->report) > 0)
		page_paragraph(page, "Mapped files in use", "%s at least", size_text(facts_mapped_of(page->report), mapped));
	field_number(page->report, "used.memory_swap_peak_bytes", &swap);
	if (swap > 0)
		page_paragraph(page, "Swapped out", "%s at most, as sampled", size_text(swap, swapped));
}

static void print_cores(struct page *page)
{
	size_t unused = field_length(field_typed(page->report, "progress.cores_unused", json_type_array));
	char never[64] = "";
	int64_t cores = 0, cpus = 0;
	double busy;

	/* The bar of the CPUs says it already. */
	if (unused == 0 && !page->options->all && field_find(page->report, "used.cpu_efficiency"))
		return;
	if (unused > 0)
		snprintf(never, sizeof(never), ", %zu never used", unused);
	field_count(page->report, "allocated.cpus", &cpus);
	if (!field_count(page->report, "used.cores_bound", &cores))
		cores = cpus;
	if (!field_number(page->report, "used.cores_busy", &busy))
		page_paragraph(page, "Cores used", "%s%s", PAGE_UNKNOWN, never);
	else if (busy_beyond_cores(busy, (double)cores, (double)cpus))
		page_paragraph(page, "CPUs used", "%.1f of %lld on average%s", busy, (long long)cpus, never);
	else if (cores > 0)
		page_paragraph(page, "Cores used", "%.1f of %lld on average%s", busy, (long long)cores, never);
}

/* A job that was never active was idle from its start to its end, as if its first activity was its end. */
static bool never_active(const struct page *page, double head_s)
{
	const char *start = field_text(page->report, "job.start"), *end = field_text(page->report, "job.end");
	int64_t start_us, end_us;

	return time_parse(start, &start_us) && time_parse(end, &end_us) && (double)(end_us - start_us) <= 1e6 * head_s;
}

/*
 * Shows only what is worth a line, since a start and an end always take some time. What a script does to start and to end is no
 * activity, so the job may have been active in its first second.
 */
static void print_idle(struct page *page)
{
	struct json_object *steps = field_typed(page->report, "progress.steps_without_processes", json_type_array);
	const char *what = field_find(page->report, "allocated.gpus") ? "CPUs idle" : "Idle";
	char before[DURATION_TEXT], after[DURATION_TEXT];
	double head = 0, tail = 0;

	field_number(page->report, "progress.idle_head_s", &head);
	field_number(page->report, "progress.idle_tail_s", &tail);
	if (head >= IDLE_SHOWN_S && never_active(page, head))
		page_paragraph(page, what, "%s, all of its time", duration_text(head, before));
	else if (head >= IDLE_SHOWN_S || tail >= IDLE_SHOWN_S)
		page_paragraph(page, what, "%s after its start, %s before its end",
			       duration_text(head, before), duration_text(tail, after));
	if (field_length(steps) > 0)
		page_paragraph(page, "Steps in which no process ran", "%zu", field_length(steps));
}

/* Nothing is said of waste that rounds to 0.00. */
static void print_waste(struct page *page)
{
	double core_hours = 0, gib_hours = 0;
	bool cpu = field_number(page->report, "used.cpu_wasted_core_hours", &core_hours) && core_hours >= JOB_HOURS_SHOWN;
	bool memory = field_number(page->report, "used.memory_wasted_gib_hours", &gib_hours) && gib_hours >= JOB_HOURS_SHOWN;

	if (cpu && memory)
		page_paragraph(page, "Left unused", "%.2f core-hours, %.2f GiB-hours", core_hours, gib_hours);
	else if (cpu)
		page_paragraph(page, "Left unused", "%.2f core-hours", core_hours);
	else if (memory)
		page_paragraph(page, "Left unused", "%.2f GiB-hours", gib_hours);
}

static void print_counts(struct page *page)
{
	char threads_text[64] = "", processes_text[32] = PAGE_UNKNOWN;
	int64_t processes, threads;

	if (field_count(page->report, "used.threads_peak", &threads))
		snprintf(threads_text, sizeof(threads_text), ", %lld thread%s at most at once", (long long)threads,
			 plural(threads));
	if (field_count(page->report, "used.processes", &processes))
		snprintf(processes_text, sizeof(processes_text), "%lld", (long long)processes);
	page_paragraph(page, "Processes", "%s%s", processes_text, threads_text);
}

/* Prints a line of two byte counts, unless neither is known. */
static void print_bytes(struct page *page, const char *label, const char *in, const char *in_word,
			const char *outward, const char *out_word)
{
	char one[SIZE_TEXT], other[SIZE_TEXT];
	const char *first = size(page->report, in, one), *second = size(page->report, outward, other);

	if (first || second)
		page_paragraph(page, label, "%s %s, %s %s", page_or_unknown(first), in_word, page_or_unknown(second),
			       out_word);
}

/* Names bytes that were deleted before they reached the disk, since the disk then shows fewer than were written. */
static void print_storage(struct page *page)
{
	char read[SIZE_TEXT], written[SIZE_TEXT], cancelled[SIZE_TEXT];
	const char *in = size(page->report, "used.read_bytes", read);
	const char *outward = size(page->report, "used.write_bytes", written);
	double bytes = 0;

	field_number(page->report, "used.cancelled_write_bytes", &bytes);
	if (in || outward)
		page_paragraph(page, "Storage", "%s read, %s written%s%s%s", page_or_unknown(in),
			       page_or_unknown(outward), bytes > 0 ? ", of which " : "",
			       bytes > 0 ? size_text(bytes, cancelled) : "",
			       bytes > 0 ? " was deleted before it was written" : "");
}

static void print_traffic(struct page *page)
{
	double received = 0, sent = 0;

	field_number(page->report, "used.socket_rx_bytes", &received);
	field_number(page->report, "used.socket_tx_bytes", &sent);
	print_storage(page);
	if (page->options->all)
		print_bytes(page, "System calls", "used.syscall_read_bytes", "read", "used.syscall_write_bytes",
			    "written");
	if (page->options->all || received + sent >= SOCKETS_SHOWN)
		print_bytes(page, "Sockets", "used.socket_rx_bytes", "received", "used.socket_tx_bytes", "sent");
}

/* ---- which job ---- */

static void print_name(struct page *page)
{
	const char *name = field_text(page->report, "job.name");
	char workflow[WORKFLOW_SHOWN], suspended[DURATION_TEXT];
	struct time_parts start, end;
	double suspended_s;
	int64_t attempt;

	if (field_count(page->report, "job.attempt", &attempt) && attempt > 1)
		page_line(page, "Attempt", "%lld", (long long)attempt);
	if (name && (page->options->all || strlen(name) > PAGE_NAME_COLUMNS)) /* the first line has the begin of it */
		page_line(page, "Job name", "%s", name);
	if (workflow_text(page->report, workflow, sizeof(workflow)))
		page_paragraph(page, "Workflow", "%s", workflow);
	if (!time_split(field_text(page->report, "job.start"), &start) ||
	    !time_split(field_text(page->report, "job.end"), &end))
		return;
	if (strcmp(start.day, end.day) == 0)
		*end.day = '\0';
	page_line(page, "Ran", "%s %s to %s%s%s (UTC%s)", start.day, start.clock, end.day, *end.day ? " " : "", end.clock,
		  end.zone);
	if (field_number(page->report, "job.suspended_s", &suspended_s))
		page_paragraph(page, "Suspended by Slurm", "%s of that, which is no part of the job's time",
			       duration_text(suspended_s, suspended));
}

void page_summary(struct page *page)
{
	if (job_failed_late(page->report))
		print_verdict(page, "Verdict: ");
	print_peaks(page);
	print_cores(page);
	print_waste(page);
	print_idle(page);
	print_counts(page);
	print_traffic(page);
	print_name(page);
}
