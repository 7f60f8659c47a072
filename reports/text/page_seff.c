/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the lines of seff, in its order. */
#include "reports/text/page.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "reports/json/units.h"
#include "reports/rules/peak_memory.h"
#include "reports/verdict/outcome.h"
#include "reports/wording/job_fields.h"

static void print_ids(struct page *page)
{
	const struct report_job *job = &page->report->job;
	char uid[JOB_NUMBER_TEXT], gid[JOB_NUMBER_TEXT];
	const char *user = job_owner(job->user, job->uid, uid), *group = job_owner(job->group, job->gid, gid);

	page_line(page, "Job ID", "%lld", job->id < 0 ? 0 : (long long)job->id);
	if (job->array_job_id >= 0 && job->array_task_id >= 0)
		page_line(page, "Array Job ID", "%lld_%lld", (long long)job->array_job_id, (long long)job->array_task_id);
	if (job->het_job_id >= 0 && job->het_job_offset >= 0)
		page_line(page, "Heterogeneous Job ID", "%lld+%lld", (long long)job->het_job_id,
			  (long long)job->het_job_offset);
	if (job->cluster)
		page_line(page, "Cluster", "%s", job->cluster);
	page_line(page, "User/Group", "%s/%s", user ? user : "?", group ? group : "?");
}

static void print_state(struct page *page)
{
	const struct report_job *job = &page->report->job;
	char ending[128] = "", name[SIGNAL_TEXT] = "", code_text[32] = PAGE_UNKNOWN;
	cleanup_free char *escaped = terminal_escape(page->options, page_or_unknown(job->state));

	if (job->exit_code >= 0)
		snprintf(code_text, sizeof(code_text), "%lld", (long long)job->exit_code);
	if (outcome_not_started(page->report->verdict.outcome))
		snprintf(name, sizeof(name), "not started");
	else if (job->signal > 0)
		signal_text(job->signal, name);
	if (!job_has_no_end(job->state))
		snprintf(ending, sizeof(ending), " (exit code %s%s%s)", code_text, *name ? ", " : "", name);
	if (escaped)
		escape_cut(escaped, page->options->width - strlen("State: ") - strlen(ending));
	fputs("State: ", page->out);
	terminal_styled(page->options, job_state_style(job->state), escaped ? escaped : "?", page->out);
	fprintf(page->out, "%s\n", ending);
}

static bool cpus_per_node(const struct report *report, int64_t *fewest, int64_t *most)
{
	*fewest = INT64_MAX;
	*most = 0;
	if (report->allocated.nodes == 1 && report->allocated.cpus >= 0) {
		*fewest = *most = report->allocated.cpus;
		return true;
	}
	for (size_t i = 0; i < report->nodes.count; i++) {
		int64_t cpus = report->nodes.items[i].allocated.cpus;

		if (cpus < 0)
			continue;
		*fewest = cpus < *fewest ? cpus : *fewest;
		*most = cpus > *most ? cpus : *most;
	}
	return *most > 0;
}

static void print_size_of_job(struct page *page)
{
	int64_t nodes = page->report->allocated.nodes, fewest, most;

	if (nodes >= 0)
		page_line(page, "Nodes", "%lld", (long long)nodes);
	if (!cpus_per_node(page->report, &fewest, &most))
		page_line(page, "Cores per node", PAGE_UNKNOWN);
	else if (fewest == most)
		page_line(page, "Cores per node", "%lld", (long long)most);
	else
		page_line(page, "Cores per node", "%lld to %lld", (long long)fewest, (long long)most);
}

static void print_cpu(struct page *page)
{
	const struct report *report = page->report;
	char used[DURATION_TEXT], given[DURATION_TEXT], wall[DURATION_TEXT];
	double efficiency = report->used.cpu_efficiency, elapsed = report_s(report->job.elapsed_s);
	double cpus = (double)report->allocated.cpus, used_s = report_s(report->used.cpu_s);

	page_line(page, "CPU Utilized", "%s", isnan(used_s) ? PAGE_UNKNOWN : duration_text(used_s, used));
	if (isnan(efficiency) || isnan(elapsed) || cpus < 0)
		page_line(page, "CPU Efficiency", PAGE_UNKNOWN);
	else
		page_paragraph(page, "CPU Efficiency", "%.2f%% of %s core-walltime", 100 * efficiency,
			       duration_text(elapsed * cpus, given));
	page_line(page, "Job Wall-clock time", "%s", isnan(elapsed) ? PAGE_UNKNOWN : duration_text(elapsed, wall));
}

static void print_memory(struct page *page)
{
	const struct report *report = page->report;
	char used[SIZE_TEXT], per_node[SIZE_TEXT], whole[SIZE_TEXT];
	double bytes = (double)report->requested.memory_bytes;
	int64_t nodes = report->requested.nodes;
	struct peak_memory peak;

	peak_memory_read(report, &peak);
	page_line(page, "Memory Utilized", "%s%s", isnan(peak.bytes) ? PAGE_UNKNOWN : size_text(peak.bytes, used),
		  peak.or_more ? " or more" : "");
	if (isnan(peak.share) || bytes < 0 || nodes < 1 || isnan(peak.given))
		page_line(page, "Memory Efficiency", PAGE_UNKNOWN);
	else if (nodes < 2)
		page_paragraph(page, "Memory Efficiency", "%.2f%% of %s (%s/node)", 100 * peak.share,
			       size_text(bytes, whole), size_text(bytes, per_node));
	else
		page_paragraph(page, "Memory Efficiency", "%.2f%% of %s/node (%s in all)", 100 * peak.share,
			       size_text(peak.given, per_node), size_text(bytes, whole));
}

void page_seff(struct page *page)
{
	print_ids(page);
	print_state(page);
	print_size_of_job(page);
	print_cpu(page);
	print_memory(page);
}
