/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The store's tables and statements hold to what lasts: keys, numbers of words, which lines are one job. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "reports/database/database_sql.h"
#include "reports/facts/fact.h"
#include "reports/facts/group_row.h"
#include "reports/facts/job_lines.h"
#include "reports/facts/job_parts.h"
#include "reports/lines/line_pack.h"
#include "reports/facts/node_list.h"
#include "reports/facts/site_tables.h"
#include "reports/ingest/node_ledger.h"
#include "reports/json/field.h"
#include "reports/store/store_line.h"
#include "tests/unit/reports/fixture.h"
#include "tests/unit/within.h"

/* ---- statements ---- */

static bool is_shared(const struct database_table *table)
{
	return table == &table_cluster; /* each shard has all of it */
}

static void check_statement(const struct database_table *table, const char *sql, enum sql_engine engine,
			    enum sql_what what, size_t columns)
{
	static const char *const never[] = { "REFERENCES", "SERIAL",        " serial", " bigserial",
					     "nextval",    "AUTOINCREMENT", "DEFAULT", "'" };

	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		if (strstr(sql, never[i]))
			fail_msg("%s: %s", never[i], sql);
	if (what == SQL_CREATE && !is_shared(table) && !strstr(strstr(sql, "PRIMARY KEY ("), "cluster"))
		fail_msg("the cluster is not in the key: %s", sql);
	if (what == SQL_INDEX && !strstr(sql, "(cluster, "))
		fail_msg("the cluster is not in the index: %s", sql);
	if ((what == SQL_FIND || what == SQL_ERASE) && columns && !is_shared(table) &&
	    !strstr(sql, engine == SQL_POSTGRES ? "t.cluster = k.cluster" : "cluster = ?"))
		fail_msg("no cluster is asked for: %s", sql);
	if (what == SQL_SPAN && !strstr(sql, engine == SQL_POSTGRES ? "cluster = $1::bigint" : "cluster = ?"))
		fail_msg("no cluster is asked for: %s", sql);
}

static void every_statement_can_be_routed_by_the_cluster(void **state)
{
	size_t checked = 0;

	(void)state;
	for (const struct database_table *const *table = site_tables; *table; table++)
		for (enum sql_engine engine = SQL_SQLITE; engine <= SQL_POSTGRES; engine++)
			for (enum sql_what what = 0; what < SQL_WHATS; what++)
				for (size_t columns = 0; columns <= (*table)->key; columns++) {
					cleanup_free char *sql = sql_make(engine, what, *table, 202611, columns);

					if (!sql) {
						assert_true(what == SQL_INDEX || what == SQL_SPAN ||
							    (engine == SQL_SQLITE && (what == SQL_ACCESS || what == SQL_LET_READ ||
										      what == SQL_HIDDEN)));
						continue;
					}
					check_statement(*table, sql, engine, what, columns);
					checked++;
				}
	assert_true(checked > 300);
}

static void a_table_says_all_that_its_key_needs(void **state)
{
	(void)state;
	for (const struct database_table *const *table = site_tables; *table; table++) {
		assert_true((*table)->key >= 1 && (*table)->key <= (*table)->column_count);
		if (!is_shared(*table))
			assert_string_equal((*table)->columns[0].name, "cluster");
		for (size_t i = 0; i < (*table)->column_count; i++)
			for (size_t k = 0; k < i; k++)
				assert_string_not_equal((*table)->columns[i].name, (*table)->columns[k].name);
	}
}

/* ---- numbers ---- */

