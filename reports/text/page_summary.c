/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the lines that seff does not print. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/builder/workflow.h"
#include "reports/ending/oom_kills.h"
#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/rules/facts.h"
#include "reports/rules/peak_memory.h"
#include "reports/rules/unheld_memory.h"
#include "reports/text/page_internal.h"
#include "reports/wording/job_fields.h"

#define IDLE_SHOWN_S 10
#define WORKFLOW_SHOWN 1024
#define SOCKETS_SHOWN (1 << 20) /* bytes; without --all, there is no line about sockets for less */

static const char *size(int64_t bytes, char text[SIZE_TEXT])
{
	return bytes < 0 ? NULL : size_text((double)bytes, text);
}

static bool failed(struct page *page)
{
	return job_failed_by_itself(page->report->job.state);
}

static void print_verdict(struct page *page, const char *label)
{
	const struct report_verdict *verdict = &page->report->verdict;
	enum terminal_style head = terminal_style_of(look_of_bound(verdict->bound), STYLE_HEAD);

	if (verdict->text)
		page_wrapped(page, &(struct page_wrap){ .first = label, .style = STYLE_HEAD, .head = head }, verdict->text);
}

void page_why(struct page *page)
{
	if (!failed(page))
		print_verdict(page, "Why: ");
}

/*
 * Prints the peaks of memory used and memory charged, and parts of this memory.
 * If the job may have used more than stint saw, the charged peak is the upper bound.
 */
static void print_peaks(struct page *page)
{
	char used[SIZE_TEXT], charged[SIZE_TEXT], swapped[SIZE_TEXT], mapped[SIZE_TEXT], held[SIZE_TEXT];
	const struct report_used *memory = &page->report->used;
	double unheld = unheld_memory(page->report), in_use = facts_mapped_of(page->report);
	struct peak_memory peak;

	peak_memory_read(page->report, &peak);
	page_paragraph(page, "Memory peak", "%s%s (%s with file cache)%s",
		       page_or_unknown(isnan(peak.bytes) ? NULL : size_text(peak.bytes, used)),
		       peak.or_more || memory->memory_used_peak_upper_bytes >= 0 ? " or more" : "",
		       page_or_unknown(size(memory->memory_charged_peak_bytes, charged)),
		       memory->memory_scope ? ", on one node" : "");
	if (!isnan(unheld))
		page_paragraph(page, "Of that, in no process", "%s at least: files in memory (/dev/shm and other tmpfs), or the kernel's memory",
			       size_text(unheld, held));
	if (in_use > 0)
		page_paragraph(page, "Mapped files in use", "%s at least", size_text(in_use, mapped));
	if (memory->memory_swap_peak_bytes > 0)
		page_paragraph(page, "Swapped out", "%s at most, as sampled", size(memory->memory_swap_peak_bytes, swapped));
}

static void print_cores(struct page *page)
{
	const struct report_used *used = &page->report->used;
	size_t unused = page->report->progress.cores_unused.count;
	int64_t cpus = page->report->allocated.cpus, cores = used->cores_bound >= 0 ? used->cores_bound : cpus;
	char never[64] = "";

	/* The CPU bar already shows the cores in use. */
	if (unused == 0 && !page->options->all && !isnan(used->cpu_efficiency))
		return;
	if (unused > 0)
		snprintf(never, sizeof(never), ", %zu never used", unused);
	if (isnan(used->cores_busy))
		page_paragraph(page, "Cores used", "%s%s", PAGE_UNKNOWN, never);
	else if (busy_beyond_cores(used->cores_busy, (double)cores, (double)cpus))
		page_paragraph(page, "CPUs used", "%.1f of %lld on average%s", used->cores_busy, (long long)cpus, never);
	else if (cores > 0)
		page_paragraph(page, "Cores used", "%.1f of %lld on average%s", used->cores_busy, (long long)cores, never);
}

#define GPU_NODES_SHOWN 4

static bool tells_which(const struct report_gpu_allocated *gpus)
{
	return gpus->type || gpus->indexes.count > 0 || !report_text_is(gpus->kind, "gpu");
}

