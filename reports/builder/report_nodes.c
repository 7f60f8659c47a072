/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_nodes.h"

#include <stdint.h>

#include "reports/builder/report_cores.h"
#include "reports/builder/report_file_systems.h"
#include "reports/builder/report_states.h"
#include "reports/records/making.h"
#include "reports/records/record.h"
#include "reports/records/record_parts.h"
#include "reports/records/report_totals.h"

static void put_cores_used(const struct record *record, struct report_node_allocated *allocated)
{
	int64_t bound, used;

	if (!cores_count_used(record, &used) || !cores_count(record, &bound))
		return;
	allocated->cores_bound = bound;
	allocated->cores_used = used;
	if (!cores_count_loaded(record, &allocated->cores_loaded))
		allocated->cores_loaded = REPORT_UNKNOWN;
}

static void put_allocated(const struct record *record, struct report *report, struct report_node_allocated *allocated)
{
	allocated->known = true;
	allocated->cpus = record->allocated.cpus;
	allocated->cpu_list = report_copy(report, record->allocated.cpu_list);
	cores_put(record, report, &allocated->cores);
	put_cores_used(record, allocated);
	allocated->memory_bytes = record->allocated.memory_bytes;
	allocated->memory_limit_bytes = record->totals.memory_limit_bytes;
}

static void put_for_row(const struct totals *totals, struct report_node *node)
{
	totals_put_for_row(totals, &node->used.totals);
	node->states.runnable_s.ns = sums_value(&totals->sums, SUM_RUNNABLE);
}

static void put_uses(const struct record *record, const struct totals *totals, struct report *report, struct report_node *node)
{
	struct making making = { .report = report, .gaps = &node->gaps };

	node->gaps.known = true;
	making_add_gaps(&making, &record->gaps, NULL);
	totals_put_used(totals, &node->used.totals, &node->used.network, &making);
	file_systems_put(&record, 1, &node->used.file_systems, &making);
	states_put(&totals->sums, &record, record_unused(record) ? 0 : 1, false, &node->states, &making);
	node->collector_version = report_copy(report, record->collector.version);
	making_end(&making);
}

/* Returns the new node. Adding another node makes the pointer invalid. */
static struct report_node *add_node(struct report *report, const char *name, bool complete)
{
	struct report_node *node = REPORT_ADD(report, &report->nodes, node);

	node->name = report_copy(report, name);
	node->complete = (struct report_flag){ true, complete };
	return node;
}

static struct report_node *put_node(const struct record *record, struct report *report, bool for_row)
{
	struct report_node *node = add_node(report, record_node(record), record->complete);
	struct totals totals = { 0 };

	put_allocated(record, report, &node->allocated);
	node->used.known = true;
	node->states.known = true;
	totals_add(&totals, &record->totals, record_node(record));
	if (for_row)
		put_for_row(&totals, node);
	else
		put_uses(record, &totals, report, node);
	return node;
}

static void put_missing(const struct build_missing *missing, struct report *report)
{
	struct report_node *node = add_node(report, missing->node, false);
	struct report_gap *gap = REPORT_ADD(report, &node->gaps, gap);

	gap->name = "nodes";
	gap->reason = report_copy(report, missing->reason);
}

void nodes_put(const struct build_input *input, struct report *report)
{
	report->nodes.known = true;
	for (size_t i = 0; i < input->record_count; i++) {
		const struct record *record = input->records[i];
		struct report_node *node = put_node(record, report, input->for_row != NULL);

		if (input->for_row && input->record_count > 1) /* a single record has the same states as the job */
			states_put_live(&record, record_unused(record) ? 0 : 1, &node->states);
	}
	for (size_t i = 0; i < input->missing_count; i++)
		put_missing(&input->missing[i], report);
}
