/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/fact.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const struct job_row *row, enum name_kind kind)
{
	const char *const texts[NAME_JOB_KINDS] = { row->user,  row->account, row->partition, row->qos,
						    row->state, row->engine,  row->rule };

	return texts[kind];
}

int fact_want_names(const struct fact *fact, struct names *names, struct error *err)
{
	const struct job_row *row = &fact->row;

	for (enum name_kind kind = 0; kind < NAME_JOB_KINDS; kind++)
		if (names_want(names, fact->cluster, kind, text_of(row, kind), err) < 0)
			return -1;
	for (size_t i = 0; i < row->tool_count; i++)
		if (names_want(names, fact->cluster, NAME_TOOL, row->tools[i].name, err) < 0)
			return -1;
	for (size_t i = 0; i < row->node_count; i++)
		if (row->nodes[i].present && names_want(names, fact->cluster, NAME_NODE, row->nodes[i].name, err) < 0)
			return -1;
	return 0;
}

/* Two tools may have one name: what the names are cut to, a node twice in forged lines. They are one row then. */
static size_t place_of_id(const int64_t *list, size_t count, int64_t id)
{
	size_t i = 0;

	while (i < count && list[i] != id)
		i++;
	return i;
}

static int64_t plus(int64_t a, int64_t b)
{
	return a < 0 ? b : b < 0 ? a : a + b;
}

static void take_tools(struct fact *fact, struct names *names)
{
	struct job_row *row = &fact->row;
	size_t kept = 0;

	for (size_t i = 0; i < row->tool_count; i++) {
		struct job_row_tool *tool = &row->tools[i];
		int64_t id = names_id(names, fact->cluster, NAME_TOOL, tool->name);
		size_t at = place_of_id(fact->tools, kept, id);

		free(tool->name);
		tool->name = NULL;
		if (at == kept) {
			fact->tools[kept] = id;
			row->tools[kept++] = *tool;
			continue;
		}
		row->tools[at].runs = plus(row->tools[at].runs, tool->runs);
		row->tools[at].failures = plus(row->tools[at].failures, tool->failures);
		row->tools[at].cpu_ms = plus(row->tools[at].cpu_ms, tool->cpu_ms);
		row->tools[at].wall_ms = plus(row->tools[at].wall_ms, tool->wall_ms);
	}
	row->tool_count = kept;
}

static void take_nodes(struct fact *fact, struct names *names)
{
	struct job_row *row = &fact->row;
	size_t kept = 0;

	for (size_t i = 0; i < row->node_count; i++) {
		struct job_row_node node = row->nodes[i];
		int64_t id = node.present ? names_id(names, fact->cluster, NAME_NODE, node.name) : 0;

		free(node.name);
		node.name = NULL;
		if (!id || place_of_id(fact->nodes, kept, id) != kept)
			continue;
		fact->nodes[kept] = id;
		row->nodes[kept++] = node;
	}
	row->node_count = kept;
}

int fact_take_names(struct fact *fact, struct names *names, struct error *err)
{
	fact->tools = calloc(fact->row.tool_count + 1, sizeof(*fact->tools));
	fact->nodes = calloc(fact->row.node_count + 1, sizeof(*fact->nodes));
	if (!fact->tools || !fact->nodes)
		return error_set(err, "out of memory");
	for (enum name_kind kind = 0; kind < NAME_JOB_KINDS; kind++)
		fact->names[kind] = names_id(names, fact->cluster, kind, text_of(&fact->row, kind));
	take_tools(fact, names);
	take_nodes(fact, names);
	return 0;
}

/* ---- to rows ---- */

static void put_key(const struct fact *fact, struct database_value *values)
{
	values[0] = database_int(fact->cluster);
	values[1] = database_int(fact->job_id);
	values[2] = database_int(fact->submit);
	values[3] = database_int(fact->attempt);
}

void fact_put_job(const struct fact *fact, struct database_value *values)
{
	const struct job_row *row = &fact->row;
	size_t at = JOB_AT_NUMBERS;

	put_key(fact, values);
	for (enum name_kind kind = 0; kind < NAME_JOB_KINDS; kind++)
		values[JOB_AT_NAMES + kind] = database_int(fact->names[kind]);
	values[JOB_AT_NAME] = (struct database_value){ .kind = row->name ? VALUE_TEXT : VALUE_NULL, .data = row->name,
						       .size = row->name ? strlen(row->name) : 0 };
	values[JOB_AT_SUBMIT_US] = database_count(row->submit_us);
#define JOB_NUMBER_PUT(column) values[at++] = database_count(row->column);
	JOB_NUMBERS(JOB_NUMBER_PUT)
#undef JOB_NUMBER_PUT
	values[JOB_AT_HOW] = database_int(end_number(row->how));
	values[JOB_AT_VERDICT] = database_int(verdict_number(row->verdict));
	values[JOB_AT_FINDINGS] = database_int((int64_t)findings_to_numbers(row->findings));
	for (size_t i = 0; i < JOB_MEASURE_COUNT; i++)
		values[JOB_AT_MEASURES + i] = database_count(row->measure[i]);
	for (size_t i = JOB_AT_LATER; i < JOB_COLUMNS; i++)
		values[i] = (struct database_value){ .kind = VALUE_NULL };
}