/* Writes "a100: 0, 1", "index 0, 1" or "2 x a100". The node's name comes first if the job has several nodes. */
static void write_gpus(const struct report_gpu_allocated *gpus, bool several_nodes, FILE *out)
{
	const char *type = gpus->type ? gpus->type : report_text_is(gpus->kind, "gpu") ? NULL : gpus->kind;

	if (gpus->node && several_nodes)
		fprintf(out, "%s ", gpus->node);
	if (gpus->indexes.count == 0) {
		fprintf(out, "%lld x %s", (long long)gpus->count, page_or_unknown(type));
		return;
	}
	fprintf(out, "%s%s", type ? type : "index", type ? ": " : " ");
	for (size_t i = 0; i < gpus->indexes.count; i++)
		fprintf(out, "%s%lld", i ? ", " : "", (long long)gpus->indexes.items[i]);
}

/* Returns the list in brackets, which the caller frees; NULL if out of memory. */
static char *gpus_text(const struct report_allocated *allocated, size_t most)
{
	const struct report_gpu_allocated_list *list = &allocated->gpus_allocated;
	size_t shown = 0, size = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < list->count && shown <= most; i++) {
		if (!tells_which(&list->items[i]))
			continue;
		fputs(shown == 0 ? " (" : "; ", out);
		if (shown++ == most)
			fputs("...", out);
		else
			write_gpus(&list->items[i], allocated->nodes > 1, out);
	}
	fputs(shown ? ")" : "", out);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static void print_gpus(struct page *page)
{
	const struct report_allocated *allocated = &page->report->allocated;
	cleanup_free char *text = NULL;
	char hours[48] = "";

	if (!(allocated->gpus > 0) && allocated->gpus_allocated.count == 0)
		return;
	text = gpus_text(allocated, page_limit(page, GPU_NODES_SHOWN));
	if (!text)
		return;
	if (allocated->gpu_hours >= JOB_HOURS_SHOWN)
		snprintf(hours, sizeof(hours), ", %.2f GPU-hours", allocated->gpu_hours);
	if (allocated->gpus > 0)
		page_paragraph(page, "GPUs allocated", "%lld%s%s", (long long)allocated->gpus, text, hours);
	else
		page_paragraph(page, "GPUs allocated", "shares of GPUs%s", text);
}

/* If a job was never active, its idle time at the begin is its whole time. */
static bool never_active(const struct page *page, double head_s)
{
	const struct report_job *job = &page->report->job;
	int64_t start_us, end_us;

	return time_parse(job->start, &start_us) && time_parse(job->end, &end_us) && (double)(end_us - start_us) <= 1e6 * head_s;
}

/*
 * Starting and ending take time, so only a long idle time gets a line.
 * Commands at the script's begin and end do not count as activity.
 * If the kernel killed the script, the job is called dead.
 */
static void print_idle(struct page *page)
{
	const struct report_progress *progress = &page->report->progress;
	const char *what = page->report->allocated.gpus >= 0 ? "CPUs idle" : "Idle";
	char before[DURATION_TEXT], after[DURATION_TEXT];
	double head = report_s(progress->idle_head_s), tail = report_s(progress->idle_tail_s);

	if (oom_kills_unnoticed(page->report) && !isnan(tail))
		page_paragraph(page, "Dead", "%s before its end: the kernel had killed the job script", duration_text(tail, after));
	else if (head >= IDLE_SHOWN_S && never_active(page, head))
		page_paragraph(page, what, "%s, all of its time", duration_text(head, before));
	else if (head >= IDLE_SHOWN_S || tail >= IDLE_SHOWN_S)
		page_paragraph(page, what, "%s after its start, %s before its end",
			       duration_text(head, before), duration_text(tail, after));
	if (progress->steps_without_processes.count > 0)
		page_paragraph(page, "Steps in which no process ran", "%zu", progress->steps_without_processes.count);
}

