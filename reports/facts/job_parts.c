/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/job_parts.h"

#include <stdlib.h>
#include <string.h>

#include "reports/facts/number_lists.h"

static int out_of_memory(struct error *err)
{
	return error_set(err, "out of memory");
}

static int damaged(struct error *err)
{
	return error_set(err, "the database has a damaged job: 'stint ingest --rebuild' makes the database again");
}

/* ---- tools ---- */

static int64_t or_null(int64_t number)
{
	return number < 0 ? NUMBER_LISTS_NULL : number;
}

static int64_t or_unknown(int64_t number)
{
	return number == NUMBER_LISTS_NULL ? JOB_UNKNOWN : number;
}

/* Sets @part to the text of @lists lists. Frees @values. */
static int put_lists(struct job_part *part, int64_t *values, size_t lists, size_t numbers, struct error *err)
{
	void *exact;

	*part = (struct job_part){ .data = values && lists ? malloc(number_lists_room(lists, numbers)) : NULL };
	if (part->data) {
		part->size = number_lists_put(part->data, values, lists, numbers);
		exact = realloc(part->data, part->size); /* the room for the longest numbers is ten times what most lists need */
		part->data = exact ? exact : part->data;
	}
	free(values);
	return part->data || (values && !lists) ? 0 : out_of_memory(err);
}

int job_parts_tools(const struct fact *fact, struct job_part *part, struct error *err)
{
	size_t count = fact->row.tool_count;
	int64_t *values = calloc(count + 1, JOB_TOOL_NUMBERS * sizeof(*values));

	for (size_t i = 0; values && i < count; i++) {
		const struct job_row_tool *tool = &fact->row.tools[i];
		const int64_t numbers[JOB_TOOL_NUMBERS] = { fact->tools[i], or_null(tool->runs), or_null(tool->failures),
							    or_null(tool->cpu_ms), or_null(tool->wall_ms) };

		memcpy(values + i * JOB_TOOL_NUMBERS, numbers, sizeof(numbers));
	}
	return put_lists(part, values, count, JOB_TOOL_NUMBERS, err);
}

static struct job_row_tool tool_of(const int64_t numbers[JOB_TOOL_NUMBERS])
{
	return (struct job_row_tool){ .runs = or_unknown(numbers[1]), .failures = or_unknown(numbers[2]),
				      .cpu_ms = or_unknown(numbers[3]), .wall_ms = or_unknown(numbers[4]) };
}

int job_parts_add_tools(const struct database_value *value, struct job_group *group, struct error *err)
{
	struct number_lists lists = number_lists_begin(value->data, value->size);
	int64_t numbers[JOB_TOOL_NUMBERS];

	while (number_lists_next(&lists, numbers, JOB_TOOL_NUMBERS)) {
		const struct job_row_tool tool = tool_of(numbers);

		job_group_add_tool(group, &tool, 1);
	}
	return lists.damaged ? damaged(err) : 0;
}

int job_parts_take_tools(struct fact *fact, const struct database_value *value, struct error *err)
{
	struct number_lists lists = number_lists_begin(value->data, value->size);
	size_t room = number_lists_count(value->data, value->size);
	int64_t numbers[JOB_TOOL_NUMBERS];

	fact->tools = calloc(room + 1, sizeof(*fact->tools));
	fact->row.tools = calloc(room + 1, sizeof(*fact->row.tools));
	if (!fact->tools || !fact->row.tools)
		return out_of_memory(err);
	for (size_t i = 0; i < room && number_lists_next(&lists, numbers, JOB_TOOL_NUMBERS); i++) {
		fact->tools[i] = or_unknown(numbers[0]);
		fact->row.tools[i] = tool_of(numbers);
		fact->row.tool_count = i + 1;
	}
	return number_lists_next(&lists, numbers, JOB_TOOL_NUMBERS) || lists.damaged ? damaged(err) : 0;
}

/* ---- nodes ---- */

const enum job_measure job_parts_node_measures[JOB_NODE_NUMBERS - 1] = { JOB_CPU_GIVEN, JOB_CPU_USED, JOB_MEM_GIVEN, JOB_MEM_USED };

/* Returns the number that null stands for: the job's own number if the job has one node, otherwise JOB_UNKNOWN. */
static int64_t expected_of(const struct fact *fact, size_t nodes, size_t number)
{
	return nodes == 1 ? fact->row.measure[job_parts_node_measures[number]] : JOB_UNKNOWN;
}

int job_parts_nodes(const struct fact *fact, struct job_part *part, struct error *err)
{
	size_t count = fact->row.node_count;
	int64_t *values = calloc(count + 1, JOB_NODE_NUMBERS * sizeof(*values)), *to = values;

	for (size_t i = 0; values && i < count; i++) {
		const struct job_row_node *node = &fact->row.nodes[i];
		const int64_t numbers[] = { node->cpu_given_core_ms, node->cpu_used_core_ms, node->mem_given_mib_s,
					    node->mem_used_mib_s };

		*to++ = fact->nodes[i];
		for (size_t k = 0; k + 1 < JOB_NODE_NUMBERS; k++)
			*to++ = numbers[k] == expected_of(fact, count, k) ? NUMBER_LISTS_NULL : numbers[k];
	}
	return put_lists(part, values, count, JOB_NODE_NUMBERS, err);
}

int job_parts_take_nodes(struct fact *fact, const struct database_value *value, struct error *err)
{
	struct number_lists lists = number_lists_begin(value->data, value->size);
	size_t room = number_lists_count(value->data, value->size);
	int64_t numbers[JOB_NODE_NUMBERS];

	fact->nodes = calloc(room + 1, sizeof(*fact->nodes));
	fact->row.nodes = calloc(room + 1, sizeof(*fact->row.nodes));
	if (!fact->nodes || !fact->row.nodes)
		return out_of_memory(err);
	for (size_t i = 0; i < room && number_lists_next(&lists, numbers, JOB_NODE_NUMBERS); i++) {
		struct job_row_node *node = &fact->row.nodes[i];
		int64_t *const to[] = { &node->cpu_given_core_ms, &node->cpu_used_core_ms, &node->mem_given_mib_s,
					&node->mem_used_mib_s };

		fact->nodes[i] = or_unknown(numbers[0]);
		node->present = true;
		for (size_t k = 0; k + 1 < JOB_NODE_NUMBERS; k++)
			*to[k] = numbers[k + 1] == NUMBER_LISTS_NULL ? expected_of(fact, room, k) : numbers[k + 1];
		fact->row.node_count = i + 1;
	}
	return number_lists_next(&lists, numbers, JOB_NODE_NUMBERS) || lists.damaged ? damaged(err) : 0;
}
