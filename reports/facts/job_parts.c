/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/job_parts.h"

#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES 10 /* at most */
#define REST_MAX (JOB_MEASURE_COUNT + 16)
#define TOOL_NUMBERS 5
#define NODE_NUMBERS 5

static int out_of_memory(struct error *err)
{
	return error_set(err, "out of memory");
}

static int damaged(struct error *err)
{
	return error_set(err, "the database has a damaged job: 'stint ingest --rebuild' makes the database again");
}

/* ---- numbers ---- */

/* Writes seven bits in each byte, lowest bits first. Every byte but the last has the eighth bit set (LEB128). */
static void put(struct job_part *part, uint64_t number)
{
	uint8_t *to = part->data;

	for (; number >= 0x80; number >>= 7)
		to[part->size++] = (uint8_t)(number | 0x80);
	to[part->size++] = (uint8_t)number;
}

/*
 * Writes the difference between both numbers by zigzag encoding. If they are close, the number is small: 0, -1, 1,
 * -2, 2 ... become 0, 1, 2, 3, 4 ...
 */
static void put_difference(struct job_part *part, int64_t number, int64_t expected)
{
	uint64_t difference = (uint64_t)number - (uint64_t)expected;

	put(part, difference << 1 ^ (0 - (difference >> 63)));
}

struct reading {
	const uint8_t *at, *end;
	bool damaged;
};

static uint64_t get(struct reading *from)
{
	uint64_t number = 0;

	for (unsigned int shift = 0; from->at < from->end && shift < 64; shift += 7) {
		uint8_t byte = *from->at++;

		number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return number;
	}
	from->damaged = true;
	return 0;
}

static int64_t get_difference(struct reading *from, int64_t expected)
{
	uint64_t number = get(from);

	return (int64_t)((uint64_t)expected + (number >> 1 ^ (0 - (number & 1))));
}

static struct reading read_from(const struct database_value *value)
{
	const uint8_t *data = value->kind == VALUE_BYTES ? value->data : NULL;

	return (struct reading){ data, data ? data + value->size : NULL, false };
}

static int begin(struct job_part *part, size_t room, struct error *err)
{
	*part = (struct job_part){ .data = malloc(room + 1) };
	return part->data ? 0 : out_of_memory(err);
}

/* ---- numbers without a column ---- */

struct rest_number {
	int64_t *number, expected;
};

static bool is_typed(enum job_measure measure)
{
	switch (measure) {
#define JOB_MEASURE_CASE(measure, name) case JOB_##measure:
		JOB_TYPED_MEASURES(JOB_MEASURE_CASE)
#undef JOB_MEASURE_CASE
		return true;
	default:
		return false;
	}
}

/* Returns the most frequent value of a measure, computed from the columns. */
static int64_t expected_measure(const struct job_row *row, enum job_measure measure)
{
	switch (measure) {
	case JOB_QUEUED:
		return row->start_us < 0 || row->submit_us < 0 ? JOB_UNKNOWN : (row->start_us - row->submit_us) / 1000;
	case JOB_LIMIT_USED:
		return row->measure[JOB_LIMIT] < 0 ? JOB_UNKNOWN : row->measure[JOB_ELAPSED];
	case JOB_CPU_JUDGED:
		return row->measure[JOB_CPU_WASTED] < 0 ? JOB_UNKNOWN : row->measure[JOB_CPU_GIVEN];
	case JOB_NODE_GIVEN:
		return (int64_t)((uint64_t)row->measure[JOB_ELAPSED] * (uint64_t)row->nodes_expected);
	default:
		return 0;
	}
}

/* Lists the numbers in the order in which databases store them. Returns how many numbers there are. */
static size_t list_rest(struct fact *fact, struct rest_number *list)
{
	struct job_row *row = &fact->row;
	const struct rest_number plain[] = {
		{ &row->array_id, fact->job_id },
		{ &row->array_task, 0 },
		{ &row->het_id, JOB_UNKNOWN },
		{ &row->het_offset, JOB_UNKNOWN },
		{ &row->requested_nodes, row->nodes_expected },
		{ &row->requested_tasks, row->requested_cpus },
		{ &row->allocated_cores, row->allocated_cpus },
		{ &row->allocated_memory_bytes, row->requested_memory_bytes },
	};
	size_t count = sizeof(plain) / sizeof(plain[0]);

	memcpy(list, plain, sizeof(plain));
	for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++)
		if (!is_typed(i))
			list[count++] = (struct rest_number){ &row->measure[i], expected_measure(row, i) };
	return count;
}