void fact_put_tool(const struct fact *fact, size_t i, struct database_value *values)
{
	const struct job_row_tool *tool = &fact->row.tools[i];

	put_key(fact, values);
	values[TOOL_AT_TOOL] = database_int(fact->tools[i]);
	values[TOOL_AT_RUNS] = database_count(tool->runs);
	values[TOOL_AT_FAILURES] = database_count(tool->failures);
	values[TOOL_AT_CPU] = database_count(tool->cpu_ms);
	values[TOOL_AT_WALL] = database_count(tool->wall_ms);
}

/* ---- from rows ---- */

static int64_t count_of(const struct database_value *value)
{
	return value->kind == VALUE_INT ? value->number : JOB_UNKNOWN;
}

int fact_from_job(struct fact *fact, const struct database_value *values, struct error *err)
{
	struct job_row *row = &fact->row;
	const struct database_value *name = &values[JOB_AT_NAME];
	size_t at = JOB_AT_NUMBERS;

	*fact = (struct fact){ .cluster = values[0].number, .job_id = values[1].number,
			       .submit = values[2].number, .attempt = values[3].number };
	for (enum name_kind kind = 0; kind < NAME_JOB_KINDS; kind++)
		fact->names[kind] = values[JOB_AT_NAMES + kind].number;
	row->id = fact->job_id;
	row->attempt = fact->attempt;
	row->submit_us = count_of(&values[JOB_AT_SUBMIT_US]);
#define JOB_NUMBER_TAKE(column) row->column = count_of(&values[at++]);
	JOB_NUMBERS(JOB_NUMBER_TAKE)
#undef JOB_NUMBER_TAKE
	row->how = end_of_number((int)values[JOB_AT_HOW].number);
	row->verdict = verdict_of_number((int)values[JOB_AT_VERDICT].number);
	row->findings = findings_of_numbers((uint64_t)values[JOB_AT_FINDINGS].number);
	for (size_t i = 0; i < JOB_MEASURE_COUNT; i++)
		row->measure[i] = count_of(&values[JOB_AT_MEASURES + i]);
	if (name->kind == VALUE_TEXT && !(row->name = strndup(name->data, name->size)))
		return error_set(err, "out of memory");
	return 0;
}

/* Makes room for one more in both lists. */
static int more(void **list, size_t size, int64_t **ids, size_t count, struct error *err)
{
	void *bigger;

	if (count & (count - 1))
		return 0;
	bigger = reallocarray(*list, count ? 2 * count : 1, size);
	if (!bigger)
		return error_set(err, "out of memory");
	*list = bigger;
	bigger = reallocarray(*ids, count ? 2 * count : 1, sizeof(**ids));
	if (!bigger)
		return error_set(err, "out of memory");
	*ids = bigger;
	return 0;
}

int fact_add_tool(struct fact *fact, const struct database_value *values, struct error *err)
{
	struct job_row *row = &fact->row;
	void *list = row->tools;
	int result = more(&list, sizeof(row->tools[0]), &fact->tools, row->tool_count, err);

	row->tools = list;
	if (result < 0)
		return -1;
	fact->tools[row->tool_count] = values[TOOL_AT_TOOL].number;
	row->tools[row->tool_count++] = (struct job_row_tool){
		.runs = count_of(&values[TOOL_AT_RUNS]), .failures = count_of(&values[TOOL_AT_FAILURES]),
		.cpu_ms = count_of(&values[TOOL_AT_CPU]), .wall_ms = count_of(&values[TOOL_AT_WALL]),
	};
	return 0;
}

int fact_add_node(struct fact *fact, const struct database_value *values, struct error *err)
{
	struct job_row *row = &fact->row;
	void *list = row->nodes;
	int result = more(&list, sizeof(row->nodes[0]), &fact->nodes, row->node_count, err);

	row->nodes = list;
	if (result < 0)
		return -1;
	fact->nodes[row->node_count] = values[NODE_AT_NODE].number;
	row->nodes[row->node_count++] = (struct job_row_node){
		.present = true,
		.cpu_given_core_ms = count_of(&values[NODE_AT_CPU_GIVEN]), .cpu_used_core_ms = count_of(&values[NODE_AT_CPU_USED]),
		.mem_given_mib_s = count_of(&values[NODE_AT_MEM_GIVEN]), .mem_used_mib_s = count_of(&values[NODE_AT_MEM_USED]),
	};
	return 0;
}

void fact_free(struct fact *fact)
{
	job_row_free(&fact->row);
	free(fact->tools);
	free(fact->nodes);
	fact->tools = fact->nodes = NULL;
}