static void words_keep_their_numbers(void **state)
{
	(void)state;
	for (enum finding f = 0; f < FINDING_COUNT; f++) {
		assert_within(finding_number(f), 0, 62);
		assert_int_equal(finding_of_number(finding_number(f)), f);
	}
	for (enum bound b = 0; b <= BOUND_UNKNOWN; b++) {
		assert_within(verdict_number(b), 0, 63);
		assert_int_equal(verdict_of_number(verdict_number(b)), b);
	}
	for (enum job_end e = 0; e < JOB_END_COUNT; e++) {
		assert_within(end_number(e), 0, JOB_END_COUNT - 1);
		assert_int_equal(end_of_number(end_number(e)), e);
	}
	/* as databases have them */
	assert_int_equal(finding_number(FINDING_OOM_KILL), 0);
	assert_int_equal(finding_number(FINDING_CROWDED), 7);
	assert_int_equal(finding_number(FINDING_NODE_IDLE), 14);
	assert_int_equal(finding_number(FINDING_STALLED), 22);
	assert_int_equal(finding_number(FINDING_TOOLS_FAILED), 29);
	assert_int_equal(verdict_number(BOUND_CPU), 4);
	assert_int_equal(verdict_number(BOUND_UNKNOWN), 11);
	assert_int_equal(end_number(JOB_END_NODE_FAIL), 5);
	assert_int_equal(finding_of_number(63), FINDING_COUNT);
	assert_int_equal(finding_of_number(-1), FINDING_COUNT);
	assert_int_equal(findings_of_numbers(findings_to_numbers(0x2a5a5a5a)), 0x2a5a5a5a);
}

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
	for (size_t size = 0; size < values[GROUP_AT_REST].size; size++) { /* one that was cut */
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

/* ---- lists of nodes ---- */

static void check_list(const char *list, const char *expected)
{
	char joined[512] = "";
	size_t count;
	char **names = node_list_expand(list, &count);

	if (!expected) {
		assert_null(names);
		return;
	}
	assert_non_null(names);
	for (size_t i = 0; i < count; i++)
		snprintf(joined + strlen(joined), sizeof(joined) - strlen(joined), "%s%s", i ? " " : "", names[i]);
	assert_string_equal(joined, expected);
	node_list_free(names, count);
}

static void a_list_of_nodes_is_read_as_slurm_writes_it(void **state)
{
	(void)state;
	check_list("n1", "n1");
	check_list("n[1-3],gpu7", "n1 n2 n3 gpu7");
	check_list("n[08-11,20]-ib", "n08-ib n09-ib n10-ib n11-ib n20-ib");
	check_list("r[1-2]n[0-1]", "r1n0 r1n1 r2n0 r2n1");
	check_list("", NULL);
	check_list("n[", NULL);
	check_list("n[1-", NULL);
	check_list("n[3-1]", NULL);
	check_list("n1,,n2", NULL);
	check_list("n1,", NULL);
	check_list("n[1-99999999]", NULL);
	check_list("a[1-9999]b[1-9999]c[1-9999]", NULL);
}

/* ---- which lines are one job ---- */

static struct job_line line_of(const char *node, int64_t submit, int64_t opened, int64_t closed, int64_t revision)
{
	return (struct job_line){ .node = (char *)(uintptr_t)node, .submit = submit, .opened = opened, .closed = closed,
				  .revision = revision, .text = (char *)(uintptr_t)"{}", .length = 2 };
}

/* Says which lines make which job: "SUBMIT:NODE/REVISION,...". */
static void describe(struct job_line *lines, const size_t *order, size_t count, char text[512])
{
	struct job_line *list[16];
	struct job_lines *jobs;
	struct error err;
	int made;

	for (size_t i = 0; i < count; i++)
		list[i] = &lines[order[i]];
	made = job_lines_split(list, count, &jobs, &err);
	assert_true(made > 0);
	*text = '\0';
	for (int i = 0; i < made; i++) {
		sprintf(text + strlen(text), "%s%lld:", i ? " " : "", (long long)jobs[i].submit);
		for (size_t k = 0; k < jobs[i].count; k++)
			sprintf(text + strlen(text), "%s%s/%lld", k ? "," : "", jobs[i].list[k]->node,
				(long long)jobs[i].list[k]->revision);
	}
	job_lines_free(jobs, made);
}

static void lines_are_put_together_in_whatever_order_they_come(void **state)
{
	struct job_line lines[] = {
		line_of("n1", 900, 1000, 2000, 1),	      line_of("n2", SUBMIT_UNKNOWN, 1001, 2001, 1),
		line_of("n2", SUBMIT_UNKNOWN, 1001, 2001, 2), line_of("n1", 500000, 600000, 700000, 1),
		line_of("n3", SUBMIT_UNKNOWN, 650000, 690000, 1), line_of("n8", SUBMIT_UNKNOWN, 3000, 4000, 1),
		line_of("n9", SUBMIT_UNKNOWN, 3500, 4500, 1),
	};
	size_t count = sizeof(lines) / sizeof(lines[0]), order[sizeof(lines) / sizeof(lines[0])] = { 0, 1, 2, 3, 4, 5, 6 };
	char text[512];

	(void)state;
	for (unsigned int turn = 0; turn < 500; turn++) {
		size_t a = turn * 7 % count, b = turn * 13 / 3 % count, kept = order[a];

		order[a] = order[b];
		order[b] = kept;
		describe(lines, order, count, text);
		assert_string_equal(text, "900:n1/1,n2/2 500000:n1/1,n3/1 -3000:n8/1,n9/1");
	}
	assert_int_equal(job_lines_month(1795392000), 202611);
	assert_int_equal(job_lines_month(-1795392000), 202611);
}

/* ---- the short way ---- */

static void assert_same_row(const struct job_row *one, const struct job_row *other)
{
	assert_memory_equal(one->measure, other->measure, sizeof(one->measure));
	assert_int_equal(one->verdict, other->verdict);
	assert_int_equal(one->findings, other->findings);
	assert_int_equal(one->how, other->how);
	assert_int_equal(one->complete, other->complete);
	assert_string_equal(one->user, other->user);
	assert_int_equal(one->tool_count, other->tool_count);
	for (size_t i = 0; i < one->tool_count; i++) {
		assert_string_equal(one->tools[i].name, other->tools[i].name);
		assert_int_equal(one->tools[i].cpu_ms, other->tools[i].cpu_ms);
		assert_int_equal(one->tools[i].wall_ms, other->tools[i].wall_ms);
		assert_int_equal(one->tools[i].runs, other->tools[i].runs);
		assert_int_equal(one->tools[i].failures, other->tools[i].failures);
	}
	assert_int_equal(one->nodes_expected, other->nodes_expected);
	assert_int_equal(one->node_count, other->node_count);
	for (size_t i = 0; i < one->node_count; i++) {
		assert_int_equal(one->nodes[i].cpu_used_core_ms, other->nodes[i].cpu_used_core_ms);
		assert_int_equal(one->nodes[i].mem_used_mib_s, other->nodes[i].mem_used_mib_s);
	}
}

/* The report that is made for the row alone has all that the row is made of. */
static void check_row_of_report(const struct job_lines *job)
{
	cleanup_json struct json_object *report = NULL;
	struct job_row short_way, long_way;
	struct rules rules;
	struct error err;

	rules_defaults(&rules);
	report = job_lines_report(job, &rules, &err);
	assert_non_null(report);
	assert_int_equal(job_row_from_report(report, &long_way, &err), 0);
	assert_int_equal(job_lines_row(job, &rules, &short_way, &err), 0);
	assert_same_row(&short_way, &long_way);
	job_row_free(&short_way);
	job_row_free(&long_way);
}

static void set(struct json_object *object, const char *name, int64_t value)
{
	assert_non_null(object);
	put_count(object, name, value);
}

/* What makes findings and causes of waste. */
static void change_record(struct json_object *record, int how)
{
	struct json_object *tool = json_object_array_get_idx(field_find(record, "tools"), 0), *totals = field_find(record, "totals");

	switch (how) {
	case 1:
		set(tool, "failures", 9);
		set(tool, "signals", 3);
		break;
	case 2:
		set(totals, "cpu_ns", 1000000000);
		set(totals, "on_cpu_ns", 1000000000);
		break;
	case 3:
		set(totals, "runnable_ns", INT64_C(900000000000));
		set(totals, "throttled_ns", INT64_C(800000000000));
		break;
	case 4:
		set(totals, "tcp_retransmits", 100000000);
		set(totals, "sync_wait_ns", INT64_C(90000000000));
		set(totals, "reclaim_ns", INT64_C(90000000000));
		set(totals, "syscall_reads", INT64_C(900000000000));
		break;
	case 5:
		set(totals, "memory_used_sampled_peak_bytes", 4096);
		set(totals, "memory_process_peak_bytes", 4096);
		set(tool, "runs", 100000000);
	}
}

static void a_report_for_the_row_makes_the_row_of_the_whole_report(void **state)
{
	static const char *const names[] = { "record-two-n1.json", "record-two-n2.json" };
	struct job_line lines[2] = { 0 }, *list[] = { &lines[0], &lines[1] };
	struct job_lines job = { list, 2, 0 };
	struct error err;
	struct rules rules;

	(void)state;
	rules_defaults(&rules);
	for (int how = 0; how < 36; how++) {
		for (size_t i = 0; i < 2; i++) {
			cleanup_json struct json_object *record = load(names[i]), *slurm = i ? NULL : load("slurm-two.json");

			change_record(record, i ? how % 6 : how / 6);
			lines[i].text = store_line_make(record, slurm, true, &lines[i].length, &err);
			lines[i].owned = true;
			assert_int_equal(job_line_read(&lines[i], "batch:2", &rules, &err), 0);
		}
		check_row_of_report(&job);
		job_line_free(&lines[0]);
		job_line_free(&lines[1]);
	}
}

static void a_row_that_was_made_as_the_line_was_read_is_the_row_of_the_job(void **state)
{
	cleanup_json struct json_object *record = load("record-one.json"), *slurm = load("slurm-one.json");
	struct error err = { "" };
	struct job_line line = { 0 }, *list[] = { &line };
	struct job_lines job = { list, 1, 0 };
	struct job_row by_line, by_report;
	struct rules rules;

	(void)state;
	rules_defaults(&rules);
	line.text = store_line_make(record, slurm, true, &line.length, &err);
	line.owned = true;
	assert_non_null(line.text);
	assert_int_equal(job_line_read(&line, "batch:2", &rules, &err), 0);
	assert_non_null(line.row);
	assert_int_equal(job_lines_row(&job, &rules, &by_line, &err), 0);
	assert_null(line.row);
	assert_int_equal(job_lines_row(&job, &rules, &by_report, &err), 0);
	assert_same_row(&by_line, &by_report);
	assert_true(by_line.measure[JOB_CPU_GIVEN] > 0);
	assert_true(by_line.findings != 0);
	check_row_of_report(&job);
	job_row_free(&by_line);
	job_row_free(&by_report);
	job_line_free(&line);
}

/* ---- packed lines ---- */

static void a_line_comes_back_as_it_was(void **state)
{
	struct line_packer *packer = line_packer_new();
	char text[3000];
	struct error err;
	size_t size, length;

	(void)state;
	memset(text, 'x', sizeof(text));
	for (size_t used = 1; used < sizeof(text); used = used * 3 + 1) {
		cleanup_free void *packed = line_pack(packer, text, used, &size);
		cleanup_free char *back = line_unpack(packer, packed, size, &length, &err);

		assert_non_null(back);
		assert_int_equal(length, used);
		assert_memory_equal(back, text, used);
		assert_null(line_unpack(packer, packed, size - 1, &length, &err));
		*(char *)packed = 9;
		assert_null(line_unpack(packer, packed, size, &length, &err));
	}
	line_packer_free(packer);
}

static void check_line(struct line_packer *packer, const char *text, size_t length)
{
	struct error err = { "" };
	size_t size, back_length;
	cleanup_free char *packed = line_pack(packer, text, length, &size);
	cleanup_free char *back = line_unpack(packer, packed, size, &back_length, &err);

	assert_non_null(packed);
	assert_non_null(back);
	assert_int_equal(back_length, length);
	assert_memory_equal(back, text, length);
}

static void numbers_of_a_line_come_back_digit_by_digit(void **state)
{
	static const char *const texts[] = {
		"[0,00,01,10,100,1000,1001,10010,12000,-1500,1500.25,1e4567,\"1234\",1234]",
		"[9999999999999999999,10000000000000000000,18446744073709551615,18446744073709551616,1000000000000000000]",
		"[1763678225600000000,1763678225600000001,1763678225600000000,1763678225599999999,1763678225000000000]",
		"[1000000000000,10000000000000,100000000000000,120000000000000,1234567,1234566,1234568,1234567]",
		"{\"a\":1234,\"b\":[1234,5678,\x01,\x01\x01,1234],\"c\":12345,,:[1234", ",1234,", ":1234]", "\x01", "1234,",
	};
	struct line_packer *packer = line_packer_new();
	cleanup_free char *many = malloc(STORE_LINE_MAX);
	size_t length = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		check_line(packer, texts[i], strlen(texts[i]));
	/* a number that came before is not looked for for ever */
	for (uint64_t i = 0; length < STORE_LINE_MAX - 32; i++)
		length += (size_t)snprintf(many + length, 32, ",%llu", (unsigned long long)(1000 + i * i % 700 * 37));
	check_line(packer, many, length);
	memset(many, ',', STORE_LINE_MAX);
	check_line(packer, many, STORE_LINE_MAX);
	line_packer_free(packer);
}

static void a_damaged_line_is_refused_or_is_some_text(void **state)
{
	static const char text[] = "{\"stint_store\":1,\"a\":[1763678225600000000,1763678225600123456,4096,4096,1234567]}";
	struct line_packer *packer = line_packer_new();
	struct error err = { "" };
	size_t size, length;
	cleanup_free unsigned char *packed = line_pack(packer, text, sizeof(text) - 1, &size);

	(void)state;
	for (size_t i = 0; i < size; i++)
		for (int bit = 0; bit < 8; bit++) {
			cleanup_free char *back = NULL;

			packed[i] ^= (unsigned char)(1 << bit);
			back = line_unpack(packer, packed, size, &length, &err);
			assert_true(!back || length <= STORE_LINE_MAX);
			packed[i] ^= (unsigned char)(1 << bit);
		}
	for (size_t cut = 0; cut < size; cut++) {
		cleanup_free char *back = line_unpack(packer, packed, cut, &length, &err);

		assert_true(!back || length <= STORE_LINE_MAX);
	}
	line_packer_free(packer);
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
	for (size_t i = 0; i < JOB_MEASURE_COUNT; i++, number = number * 31 + (uint64_t)step)
		row->measure[i] = number % 4 == 0 ? 0 : (int64_t)(number & (JOB_MEASURE_MAX - 1));
	if (step % 3 == 0) /* as of a job whose waste is not known */
		for (size_t i = 0; i < JOB_MEASURE_COUNT; i++)
			row->measure[i] = JOB_UNKNOWN;
}

static void check_job(struct fact *fact, const struct job_lines *lines)
{
	struct database_value values[JOB_COLUMNS];
	struct error err = { "" };
	struct job_row_tool *tools;
	struct job_row_node *nodes;
	struct fact back;

	assert_int_equal(fact_put_job(fact, lines, values, &err), 0);
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
	/* all else of the row */
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
	const struct job_lines none = { 0 };

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
		check_job(&fact, &none);
	}
}

