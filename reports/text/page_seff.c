/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines that seff prints, in its order. */
#include "reports/text/page.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "reports/json/field.h"
#include "reports/json/units.h"
#include "reports/rules/node_memory.h"
#include "reports/verdict/outcome.h"
#include "reports/wording/job_fields.h"

static void print_ids(struct page *page)
{
	struct json_object *report = page->report;
	char uid[JOB_NUMBER_TEXT], gid[JOB_NUMBER_TEXT];
	const char *user = job_owner(report, "job.user", "job.uid", uid);
	const char *group = job_owner(report, "job.group", "job.gid", gid);
	int64_t id = 0, array, task;

	field_count(report, "job.id", &id);
	page_line(page, "Job ID", "%lld", (long long)id);
	if (field_count(report, "job.array_job_id", &array) && field_count(report, "job.array_task_id", &task))
		page_line(page, "Array Job ID", "%lld_%lld", (long long)array, (long long)task);
	if (field_count(report, "job.het_job_id", &array) && field_count(report, "job.het_job_offset", &task))
		page_line(page, "Heterogeneous Job ID", "%lld+%lld", (long long)array, (long long)task);
	if (field_text(report, "job.cluster"))
		page_line(page, "Cluster", "%s", field_text(report, "job.cluster"));
	page_line(page, "User/Group", "%s/%s", user ? user : "?", group ? group : "?");
}

/* ---- the state ---- */

static void print_state(struct page *page)
{
	const char *state = field_text(page->report, "job.state");
	char ending[128] = "", name[SIGNAL_TEXT] = "", code_text[32] = PAGE_UNKNOWN;
	cleanup_free char *escaped = terminal_escape(page->options, page_or_unknown(state));
	int64_t code, signal;

	if (field_count(page->report, "job.exit_code", &code))
		snprintf(code_text, sizeof(code_text), "%lld", (long long)code);
	if (outcome_not_started(field_text(page->report, "verdict.outcome")))
		snprintf(name, sizeof(name), "not started");
	else if (field_count(page->report, "job.signal", &signal) && signal > 0)
		signal_text(signal, name);
	if (!job_has_no_end(state))
		snprintf(ending, sizeof(ending), " (exit code %s%s%s)", code_text, *name ? ", " : "", name);
	if (escaped)
		escape_cut(escaped, page->options->width - strlen("State: ") - strlen(ending));
	fputs("State: ", page->out);
	terminal_styled(page->options, job_state_style(state), escaped ? escaped : "?", page->out);
	fprintf(page->out, "%s\n", ending);
}

/* ---- its size ---- */

/* Finds the fewest and the most CPUs that a node gave. */
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

static void print_cpu(struct page *page)
{
	struct json_object *report = page->report;
	char used[DURATION_TEXT], given[DURATION_TEXT], wall[DURATION_TEXT];
	double efficiency, elapsed, cpus, used_s;

	page_line(page, "CPU Utilized", "%s",
		  field_number(report, "used.cpu_s", &used_s) ? duration_text(used_s, used) : PAGE_UNKNOWN);
	if (field_number(report, "used.cpu_efficiency", &efficiency) &&
	    field_number(report, "job.elapsed_s", &elapsed) && field_number(report, "allocated.cpus", &cpus))
		page_paragraph(page, "CPU Efficiency", "%.2f%% of %s core-walltime", 100 * efficiency,
			       duration_text(elapsed * cpus, given));
	else
		page_line(page, "CPU Efficiency", PAGE_UNKNOWN);
	page_line(page, "Job Wall-clock time", "%s",
		  field_number(report, "job.elapsed_s", &elapsed) ? duration_text(elapsed, wall) : PAGE_UNKNOWN);
}

static void print_memory(struct page *page)
{
	struct json_object *report = page->report;
	char used[SIZE_TEXT], per_node[SIZE_TEXT], whole[SIZE_TEXT];
	double efficiency, bytes, nodes, peak, at_peak = node_memory_at_peak(report);

	page_line(page, "Memory Utilized", "%s",
		  field_number(report, "used.memory_used_peak_bytes", &peak) ? size_text(peak, used) : PAGE_UNKNOWN);
	if (!field_number(report, "used.memory_efficiency", &efficiency) ||
	    !field_number(report, "requested.memory_bytes", &bytes) ||
	    !field_number(report, "requested.nodes", &nodes) || nodes < 1 || isnan(at_peak))
		page_line(page, "Memory Efficiency", PAGE_UNKNOWN);
	else if (nodes < 2)
		page_paragraph(page, "Memory Efficiency", "%.2f%% of %s (%s/node)", 100 * efficiency,
			       size_text(bytes, whole), size_text(bytes, per_node));
	else
		page_paragraph(page, "Memory Efficiency", "%.2f%% of %s/node (%s in all)", 100 * efficiency,
			       size_text(at_peak, per_node), size_text(bytes, whole));
}

void page_seff(struct page *page)
{
	print_ids(page);
	print_state(page);
	print_size_of_job(page);
	print_cpu(page);
	print_memory(page);
}