static void print_waste(struct page *page)
{
	double core_hours = page->report->used.cpu_wasted_core_hours, gib_hours = page->report->used.memory_wasted_gib_hours;
	bool cpu = core_hours >= JOB_HOURS_SHOWN, memory = gib_hours >= JOB_HOURS_SHOWN;

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
	int64_t processes = page->report->used.processes, threads = page->report->used.threads_peak;

	if (threads >= 0)
		snprintf(threads_text, sizeof(threads_text), ", %lld thread%s at most at once", (long long)threads,
			 plural(threads));
	if (processes >= 0)
		snprintf(processes_text, sizeof(processes_text), "%lld", (long long)processes);
	page_paragraph(page, "Processes", "%s%s", processes_text, threads_text);
}

static void print_bytes(struct page *page, const char *label, int64_t in, const char *in_word, int64_t outward,
			const char *out_word)
{
	char one[SIZE_TEXT], other[SIZE_TEXT];
	const char *first = size(in, one), *second = size(outward, other);

	if (first || second)
		page_paragraph(page, label, "%s %s, %s %s", page_or_unknown(first), in_word, page_or_unknown(second),
			       out_word);
}

/* Says how many bytes were deleted before they reached the disk, because the disk then shows fewer bytes. */
static void print_storage(struct page *page)
{
	char read[SIZE_TEXT], written[SIZE_TEXT], cancelled[SIZE_TEXT];
	const struct report_used *used = &page->report->used;
	const char *in = size(used->read_bytes, read), *outward = size(used->write_bytes, written);
	int64_t bytes = used->cancelled_write_bytes;

	if (in || outward)
		page_paragraph(page, "Storage", "%s read, %s written%s%s%s", page_or_unknown(in),
			       page_or_unknown(outward), bytes > 0 ? ", of which " : "",
			       bytes > 0 ? size(bytes, cancelled) : "",
			       bytes > 0 ? " was deleted before it was written" : "");
}

static void print_traffic(struct page *page)
{
	const struct report_used *used = &page->report->used;
	double sockets = fmax((double)used->socket_rx_bytes, 0) + fmax((double)used->socket_tx_bytes, 0);

	print_storage(page);
	if (page->options->all)
		print_bytes(page, "System calls", used->syscall_read_bytes, "read", used->syscall_write_bytes, "written");
	if (page->options->all || sockets >= SOCKETS_SHOWN)
		print_bytes(page, "Sockets", used->socket_rx_bytes, "received", used->socket_tx_bytes, "sent");
}

static void print_name(struct page *page)
{
	const struct report_job *job = &page->report->job;
	char workflow[WORKFLOW_SHOWN], suspended[DURATION_TEXT];
	struct time_parts start, end;

	if (job->attempt > 1)
		page_line(page, "Attempt", "%lld", (long long)job->attempt);
	if (job->name && (page->options->all || strlen(job->name) > PAGE_NAME_COLUMNS)) /* the first line cuts a long name */
		page_line(page, "Job name", "%s", job->name);
	if (workflow_text(page->report, workflow, sizeof(workflow)))
		page_paragraph(page, "Workflow", "%s", workflow);
	if (!time_split(job->start, &start) || !time_split(job->end, &end))
		return;
	if (strcmp(start.day, end.day) == 0)
		*end.day = '\0';
	page_line(page, "Ran", "%s %s to %s%s%s (UTC%s)", start.day, start.clock, end.day, *end.day ? " " : "", end.clock,
		  end.zone);
	if (job->suspended_s.ns >= 0)
		page_paragraph(page, "Suspended by Slurm", "%s of that, which is not part of the job's time",
			       duration_text(report_s(job->suspended_s), suspended));
}

void page_summary(struct page *page)
{
	if (job_failed_late(page->report))
		print_verdict(page, "Verdict: ");
	print_peaks(page);
	print_cores(page);
	print_gpus(page);
	page_gpus_opened(page);
	print_waste(page);
	print_idle(page);
	print_counts(page);
	print_traffic(page);
	print_name(page);
}