static int count_line(void *context, const void *packed, size_t size, struct error *err)
{
	size_t *count = context;

	(void)packed;
	(void)err;
	assert_int_equal(size, 3 + 200 * *count);
	++*count;
	return 0;
}

static void a_jobs_lines_are_told_apart_and_damage_is_named(void **state)
{
	char bytes[512] = "";
	struct job_line one = { .packed = bytes, .packed_size = 3 }, two = { .packed = bytes, .packed_size = 203 };
	struct job_line *list[] = { &one, &two };
	const struct job_lines lines = { .list = list, .count = 2 };
	struct error err = { "" };
	struct job_part part;
	size_t count = 0;

	(void)state;
	assert_int_equal(job_parts_lines(&lines, &part, &err), 0);
	struct database_value value = { .kind = VALUE_BYTES, .data = part.data, .size = part.size };

	assert_int_equal(job_parts_each_line(&value, count_line, &count, &err), 0);
	assert_int_equal(count, 2);
	value.size--;
	count = 0;
	assert_int_equal(job_parts_each_line(&value, count_line, &count, &err), -1);
	free(part.data);
}

/* ---- databases ---- */

struct place {
	char directory[64], database[96];
};

static struct database *open_in(struct place *place)
{
	struct error err;
	struct database *db;

	if (!place->directory[0]) {
		strcpy(place->directory, "/tmp/site-store-XXXXXX");
		assert_non_null(mkdtemp(place->directory));
		snprintf(place->database, sizeof(place->database), "%s/db.sqlite", place->directory);
	}
	db = database_open(place->database, site_tables, false, &err);
	if (!db)
		fail_msg("%s", err.text);
	return db;
}

