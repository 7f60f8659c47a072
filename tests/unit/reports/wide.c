/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the report of a job on a thousand nodes is whole, and made in little memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/memory/memory_limit.h"
#include "common/time_text.h"
#include "reports/files/part_form.h"
#include "reports/files/part_set.h"
#include "tests/unit/reports/asserts.h"
#include "tests/unit/reports/node.h"

#ifdef MEMORY_SANITIZED /* the memory use means nothing there */
#define NODES 200
#else
#define NODES 1000
#endif
#define RANKS 128
#define CORES 64
#define TOOLS 8
#define MEMORY_MAX_KIB (256 << 10)

/* Adds copies of the last entry of @list, of objects @of, until it has @wanted. */
#define FILL(record, list, of, wanted) \
	while ((list)->count < (wanted)) { \
		struct record_##of last = (list)->items[(list)->count - 1]; \
\
		*RECORD_ADD(record, list, of) = last; \
	}

static void fill_values(struct record *record, struct report_counts *list, size_t wanted)
{
	while (list->count < wanted)
		report_add_value(record_memory(record), list, list->items[list->count - 1]);
}

/* A node of a wide MPI job has a rank on each of its hardware threads. */
static void make_wide(struct record *record)
{
	const struct report_object *columns = record_table_columns();
	char name[16];

	FILL(record, &record->steps.items[record->steps.count - 1].tasks, task, RANKS);
	FILL(record, &record->allocated.cores, core, CORES);
	FILL(record, &record->timeline, entry, RANKS);
	FILL(record, &record->tools, tool, TOOLS);
	for (size_t i = 0; i < TOOLS; i++) {
		snprintf(name, sizeof(name), "tool-%zu", i);
		record->tools.items[i].name = report_copy(record_memory(record), name);
	}
	fill_values(record, &record->series.end_offsets_ns, RANKS);
	for (size_t i = 0; i < columns->count; i++) {
		struct report_counts *column = report_member(&columns->fields[i], &record->series.columns);

		if (column->known)
			fill_values(record, column, RANKS);
	}
}

static void set_node(struct record *record, size_t i)
{
	char node[16];

	snprintf(node, sizeof(node), "n%zu", i + 1);
	record->identity.node = report_copy(record_memory(record), node);
}

static void leave_parts(size_t nodes)
{
	struct node node;
	char name[64];

	start(&node, "record-two-n2.json");
	make_wide(node.job.record);
	for (size_t i = 1; i < nodes; i++) {
		struct error err = { "" };

		set_node(node.job.record, i);
		assert_int_equal(record_identify(node.job.record, "record", &node.job.identity, &err), 0);
		free(node.job.part);
		node.job.part = NULL;
		if (writer_seal(&node.job, &err) < 0)
			fail_msg("%s", err.text);
		node.job.is_new = true;
		assert_int_equal(deliver(&node), WRITER_DONE);
	}
	snprintf(name, sizeof(name), ".stint-77.1.n%zu.part", nodes);
	assert_true(is_there(name));
	finish(&node);
}

/* In a process of its own, like stint-epilog. Returns the most memory that it took, in KiB. */
static long deliver_leading(int *status)
{
	struct rusage used;
	pid_t pid = fork();

	if (pid == 0) {
		struct node node;
		struct error err = { "" };

		start(&node, "record-two-n1.json");
		make_wide(node.job.record);
		free(node.job.part);
		if (writer_seal(&node.job, &err) < 0)
			_exit(100);
		_exit(deliver(&node) == WRITER_DONE ? 0 : 101);
	}
	assert_true(pid > 0);
	assert_int_equal(wait4(pid, status, 0, &used), pid);
	return used.ru_maxrss;
}

static void name_nodes(size_t count)
{
	char name[16];

	json_object_put(node_names);
	node_names = json_object_new_array();
	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "n%zu", i + 1);
		json_object_array_add(node_names, json_object_new_string(name));
	}
}

/* Parsed, the report takes more memory than all parts together may have. */
static void the_report_of_a_thousand_nodes_is_whole(void **state)
{
	cleanup_json struct json_object *json = NULL;
	struct json_object *nodes;
	char last[64];
	int status;
	long kib;

	(void)state;
	name_nodes(NODES);
	leave_parts(NODES);
	kib = deliver_leading(&status);
	print_message("%ld KiB\n", kib);
	assert_int_equal(status, 0);
#ifndef MEMORY_SANITIZED
	assert_true(kib <= MEMORY_MAX_KIB);
#endif
	json = report();
	nodes = field_find(json, "nodes");
	assert_true(field_true(json, "complete"));
	assert_int_equal(field_length(nodes), NODES);
	for (size_t i = 0; i < NODES; i++)
		assert_non_null(field_find(json_object_array_get_idx(nodes, i), "used"));
	assert_int_equal(field_length(field_find(json, "series")), NODES);
	assert_false(is_there(".stint-77.1.n2.part"));
	snprintf(last, sizeof(last), ".stint-77.1.n%d.part", NODES);
	assert_false(is_there(last));
}

static void a_report_of_shrunk_records_says_the_same(void **state)
{
	cleanup_json struct json_object *shrunk = NULL, *built = NULL;
	static const char *const lists[] = { "tools", "timeline", "steps", "nodes", "series", "progress", "used", "gaps",
					     "allocated", "verdict", "findings", "advice", "states" };
	struct error err = { "" };
	struct node n1, n2;

	(void)state;
	start(&n2, "record-two-n2.json");
	assert_int_equal(deliver(&n2), WRITER_DONE);
	start(&n1, "record-two-n1.json");
	built = report_into_objects(writer_build(&n1.job, &n1.place, &err));
	assert_int_equal(deliver(&n1), WRITER_DONE);
	shrunk = report();
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		assert_string_equal(json_object_to_json_string(field_find(shrunk, lists[i])),
				    json_object_to_json_string(field_find(built, lists[i])));
	finish(&n1);
	finish(&n2);
}

static void a_node_of_a_wide_job_keeps_less_than_its_share(void **state)
{
	(void)state;
	assert_int_equal(part_form_kept(65536, 2), 32768);
	assert_int_equal(part_form_kept(65536, 64), 1024);
	assert_int_equal(part_form_kept(65536, 256), 128);
	assert_int_equal(part_form_kept(65536, 1000), 16);
	assert_int_equal(part_form_kept(65536, 100000), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_report_of_a_thousand_nodes_is_whole, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_report_of_shrunk_records_says_the_same, set_up, tear_down),
		cmocka_unit_test(a_node_of_a_wide_job_keeps_less_than_its_share),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
