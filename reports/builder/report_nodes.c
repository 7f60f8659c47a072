/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_nodes.h"

#include <stdint.h>

#include "reports/builder/report_cores.h"
#include "reports/builder/report_file_systems.h"
#include "reports/builder/report_states.h"
#include "reports/json/field.h"
#include "reports/json/gaps.h"
#include "reports/records/record_input.h"
#include "reports/records/report_totals.h"

/* How many cores the job was bound to, and on how many of these its threads ever ran. */
static void put_cores_used(struct json_object *record, struct json_object *allocated)
{
	int64_t bound, used, loaded;

	if (!cores_count_used(record, &used) || !cores_count(record, &bound))
		return;
	put_count(allocated, "cores_bound", bound);
	put_count(allocated, "cores_used", used);
	if (cores_count_loaded(record, &loaded))
		put_count(allocated, "cores_loaded", loaded);
}

static void put_allocated(struct json_object *record, struct json_object *allocated)
{
	int64_t value;

	if (field_count(record, "allocated.cpus", &value))
		put_count(allocated, "cpus", value);
	put_text(allocated, "cpu_list", field_text(record, "allocated.cpu_list"));
	cores_put(record, allocated);
	put_cores_used(record, allocated);
	if (field_count(record, "allocated.memory_bytes", &value))
		put_count(allocated, "memory_bytes", value);
	if (numbers_count(field_typed(record, "totals", json_type_object), NUMBER_MEMORY_LIMIT, &value))
		put_count(allocated, "memory_limit_bytes", value);
}

static void put_for_row(const struct totals *totals, struct json_object *used, struct json_object *states)
{
	totals_put_for_row(totals, used);
	sums_put_one(&totals->sums, SUM_RUNNABLE, states);
}

static struct json_object *node_object(struct json_object *record, bool for_row)
{
	struct json_object *node = json_object_new_object(), *used, *states, *gaps;
	struct totals totals = { 0 };
	struct numbers room;

	put_text(node, "name", record_node(record));
	put_flag(node, "complete", field_true(record, "complete"));
	put_allocated(record, put_object(node, "allocated"));
	used = put_object(node, "used");
	states = put_object(node, "states");
	totals_add(&totals, record_numbers(record, &room), record_node(record));
	if (for_row) {
		put_for_row(&totals, used, states);
		return node;
	}
	gaps = put_array(node, "gaps");
	gaps_merge(gaps, field_typed(record, "gaps", json_type_array), NULL);
	totals_put_used(&totals, used, gaps);
	file_systems_put(&record, 1, used, gaps);
	states_put(&totals.sums, &record, record_unused(record) ? 0 : 1, false, states, gaps);
	put_text(node, "collector_version", field_text(record, "collector.version"));
	return node;
}

static struct json_object *missing_object(const struct build_missing *missing)
{
	struct json_object *node = json_object_new_object();

	put_text(node, "name", missing->node);
	put_flag(node, "complete", false);
	gaps_add(put_array(node, "gaps"), "nodes", missing->reason);
	return node;
}

struct json_object *nodes_build(const struct build_input *input)
{
	struct json_object *nodes = json_object_new_array();

	for (size_t i = 0; i < input->record_count; i++) {
		struct json_object *record = input->records[i], *node = node_object(record, input->for_row != NULL);

		if (input->for_row && input->record_count > 1) /* else the job's states say the same */
			states_put_live(&record, record_unused(record) ? 0 : 1, field_find(node, "states"));
		json_object_array_add(nodes, node);
	}
	for (size_t i = 0; i < input->missing_count; i++)
		json_object_array_add(nodes, missing_object(&input->missing[i]));
	return nodes;
}