static void remove_place(const struct place *place)
{
	static const char *const ends[] = { "", "-wal", "-shm", ".lock" };
	char name[128];

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", place->database, ends[i]);
		unlink(name);
	}
	assert_int_equal(rmdir(place->directory), 0);
}

static struct database_value text_of(const char *text)
{
	return (struct database_value){ .kind = VALUE_TEXT, .data = text, .size = strlen(text) };
}

static void put_missing(struct database *db, int month, int64_t job_id)
{
	struct database_value row[MISSING_COLUMNS];
	struct error err;

	for (size_t i = 0; i < MISSING_COLUMNS; i++)
		row[i] = database_int(1);
	row[1] = database_int(job_id);
	row[MISSING_AT_NAME] = text_of("sim");
	assert_int_equal(database_begin(db, &err), 0);
	if (database_insert(db, &table_missing, month, row, 1, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(database_commit(db, &err), 0);
}

static void who_gets_the_lock_knows_the_months_that_another_one_made(void **state)
{
	struct place place = { 0 };
	struct database *one = open_in(&place), *other = open_in(&place);
	struct error err;

	(void)state;
	assert_int_equal(database_lock(one, &err), 1);
	assert_int_equal(database_lock(other, &err), 0);
	put_missing(one, 202611, 1);
	database_close(one);
	assert_int_equal(database_months(other, &table_missing)[0], 0);
	assert_int_equal(database_lock(other, &err), 1);
	assert_int_equal(database_months(other, &table_missing)[0], 202611);
	put_missing(other, 202611, 2);
	database_close(other);
	remove_place(&place);
}

static void put_batch(struct database *db, const char *name, const char *sealed, int dropped)
{
	const struct database_value row[] = { database_int(1),	   text_of(name),    text_of("n1"), text_of(sealed),
					      text_of("0123456789"), database_int(1), database_int(dropped), database_int(1) };
	struct error err;

	if (database_insert(db, &table_batch, 0, row, 1, &err) < 0)
		fail_msg("%s", err.text);
}

/* 2026-11-01 12:00 is 1793534400 (date -u -d '2026-11-01 12:00' +%s). */
static void lines_that_were_dropped_long_after_a_job_are_not_its_own(void **state)
{
	const int64_t noon_us = INT64_C(1793534400000000), day_us = INT64_C(86400000000);
	struct place place = { 0 };
	struct database *db = open_in(&place);
	struct node_ledger ledger = { 0 };
	struct error err;

	(void)state;
	put_batch(db, "n1.a.0000000001.ndjson", "2026-11-01T11:00:00.000+00:00", 0);
	put_batch(db, "n1.a.0000000002.ndjson", "2026-11-01T13:00:00.000+00:00", 0);
	put_batch(db, "n1.a.0000000003.ndjson", "2026-11-20T12:00:00.000+00:00", 5);
	assert_int_equal(node_ledger_read(&ledger, db, 1, &err), 0);
	assert_int_equal(node_ledger_reason(&ledger, "n1", noon_us), MISSING_UNKNOWN);
	assert_int_equal(node_ledger_reason(&ledger, "n1", noon_us + 11 * day_us), MISSING_UNKNOWN);
	assert_int_equal(node_ledger_reason(&ledger, "n1", noon_us + 13 * day_us), MISSING_DROPPED);
	assert_int_equal(node_ledger_reason(&ledger, "n1", noon_us + 20 * day_us), MISSING_NOT_YET);
	assert_int_equal(node_ledger_reason(&ledger, "n2", noon_us), MISSING_NO_STINT);
	node_ledger_free(&ledger);
	database_close(db);
	remove_place(&place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_statement_can_be_routed_by_the_cluster),
		cmocka_unit_test(a_table_says_all_that_its_key_needs),
		cmocka_unit_test(words_keep_their_numbers),
		cmocka_unit_test(a_group_comes_back_from_its_row),
		cmocka_unit_test(a_list_of_nodes_is_read_as_slurm_writes_it),
		cmocka_unit_test(lines_are_put_together_in_whatever_order_they_come),
		cmocka_unit_test(a_report_for_the_row_makes_the_row_of_the_whole_report),
		cmocka_unit_test(a_row_that_was_made_as_the_line_was_read_is_the_row_of_the_job),
		cmocka_unit_test(a_line_comes_back_as_it_was),
		cmocka_unit_test(numbers_of_a_line_come_back_digit_by_digit),
		cmocka_unit_test(a_damaged_line_is_refused_or_is_some_text),
		cmocka_unit_test(a_job_comes_back_from_its_row),
		cmocka_unit_test(a_jobs_lines_are_told_apart_and_damage_is_named),
		cmocka_unit_test(lines_that_were_dropped_long_after_a_job_are_not_its_own),
		cmocka_unit_test(who_gets_the_lock_knows_the_months_that_another_one_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
