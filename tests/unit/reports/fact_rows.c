/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a group, a job and a job's lines come back from their rows in the store. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "reports/facts/fact.h"
#include "reports/facts/job_lines.h"
#include "reports/facts/job_parts.h"
#include "reports/facts/site_tables.h"
#include "reports/groups/group_row.h"

/* ---- groups ---- */

static void a_group_comes_back_from_its_row(void **state)
{
	struct job_row row = { .how = JOB_END_FAILED, .verdict = BOUND_SERIAL, .findings = 5, .cpu_efficiency_ppm = 123456,
			       .memory_efficiency_ppm = JOB_UNKNOWN, .nodes_expected = 2, .nodes_present = 1 };
	const struct job_row_tool tool = { .runs = 5, .failures = 1, .cpu_ms = INT64_C(1) << 40, .wall_ms = JOB_UNKNOWN };
	struct database_value values[GROUP_COLUMNS];
	struct job_group group = { 0 }, back = { 0 };
	struct error err = { "" };
	void *rest;

	(void)state;
	for (size_t i = 0; i < JOB_MEASURE_COUNT; i++)
		row.measure[i] = i % 3 ? (int64_t)i << 40 : JOB_UNKNOWN;
	for (int i = 0; i < 3; i++)
		assert_int_equal(job_group_add(&group, &row, 1, &err), 0);
	job_group_add_tool(&group, &tool, 1);
	assert_int_equal(group_row_put(&group, values, &rest, &err), 0);
	assert_int_equal(group_row_add(values, &back, &err), 0);
	assert_int_equal(job_group_merge(&back, &group, -1, &err), 0);
	for (size_t b = 0; b < JOB_BINS_COUNT; b++)
		assert_int_equal(bins_total(&back.bins[b]), 0);
	job_group_free(&back);
	back = (struct job_group){ 0 };
	assert_int_equal(group_row_add(values, &back, &err), 0);
	assert_int_equal(back.jobs, 3);
	assert_int_equal(back.ends[JOB_END_FAILED], 3);
	assert_int_equal(back.verdicts[BOUND_SERIAL], 3);
	assert_memory_equal(back.findings, group.findings, sizeof(group.findings));
	assert_memory_equal(back.sum, group.sum, sizeof(group.sum));
	assert_memory_equal(back.known, group.known, sizeof(group.known));
	assert_int_equal(back.tool_runs, 5);
	assert_int_equal(back.tool_failures, 1);
	assert_int_equal(back.tool_cpu_ms, INT64_C(1) << 40);
	assert_int_equal(back.tool_wall_ms, 0);
	for (size_t size = 0; size < values[GROUP_AT_REST].size; size++) {
		struct database_value cut = values[GROUP_AT_REST];
		struct job_group none = { 0 };

		values[GROUP_AT_REST].size = size;
		assert_int_equal(group_row_add(values, &none, &err), -1);
		job_group_free(&none);
		values[GROUP_AT_REST] = cut;
	}
	free(rest);
	job_group_free(&back);
	job_group_free(&group);
}

/* ---- jobs ---- */

#define JOB_NODES 3

static void fill_row(struct job_row *row, int64_t step)
{
	uint64_t number = 12345;

	*row = (struct job_row){ .id = 4711, .attempt = 2, .how = JOB_END_FAILED, .verdict = BOUND_SERIAL, .findings = 5,
				 .complete = true, .start_us = 1763678225000000, .end_us = 1763678325000000, .exit_code = 3,
				 .array_id = 4700, .array_task = JOB_UNKNOWN, .het_id = JOB_UNKNOWN, .het_offset = 0,
				 .nodes_expected = JOB_NODES, .nodes_present = 2, .requested_cpus = 8, .requested_nodes = 5,
				 .requested_tasks = JOB_UNKNOWN, .requested_memory_bytes = INT64_C(1) << 40,
				 .allocated_cpus = 16, .allocated_cores = 8, .allocated_memory_bytes = JOB_UNKNOWN,
				 .memory_used_peak_bytes = 12345678901, .cpu_efficiency_ppm = 999999,
				 .memory_efficiency_ppm = JOB_UNKNOWN };
	for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++, number = number * 31 + (uint64_t)step)
		row->measure[i] = number % 4 == 0 ? 0 : (int64_t)(number & ((JOB_MEASURE_MAX >> (i >= JOB_PROCESSES ? 24 : 4)) - 1));
	row->measure[JOB_MEM_GIVEN] += JOB_MEASURE_MAX / 2;
	if (step % 5 == 0)
		row->measure[JOB_CPU_USED] = row->measure[JOB_LIMIT] = JOB_UNKNOWN;
	for (size_t i = 0; step % 3 == 0 && i < JOB_MEASURE_COUNT; i++)
		row->measure[i] = JOB_UNKNOWN;
	measures_compute(row->measure);
	job_row_efficiencies(row);
	if (step % 7 == 0 && row->measure[JOB_QUEUED] >= 0)
		row->start_us = 1763678200000000 + row->measure[JOB_QUEUED] * 1000;
	if (step % 11 == 0)
		row->start_us = JOB_UNKNOWN;
}

