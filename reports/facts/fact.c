/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/facts/fact.h"

#include <stdlib.h>
#include <string.h>

#include "reports/facts/job_parts.h"
#include "reports/facts/site_days.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *text_of(const struct job_row *row, enum name_kind kind)
{
	const char *const texts[NAME_JOB_KINDS] = { row->user,  row->account, row->partition, row->qos,
						    row->state, row->engine,  row->rule,	   row->gpu_model };

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

/*
 * Returns the position of @id in the list; @count if it is not there. An id can occur twice: names are cut, and a
 * forged line may name a node twice.
 */
static size_t place_of_id(const int64_t *list, size_t count, int64_t id)
{
	size_t i = 0;

	while (i < count && list[i] != id)
		i++;
	return i;
}

static int64_t submit_us(const struct fact *fact)
{
	return fact->submit < 0 ? JOB_UNKNOWN : fact->submit * 1000000;
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

/* Sets numbers that are too large for their columns to unknown, because they must be forged. */
static void bound(struct fact *fact)
{
	struct job_row *row = &fact->row;

	for (enum name_kind kind = 0; kind < NAME_JOB_KINDS; kind++)
		if (!database_fits(table_job.columns[JOB_AT_NAMES + kind].type, fact->names[kind]))
			fact->names[kind] = 0;
#define JOB_NUMBER_BOUND(column, type, expected)    \
	if (!database_fits(type, row->column)) \
		row->column = JOB_UNKNOWN;
	JOB_NUMBERS(JOB_NUMBER_BOUND)
#undef JOB_NUMBER_BOUND
	for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++)
		if (measure_place(i) >= 0 && !database_fits(table_job.columns[job_measure_column(i)].type, row->measure[i]))
			row->measure[i] = JOB_UNKNOWN;
	measures_agree(row->measure);
	measures_compute(row->measure);
	job_row_efficiencies(row);
	row->submit_us = submit_us(fact);
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
	bound(fact);
	return 0;
}

/* ---- to rows ---- */

/* Returns when the job started, if it was queued from its submit on; JOB_UNKNOWN if that is not known. */
static int64_t queued_until(const struct fact *fact)
{
	int64_t queued = fact->row.measure[JOB_QUEUED];

	return fact->submit < 0 || queued < 0 ? JOB_UNKNOWN : fact->submit * 1000000 + queued * 1000;
}

/* NULL if the word is not known. */
static struct database_value word_value(int64_t id)
{
	return (struct database_value){ .kind = id ? VALUE_INT : VALUE_NULL, .number = id };
}

static struct database_value part_value(const struct job_part *part)
{
	return (struct database_value){ .kind = part->size ? VALUE_TEXT : VALUE_NULL, .data = part->data, .size = part->size };
}

static struct database_value number_value(int64_t number, int64_t expected)
{
	return (struct database_value){ .kind = number == expected ? VALUE_NULL : VALUE_INT, .number = number };
}

static void put_key(const struct fact *fact, struct database_value *values)
{
	values[JOB_AT_CLUSTER] = database_int(fact->cluster);
	values[JOB_AT_ID] = database_int(fact->job_id);
	values[JOB_AT_ATTEMPT] = database_int(fact->attempt);
	values[JOB_AT_SUBMIT] = database_int(fact->submit);
}

static struct database_value bin_value(int64_t number)
{
	return database_count(number < 0 ? JOB_UNKNOWN : bins_index(number));
}

static void put_bins(const struct job_row *row, struct database_value *values)
{
	values[JOB_BINS_CPU] = bin_value(row->cpu_efficiency_ppm);
	values[JOB_BINS_MEMORY] = bin_value(row->memory_efficiency_ppm);
	values[JOB_BINS_ELAPSED] = bin_value(row->measure[JOB_ELAPSED]);
	values[JOB_BINS_QUEUED] = bin_value(row->measure[JOB_QUEUED]);
}

/* A part that is 0 is NULL. */
static struct database_value measure_value(const struct job_row *row, enum job_measure measure)
{
	return measure_sources[measure].known && row->measure[measure] == 0 ? database_count(JOB_UNKNOWN)
									     : database_count(row->measure[measure]);
}

static void put_numbers(const struct fact *fact, struct database_value *values)
{
	const struct job_row *row = &fact->row;
	size_t at = JOB_AT_NUMBERS;

	for (enum name_kind kind = 0; kind < NAME_JOB_KINDS; kind++)
		values[JOB_AT_NAMES + kind] = word_value(fact->names[kind]);
	values[JOB_AT_NAME] = (struct database_value){ .kind = row->name ? VALUE_TEXT : VALUE_NULL, .data = row->name,
						       .size = row->name ? strlen(row->name) : 0 };
#define JOB_NUMBER_PUT(column, type, expected) values[at++] = number_value(row->column, expected);
	JOB_NUMBERS(JOB_NUMBER_PUT)
#undef JOB_NUMBER_PUT
	values[JOB_AT_HOW] = database_int(end_number(row->how));
	values[JOB_AT_VERDICT] = database_int(verdict_number(row->verdict));
	values[JOB_AT_FINDINGS] = database_int((int64_t)findings_to_numbers(row->findings));
	values[JOB_AT_DAY] = row->end_us < 0 ? database_count(JOB_UNKNOWN) : database_int(site_day(row->end_us));
	put_bins(row, &values[JOB_AT_BINS]);
	for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++)
		if (measure_place(i) >= 0)
			values[job_measure_column(i)] = measure_value(row, i);
}