int job_parts_rest(const struct fact *fact, struct job_part *part, struct error *err)
{
	struct fact copy = *fact;
	struct rest_number list[REST_MAX];
	size_t count = list_rest(&copy, list);

	if (begin(part, count * NUMBER_BYTES, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		put_difference(part, *list[i].number, list[i].expected);
	return 0;
}

int job_parts_take_rest(struct fact *fact, const struct database_value *value, struct error *err)
{
	struct reading from = read_from(value);
	struct rest_number list[REST_MAX];
	size_t count = list_rest(fact, list);

	for (size_t i = 0; i < count; i++)
		*list[i].number = get_difference(&from, list[i].expected);
	return from.damaged ? damaged(err) : 0;
}

/* ---- tools ---- */

int job_parts_tools(const struct fact *fact, struct job_part *part, struct error *err)
{
	if (begin(part, fact->row.tool_count * TOOL_NUMBERS * NUMBER_BYTES, err) < 0)
		return -1;
	for (size_t i = 0; i < fact->row.tool_count; i++) {
		const struct job_row_tool *tool = &fact->row.tools[i];

		put(part, (uint64_t)fact->tools[i]);
		put(part, (uint64_t)(tool->runs + 1));
		put(part, (uint64_t)(tool->failures + 1));
		put(part, (uint64_t)(tool->cpu_ms + 1));
		put(part, (uint64_t)(tool->wall_ms + 1));
	}
	return 0;
}

/*
 * Returns how many lists the remaining bytes contain, if each list has @numbers numbers. A byte below 0x80 ends each
 * number.
 */
static size_t count_lists(const struct reading *from, size_t numbers)
{
	size_t count = 0;

	for (const uint8_t *at = from->at; at < from->end; at++)
		count += *at < 0x80;
	return count / numbers;
}

int job_parts_take_tools(struct fact *fact, const struct database_value *value, struct error *err)
{
	struct reading from = read_from(value);
	size_t count = count_lists(&from, TOOL_NUMBERS);

	fact->tools = calloc(count + 1, sizeof(*fact->tools));
	fact->row.tools = calloc(count + 1, sizeof(*fact->row.tools));
	if (!fact->tools || !fact->row.tools)
		return out_of_memory(err);
	fact->row.tool_count = count;
	for (size_t i = 0; i < count; i++) {
		struct job_row_tool *tool = &fact->row.tools[i];

		fact->tools[i] = (int64_t)get(&from);
		tool->runs = (int64_t)get(&from) - 1;
		tool->failures = (int64_t)get(&from) - 1;
		tool->cpu_ms = (int64_t)get(&from) - 1;
		tool->wall_ms = (int64_t)get(&from) - 1;
	}
	return from.damaged || from.at != from.end ? damaged(err) : 0;
}

/* ---- nodes ---- */

struct node_numbers {
	int64_t *number[NODE_NUMBERS - 1], expected[NODE_NUMBERS - 1];
};

/* Returns the numbers to expect for a node. The only node of a job is expected to have the job's numbers. */
static struct node_numbers node_numbers(struct job_row_node *node, const struct fact *fact, size_t count)
{
	const int64_t *measure = fact->row.measure;
	struct node_numbers numbers = { .number = { &node->cpu_given_core_ms, &node->cpu_used_core_ms,
						    &node->mem_given_mib_s, &node->mem_used_mib_s } };
	const int64_t whole[] = { measure[JOB_CPU_GIVEN], measure[JOB_CPU_USED], measure[JOB_MEM_GIVEN],
				  measure[JOB_MEM_USED] };

	if (count == 1)
		memcpy(numbers.expected, whole, sizeof(whole));
	return numbers;
}

int job_parts_nodes(const struct fact *fact, struct job_part *part, struct error *err)
{
	size_t count = fact->row.node_count;

	if (begin(part, count * NODE_NUMBERS * NUMBER_BYTES, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct node_numbers numbers = node_numbers(&fact->row.nodes[i], fact, count);

		put(part, (uint64_t)fact->nodes[i]);
		for (size_t k = 0; k + 1 < NODE_NUMBERS; k++)
			put_difference(part, *numbers.number[k], numbers.expected[k]);
	}
	return 0;
}

int job_parts_take_nodes(struct fact *fact, const struct database_value *value, struct error *err)
{
	struct reading from = read_from(value);
	size_t count = count_lists(&from, NODE_NUMBERS);

	fact->nodes = calloc(count + 1, sizeof(*fact->nodes));
	fact->row.nodes = calloc(count + 1, sizeof(*fact->row.nodes));
	if (!fact->nodes || !fact->row.nodes)
		return out_of_memory(err);
	fact->row.node_count = count;
	for (size_t i = 0; i < count; i++) {
		struct node_numbers numbers = node_numbers(&fact->row.nodes[i], fact, count);

		fact->nodes[i] = (int64_t)get(&from);
		fact->row.nodes[i].present = true;
		for (size_t k = 0; k + 1 < NODE_NUMBERS; k++)
			*numbers.number[k] = get_difference(&from, numbers.expected[k]);
	}
	return from.damaged || from.at != from.end ? damaged(err) : 0;
}

/* ---- lines ---- */

int job_parts_lines(const struct job_lines *lines, struct job_part *part, struct error *err)
{
	size_t room = 0;

	for (size_t i = 0; i < lines->count; i++)
		room += NUMBER_BYTES + lines->list[i]->packed_size;
	if (begin(part, room, err) < 0)
		return -1;
	for (size_t i = 0; i < lines->count; i++) {
		put(part, lines->list[i]->packed_size);
		memcpy((char *)part->data + part->size, lines->list[i]->packed, lines->list[i]->packed_size);
		part->size += lines->list[i]->packed_size;
	}
	return 0;
}

int job_parts_each_line(const struct database_value *value, job_parts_line *each, void *context, struct error *err)
{
	struct reading from = read_from(value);

	while (from.at < from.end) {
		uint64_t size = get(&from);

		if (from.damaged || size > (uint64_t)(from.end - from.at))
			return damaged(err);
		if (each(context, from.at, size, err) < 0)
			return -1;
		from.at += size;
	}
	return 0;
}