static void measures_without_a_column_follow_from_the_others(void **state)
{
	int64_t m[JOB_MEASURE_COUNT];

	(void)state;
	for (size_t i = 0; i < JOB_MEASURE_COUNT; i++)
		m[i] = JOB_UNKNOWN;
	m[JOB_ELAPSED] = 50;
	m[JOB_CPU_GIVEN] = 100;
	m[JOB_CPU_USED] = 130; /* more than given: nothing is wasted */
	m[JOB_MEM_GIVEN] = 1000;
	m[JOB_MEM_USED] = 300;
	m[JOB_MEM_MARGIN] = 60;
	measures_compute(m);
	assert_int_equal(m[JOB_LIMIT_USED], JOB_UNKNOWN);
	assert_int_equal(m[JOB_CPU_WASTED], 0);
	assert_int_equal(m[JOB_CPU_SERIAL], 0);
	assert_int_equal(m[JOB_CPU_LOST], 0);
	assert_int_equal(m[JOB_CPU_JUDGED], 100);
	assert_int_equal(m[JOB_MEM_WASTED], 700);
	assert_int_equal(m[JOB_MEM_TIMEOUT], 0);
	assert_int_equal(m[JOB_MEM_RESERVED], 640);
	m[JOB_LIMIT] = 90;
	m[JOB_CPU_USED] = 40;
	m[JOB_CPU_SERIAL] = 25;
	m[JOB_CPU_UNCLEAR] = 35;
	m[JOB_MEM_FAILED] = 640;
	measures_compute(m);
	assert_int_equal(m[JOB_LIMIT_USED], 50);
	assert_int_equal(m[JOB_CPU_WASTED], 60);
	assert_int_equal(m[JOB_MEM_RESERVED], 0);
	m[JOB_CPU_USED] = m[JOB_MEM_USED] = m[JOB_CPU_SERIAL] = JOB_UNKNOWN;
	measures_agree(m);
	assert_int_equal(m[JOB_MEM_GIVEN], JOB_UNKNOWN);
	measures_compute(m);
	assert_int_equal(m[JOB_CPU_WASTED], JOB_UNKNOWN);
	assert_int_equal(m[JOB_CPU_SERIAL], JOB_UNKNOWN);
	assert_int_equal(m[JOB_CPU_LOST], JOB_UNKNOWN);
	assert_int_equal(m[JOB_CPU_JUDGED], JOB_UNKNOWN);
	assert_int_equal(m[JOB_MEM_WASTED], JOB_UNKNOWN);
}

/* The sums of the columns of jobs tell the same as the sums of what each job's columns tell. */
static void sums_of_measures_follow_from_sums_of_columns(void **state)
{
	struct job_group each = { 0 }, all = { 0 };
	size_t unknown = 0;

	(void)state;
	for (int64_t step = 0; step < 400; step++) {
		struct job_row row = { 0 };
		int64_t *m = row.measure;

		fill_row(&row, step);
		for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++)
			if ((step * 7919 + i * 104729) % 13 == 0 && !measure_sources[i].known)
				m[i] = JOB_UNKNOWN;
		measures_agree(m);
		measures_compute(m);
		unknown += m[JOB_MEM_RESERVED] < 0;
		for (enum job_measure i = 0; i < JOB_MEASURE_COUNT; i++) {
			int64_t column = measure_sources[i].known && m[i] == 0 ? JOB_UNKNOWN : m[i]; /* a part that is 0 is NULL */

			each.sum[i] += m[i] < 0 ? 0 : m[i];
			each.known[i] += m[i] >= 0;
			if (measure_is_other_column(i))
				column = measure_compute(i, m);
			else if (measure_place(i) < 0)
				column = JOB_UNKNOWN;
			all.sum[i] += column < 0 ? 0 : column;
			all.known[i] += column >= 0;
		}
	}
	measures_compute_sums(all.sum, all.known);
	assert_memory_equal(all.sum, each.sum, sizeof(all.sum));
	assert_memory_equal(all.known, each.known, sizeof(all.known));
	measures_compute_sums(all.sum, all.known); /* again changes nothing */
	assert_memory_equal(all.sum, each.sum, sizeof(all.sum));
	assert_memory_equal(all.known, each.known, sizeof(all.known));
	assert_in_range(unknown, 1, 399);
	assert_true(each.known[JOB_CPU_JUDGED] < each.known[JOB_CPU_GIVEN]);
}