int fact_put_job(struct fact *fact, struct database_value *values, struct error *err)
{
	put_key(fact, values);
	put_numbers(fact, values);
	if (job_parts_tools(fact, &fact->parts[JOB_PART_TOOLS], err) < 0 ||
	    job_parts_nodes(fact, &fact->parts[JOB_PART_NODES], err) < 0)
		return -1;
	values[JOB_AT_TOOLS] = part_value(&fact->parts[JOB_PART_TOOLS]);
	values[JOB_AT_NODES] = part_value(&fact->parts[JOB_PART_NODES]);
	return 0;
}

/* ---- from rows ---- */

static int64_t count_of(const struct database_value *value)
{
	return value->kind == VALUE_INT ? value->number : JOB_UNKNOWN;
}

void fact_take_numbers(struct fact *fact, const struct database_value *values)
{
	struct job_row *row = &fact->row;
	size_t at = JOB_AT_NUMBERS;

	*fact = (struct fact){ .cluster = values[JOB_AT_CLUSTER].number, .job_id = values[JOB_AT_ID].number,
			       .submit = values[JOB_AT_SUBMIT].number, .attempt = values[JOB_AT_ATTEMPT].number };
	for (enum name_kind kind = 0; kind < NAME_JOB_KINDS; kind++)
		fact->names[kind] = values[JOB_AT_NAMES + kind].number;
	for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++)
		row->measure[i] = JOB_UNKNOWN;
	row->cpu_efficiency_ppm = row->memory_efficiency_ppm = JOB_UNKNOWN;
	row->id = fact->job_id;
	row->attempt = fact->attempt;
	row->submit_us = submit_us(fact);
#define JOB_NUMBER_TAKE(column, type, expected)                                        \
	row->column = values[at].kind == VALUE_INT ? values[at].number : (expected); \
	at++;
	JOB_NUMBERS(JOB_NUMBER_TAKE) /* JOB_NUMBERS lists a number before the numbers that are expected to equal it */
#undef JOB_NUMBER_TAKE
	row->how = end_of_number((int)values[JOB_AT_HOW].number);
	row->verdict = verdict_of_number((int)values[JOB_AT_VERDICT].number);
	row->findings = findings_of_numbers((uint64_t)values[JOB_AT_FINDINGS].number);
}

void fact_take_measures(struct fact *fact, const struct database_value *values, const enum job_measure *list, size_t count)
{
	struct job_row *row = &fact->row;

	for (size_t i = 0; i < count; i++)
		if (measure_place(list[i]) >= 0)
			row->measure[list[i]] = count_of(&values[job_measure_column(list[i])]);
}

int fact_from_job(struct fact *fact, const struct database_value *values, struct error *err)
{
	const struct database_value *name = &values[JOB_AT_NAME];

	static const enum job_measure all[JOB_MEASURE_COUNT] = {
#define JOB_MEASURE_PLACE(measure, name, column) JOB_##measure,
		JOB_MEASURES(JOB_MEASURE_PLACE)
#undef JOB_MEASURE_PLACE
	};

	fact_take_numbers(fact, values);
	fact_take_measures(fact, values, all, JOB_MEASURE_COUNT);
	measures_compute(fact->row.measure);
	if (values[JOB_AT_NUMBERS + JOB_NUMBER_start_us].kind == VALUE_NULL)
		fact->row.start_us = queued_until(fact);
	job_row_efficiencies(&fact->row);
	if (name->kind == VALUE_TEXT && !(fact->row.name = strndup(name->data, name->size)))
		return error_set(err, "out of memory");
	if (job_parts_take_tools(fact, &values[JOB_AT_TOOLS], err) < 0)
		return -1;
	return job_parts_take_nodes(fact, &values[JOB_AT_NODES], err);
}

void fact_free(struct fact *fact)
{
	job_row_free(&fact->row);
	free(fact->tools);
	free(fact->nodes);
	fact->tools = fact->nodes = NULL;
	for (size_t i = 0; i < JOB_PARTS; i++) {
		free(fact->parts[i].data);
		fact->parts[i] = (struct job_part){ 0 };
	}
}