static void check_job(struct fact *fact)
{
	struct database_value values[JOB_COLUMNS];
	struct error err = { "" };
	struct job_row_tool *tools;
	struct job_row_node *nodes;
	struct fact back;

	assert_int_equal(fact_put_job(fact, values, &err), 0);
	for (size_t i = 0; i < JOB_COLUMNS; i++)
		if (values[i].kind == VALUE_INT)
			assert_true(database_fits(table_job.columns[i].type, values[i].number));
	assert_int_equal(fact_from_job(&back, values, &err), 0);
	assert_int_equal(back.submit, fact->submit);
	assert_memory_equal(back.names, fact->names, sizeof(back.names));
	assert_memory_equal(back.row.measure, fact->row.measure, sizeof(back.row.measure));
	assert_int_equal(back.row.tool_count, fact->row.tool_count);
	assert_memory_equal(back.tools, fact->tools, fact->row.tool_count * sizeof(back.tools[0]));
	assert_memory_equal(back.row.tools, fact->row.tools, fact->row.tool_count * sizeof(back.row.tools[0]));
	assert_int_equal(back.row.node_count, fact->row.node_count);
	assert_memory_equal(back.nodes, fact->nodes, fact->row.node_count * sizeof(back.nodes[0]));
	assert_memory_equal(back.row.nodes, fact->row.nodes, fact->row.node_count * sizeof(back.row.nodes[0]));
	tools = back.row.tools;
	nodes = back.row.nodes;
	back.row.tools = fact->row.tools;
	back.row.nodes = fact->row.nodes;
	assert_memory_equal(&back.row, &fact->row, sizeof(back.row));
	back.row.tools = tools;
	back.row.nodes = nodes;
	fact_free(&back);
	for (size_t i = 0; i < JOB_PARTS; i++)
		free(fact->parts[i].data);
}

static void a_job_comes_back_from_its_row(void **state)
{
	static struct job_row_tool tools[] = { { NULL, 5, 0, INT64_C(1) << 52, JOB_UNKNOWN }, { NULL, JOB_UNKNOWN, 1, 0, 2 } };
	static struct job_row_node nodes[JOB_NODES] = {
		{ NULL, true, 1, 2, 3, 4 },
		{ NULL, true, JOB_UNKNOWN, JOB_UNKNOWN, JOB_UNKNOWN, JOB_UNKNOWN },
		{ NULL, true, INT64_C(1) << 52, 0, 0, JOB_UNKNOWN },
	};
	int64_t tool_ids[] = { 1, 70000 }, node_ids[] = { 3, 200, 5000000 };

	(void)state;
	for (int64_t step = 0; step < 200; step++) {
		struct fact fact = { .cluster = 3, .job_id = 4711, .submit = step % 2 ? 1763678200 : -1763678200, .attempt = 2,
				     .names = { 1, 2, 3, 0, 5, 0, 70000 }, .tools = tool_ids, .nodes = node_ids };

		fill_row(&fact.row, step);
		fact.row.submit_us = step % 2 ? 1763678200000000 : JOB_UNKNOWN;
		fact.row.tools = tools;
		fact.row.tool_count = (size_t)step % 3;
		fact.row.nodes = nodes;
		fact.row.node_count = (size_t)step % (JOB_NODES + 1);
		check_job(&fact);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_comes_back_from_its_row),
		cmocka_unit_test(a_job_comes_back_from_its_row),
		cmocka_unit_test(measures_without_a_column_follow_from_the_others),
		cmocka_unit_test(sums_of_measures_follow_from_sums_of_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
