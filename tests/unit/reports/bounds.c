/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that parts and reports that a user has planted cost the writer little.
 * All that a node can write is accepted.
 */
#include <fcntl.h>
#include <malloc.h>
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
#include "common/file.h"
#include "common/memory/memory_limit.h"
#include "reports/deliver/writer.h"
#include "reports/files/part_form.h"
#include "reports/files/report_file.h"
#include "reports/json/field.h"
#include "tests/unit/reports/asserts.h"
#include "tests/unit/within.h"

#define PART ".stint-77.1.n2.part"
#define REPORT "stint-77.json"
#ifdef MEMORY_SANITIZED /* the cost means nothing there, but each shape is still read */
#define PLANTED_BYTES ((size_t)2 << 20)
#else
#define PLANTED_BYTES ((size_t)8 << 20)
#endif
#define REFUSED_BYTES_MAX ((size_t)96 << 20) /* 64 MiB of one record (part_form.c), 8 MiB of its text, and this program */
#define REFUSED_S_MAX 0.5
#define TAKEN_BYTES_MAX ((size_t)192 << 20) /* measured for the largest record: 130 MiB and 0.6 s; a report (attempt.c) adds 96 MiB */
#define TAKEN_S_MAX 2.0

/* The first 21 of USE in docs/record.md. */
#define USES                                                                                                     \
	"\"cpu_ns\":1,\"on_cpu_ns\":1,\"read_bytes\":1,\"write_bytes\":1,\"syscall_read_bytes\":1,"              \
	"\"syscall_write_bytes\":1,\"socket_rx_bytes\":1,\"socket_tx_bytes\":1,\"runnable_ns\":1,"               \
	"\"memory_stall_ns\":1,\"fault_io_ns\":1,\"file_io_ns\":1,\"gpu_ns\":1,\"network_ns\":1,\"pipe_ns\":1,\"lock_ns\":1," \
	"\"other_ns\":1,\"event_ns\":1,\"condition_ns\":1,\"child_ns\":1,\"sleep_ns\":1"
#define ENTRY                                                                                                            \
	"{\"tool\":0,\"step\":\"0\",\"count\":1,\"failures\":0,\"pid\":%u,\"ppid\":1,\"exit_status\":0,"                 \
	"\"start_unix_ns\":1763678100600000000,\"end_unix_ns\":1763678112000000000,\"wall_ns\":1,\"peak_bytes\":1," USES \
	"}"
#define TOOL "{\"name\":\"tool%u\",\"path\":\"/usr/bin/tool%u\",\"slurm\":false,\"runs\":1,\"forks\":0," USES "}"

static char directory[] = "/tmp/stint-bounds-XXXXXX";

static int set_up(void **state)
{
	(void)state;
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	return mkdtemp(directory) ? 0 : -1;
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	return system(command);
}

static char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

/* Runs as stint-epilog's child on the leading node of two. Exits with 0 if there is a report. */
static int deliver(void)
{
	struct writer_job job = { 0 };
	struct writer_place place;
	struct error err = { "" };
	struct conf conf;

	conf_defaults(&conf);
	job.conf = &conf;
	job.record = record_of(load("record-two-n1.json"));
	job.answer = answer_of(load("slurm-two.json"));
	job.slurm = slurm_answer_job(job.answer);
	job.nodes = job.slurm->node_names;
	job.record->work_dir = directory;
	if (record_identify(job.record, "record", &job.identity, &err) < 0 || writer_open(&job, &place, &err) < 0 ||
	    writer_deliver(&job, &place, &err) == WRITER_FAILED) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	return 0;
}

struct cost {
	double cpu_s;
	size_t peak_bytes;
};

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static struct cost deliver_in_child(void)
{
	struct rusage usage;
	pid_t child;
	int status;

	malloc_trim(0);
	child = fork();
	if (child == 0)
		_exit(deliver());
	assert_int_equal(wait4(child, &status, 0, &usage), child);
	assert_int_equal(status, 0);
	return (struct cost){ seconds(usage.ru_utime) + seconds(usage.ru_stime), (size_t)usage.ru_maxrss << 10 };
}

/* ---- what is planted ---- */

struct shape {
	const char *name;
	const char *head, *element, *tail; /* %u of the element is its number */
	size_t count; /* of elements; 0: as many as 8 MB hold */
	const char *reason; /* why the part is refused; NULL: it is accepted */
};

#define BEGIN "{\"stint_record\":1,\"identity\":{\"job_id\":77,\"attempt\":1,\"node\":\"n2\"},"
#define TOOLS "\"tools\":[{\"name\":\"t\",\"runs\":1}],"
#define LIST_END "{}]}"
#define TOO_MANY "than a node records for a job"

static size_t put_element(FILE *file, const char *text, unsigned int number)
{
	size_t bytes = 0;

	for (const char *at; (at = strstr(text, "%u")); text = at + 2)
		bytes += fprintf(file, "%.*s%u", (int)(at - text), text, number);
	fputs(text, file);
	return bytes + strlen(text);
}

static void plant(const char *file_name, const struct shape *shape)
{
	FILE *file = fopen(path_of(file_name), "w");
	size_t bytes = 0;

	assert_non_null(file);
	fputs(shape->head, file);
	for (unsigned int i = 0; shape->count ? i < shape->count : bytes < PLANTED_BYTES; i++)
		bytes += put_element(file, shape->element, i);
	fputs(shape->tail, file);
	assert_int_equal(fclose(file), 0);
}

static struct json_object *report(void)
{
	struct error err = { "" };
	struct report *report = report_load(path_of(REPORT), NULL, &err);

	if (!report)
		fail_msg("%s", err.text);
	return report_into_objects(report);
}

static bool has_reason(struct json_object *json, const char *reason)
{
	struct json_object *gaps = field_find(json, "gaps");

	for (size_t i = 0; i < field_length(gaps); i++) {
		const char *text = field_text(json_object_array_get_idx(gaps, i), "reason");

		if (text && strstr(text, reason))
			return true;
	}
	return false;
}

static void assert_cost(const struct shape *shape, struct cost cost, bool taken)
{
	if (getenv("STINT_TEST_TELL"))
		fprintf(stderr, "%-28s %6.1f MiB %6.3f s\n", shape->name, cost.peak_bytes / 1048576.0, cost.cpu_s);
#ifndef MEMORY_SANITIZED
	if (cost.peak_bytes > (taken ? TAKEN_BYTES_MAX : REFUSED_BYTES_MAX) ||
	    cost.cpu_s > (taken ? TAKEN_S_MAX : REFUSED_S_MAX))
		fail_msg("%s: %zu bytes, %.3f s", shape->name, cost.peak_bytes, cost.cpu_s);
#else
	(void)taken;
#endif
}

static void a_hostile_part_costs_little(void **state)
{
	static const struct shape shapes[] = {
		{ "lists in an unknown member", BEGIN "\"x\":[", "[],", "[]]}", 0, NULL },
		{ "objects in an unknown member", BEGIN "\"x\":[", "{},", LIST_END, 0, NULL },
		{ "unknown members", BEGIN, "\"x%u\":{},", "\"y\":{}}", 0, NULL },
		{ "lists for a number", BEGIN "\"opened_unix_ns\":[", "[],", "[]]}", 0, NULL },
		{ "a deep list", BEGIN "\"tools\":", "[", "", 0, "damaged JSON" },
		{ "a deep object", BEGIN "\"tools\":[", "{\"name\":", "1", 0, "damaged JSON" },
		{ "a long text", BEGIN "\"mode\":\"", "a", "\"}", 0, NULL },
		{ "a long number", BEGIN "\"exit_status\":", "1", "}", 0, NULL },
		{ "a text that does not end", BEGIN "\"mode\":\"", "a", "", 0, "damaged JSON" },
		{ "gaps", BEGIN "\"gaps\":[", "{\"name\":\"%u\",\"reason\":\"\"},", LIST_END, 0, TOO_MANY },
		{ "no gaps", BEGIN "\"gaps\":[", "[],", "[]]}", 0, TOO_MANY },
		{ "the same member again", BEGIN, "\"gaps\":[],", "\"gaps\":[]}", 0, NULL },
		{ "reasons lost by", BEGIN "\"lost\":{", "\"a%u\":1,", "\"b\":1}}", 0, TOO_MANY },
		{ "cores", BEGIN "\"allocated\":{\"cores\":[", "{\"core\":1},", "{}]}}", 0, TOO_MANY },
		{ "CPUs", BEGIN "\"allocated\":{\"cores\":[{\"pus\":[", "1,", "1]}]}}", 0, TOO_MANY },
		{ "steps", BEGIN "\"steps\":[", "{\"id\":\"%u\"},", LIST_END, 0, TOO_MANY },
		{ "as many steps as there can be", BEGIN "\"steps\":[", "{\"id\":\"%u\",\"totals\":{" USES "}},",
		  "{\"id\":\"a\"}]}", 4095, NULL },
		{ "tasks", BEGIN "\"steps\":[{\"id\":\"0\",\"tasks\":[", "{\"rank\":0,\"pid\":%u},", "{}]}]}", 0,
		  TOO_MANY },
		{ "file systems", BEGIN "\"file_systems\":[", "{\"type\":\"%u\"},", LIST_END, 0, TOO_MANY },
		{ "files", BEGIN "\"files\":[", "{\"path\":\"%u\"},", LIST_END, 0, TOO_MANY },
		{ "victims", BEGIN "\"oom\":[", "{\"pid\":%u},", LIST_END, 0, TOO_MANY },
		{ "stalls", BEGIN "\"progress\":{\"stalls\":[", "{\"quiet_ns\":1},", "{}]}}", 0, TOO_MANY },
		{ "points", BEGIN "\"series\":{\"end_offsets_ns\":[", "1,", "1]}}", 0, TOO_MANY },
		{ "columns", BEGIN "\"series\":{\"columns\":{", "\"c%u\":[],", "\"d\":[]}}}", 0, NULL },
		{ "tools", BEGIN "\"tools\":[", "{\"name\":\"t%u\"},", LIST_END, 0, TOO_MANY },
		{ "waits", BEGIN "\"pressure\":{\"waits\":{", "\"w%u\":{},", "\"v\":{}}}}", 0, NULL },
		{ "nodes of Slurm's", BEGIN "\"slurm_job\":{\"node_names\":[", "\"\",", "\"\"]}}", 0, TOO_MANY },
		{ "small entries", BEGIN TOOLS "\"timeline\":[", "{\"tool\":0,\"start_unix_ns\":1},", LIST_END, 0,
		  TOO_MANY },
		{ "as many small entries as there can be", BEGIN TOOLS "\"timeline\":[",
		  "{\"tool\":0,\"start_unix_ns\":1},", LIST_END, 32767, NULL },
		{ "entries", BEGIN TOOLS "\"timeline\":[", ENTRY ",", LIST_END, 0, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct shape *shape = &shapes[i];
		cleanup_json struct json_object *json = NULL;

		plant(PART, shape);
		assert_cost(shape, deliver_in_child(), shape->count || strcmp(shape->name, "entries") == 0);
		json = report();
		if (field_true(json, "complete"))
			fail_msg("%s: the report is complete", shape->name);
		if (shape->reason && !has_reason(json, shape->reason))
			fail_msg("%s: no gap says '%s'", shape->name, shape->reason);
		if (length(json, "nodes") != 2 ||
		    !shape->reason != !!field_find(json_object_array_get_idx(field_find(json, "nodes"), 1), "used"))
			fail_msg("%s: n2 is not told as it should be", shape->name);
		unlink(path_of(REPORT));
	}
}

/* Each list with as many elements as are allowed, and with one more. */
static void the_most_that_a_node_tells_is_let_in_and_one_more_is_not(void **state)
{
	static const struct shape lists[] = {
		{ "gaps", BEGIN "\"gaps\":[", "{\"name\":\"%u\",\"reason\":\"r\"},", LIST_END, 1024, NULL },
		{ "reasons lost by", BEGIN "\"lost\":{", "\"a%u\":1,", "\"b\":1}}", 64, NULL },
		{ "cores", BEGIN "\"allocated\":{\"cores\":[", "{\"core\":1},", "{}]}}", 2048, NULL },
		{ "CPUs", BEGIN "\"allocated\":{\"cores\":[{\"pus\":[", "1,", "1]}]}}", 4096, NULL },
		{ "steps", BEGIN "\"steps\":[", "{\"id\":\"%u\"},", LIST_END, 4096, NULL },
		{ "tasks", BEGIN "\"steps\":[{\"id\":\"0\",\"tasks\":[", "{\"rank\":0,\"pid\":%u},", "{}]}]}", 32768,
		  NULL },
		{ "file systems", BEGIN "\"file_systems\":[", "{\"type\":\"%u\"},", LIST_END, 8192, NULL },
		{ "files", BEGIN "\"files\":[", "{\"path\":\"%u\"},", LIST_END, 8256, NULL },
		{ "victims", BEGIN "\"oom\":[", "{\"pid\":%u},", LIST_END, 64, NULL },
		{ "stalls", BEGIN "\"progress\":{\"stalls\":[", "{\"quiet_ns\":1},", "{}]}}", 32, NULL },
		{ "points", BEGIN "\"series\":{\"end_offsets_ns\":[", "1,", "1]}}", 106496, NULL },
		{ "tools", BEGIN "\"tools\":[", TOOL ",", LIST_END, 2048, NULL },
		{ "entries", BEGIN TOOLS "\"timeline\":[", "{\"tool\":0,\"start_unix_ns\":1},", LIST_END, 32768, NULL },
		{ "nodes of Slurm's", BEGIN "\"slurm_job\":{\"node_names\":[", "\"n%u\",", "\"\"]}}", 65536, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		for (int more = 0; more < 2; more++) {
			struct shape shape = lists[i];
			cleanup_json struct json_object *json = NULL;

			shape.count = lists[i].count - 1 + more;
			plant(PART, &shape);
			assert_cost(&shape, deliver_in_child(), true);
			json = report();
			if (has_reason(json, TOO_MANY) != more)
				fail_msg("%s: %zu of them", shape.name, shape.count + 1);
			unlink(path_of(REPORT));
		}
}

static void put_list(FILE *file, const char *head, const char *element, unsigned int count, const char *tail)
{
	fputs(head, file);
	for (unsigned int i = 0; i < count; i++) {
		put_element(file, element, i);
		fputs(i + 1 < count ? "," : "", file);
	}
	fputs(tail, file);
}

/* Each of two nodes leaves half of a report's timeline. */
static void the_largest_record_of_a_node_is_merged_whole(void **state)
{
	FILE *file = fopen(path_of(PART), "w");
	cleanup_json struct json_object *json = NULL;
	size_t n1_entries, n1_tools;
	struct cost cost;
	struct json_object *n1 = load("record-two-n1.json");

	(void)state;
	n1_entries = length(n1, "timeline");
	n1_tools = length(n1, "tools");
	json_object_put(n1);
	put_list(file, BEGIN "\"complete\":true,\"gaps\":[],\"steps\":[",
		 "{\"id\":\"%u\",\"nodes\":1,\"tasks\":[{\"rank\":0,\"pid\":1}],\"totals\":{" USES "}}", 4096, "],");
	put_list(file, "\"tools\":[", TOOL, 1024, "],");
	put_list(file, "\"files\":[", "{\"path\":\"/home/u/%u\",\"type\":\"nfs4\",\"opens\":1,\"read_bytes\":1}", 8192,
		 "],");
	put_list(file, "\"series\":{\"end_offsets_ns\":[", "%u", 4096, "],\"columns\":{");
	put_list(file, "\"cpu_ns\":[", "%u", 4096, "],");
	put_list(file, "\"processes\":[", "%u", 4096, "]}},");
	put_list(file, "\"timeline\":[", ENTRY, 32768, "]}");
	assert_int_equal(fclose(file), 0);
	cost = deliver_in_child();
	if (getenv("STINT_TEST_TELL"))
		fprintf(stderr, "%-28s %6.1f MiB %6.3f s\n", "the largest record", cost.peak_bytes / 1048576.0,
			cost.cpu_s);
	json = report();
	assert_int_equal(length(json, "timeline"), 32768 + n1_entries);
	assert_int_equal(length(json, "tools"), 1024 + n1_tools);
	assert_true(length(json, "steps") >= 4096);
	assert_int_equal(length(json_object_array_get_idx(field_find(json, "series"), 1), "columns.processes"), 4096);
	assert_false(has_reason(json, TOO_MANY));
}

/* The writer also reads a file in the report's place: whose job it is of, and what it contains. */
static void a_hostile_report_costs_little(void **state)
{
	static const char head[] = "{\"schema\":\"stint-report/1\",\"job\":{\"id\":77,\"attempt\":1},";
	static const struct shape shapes[] = {
		{ "lists in a report", "\"timeline\":[", "[],", "[]]}", 0, NULL },
		{ "its nodes", "\"nodes\":[", "{\"used\":{}},", LIST_END, 0, NULL },
		{ "its steps", "\"steps\":[", "{},", LIST_END, 0, NULL },
		{ "its job", "\"used\":{", "\"a%u\":[],", "\"a\":1}}", 0, NULL },
		{ "its depth", "\"used\":", "[", "", 0, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct shape shape = shapes[i];
		char whole_head[256];

		snprintf(whole_head, sizeof(whole_head), "%s%s", head, shape.head);
		shape.head = whole_head;
		plant(REPORT, &shape);
		assert_cost(&shape, deliver_in_child(), true);
		json_object_put(report());
	}
}

static void all_parts_of_a_job_share_a_bound(void **state)
{
	static const char part[] = BEGIN TOOLS "\"x\":1}";
	struct part_bounds bounds = part_form_begin(1000);
	struct error err = { "" };
	size_t read = 0, weight = bounds.weight;
	struct record_identity identity;

	(void)state;
	assert_within(part_form_bytes(&bounds), 24 << 20, 25 << 20);
	while (part_form_bytes(&bounds)) {
		read += part_form_bytes(&bounds);
		part_form_count(&bounds, part_form_bytes(&bounds));
	}
	assert_within(read, 256 << 20, 512 << 20);
	for (bounds.weight = 1 << 20; bounds.weight;) {
		struct record *record = part_form_read(strdup(part), strlen(part), &bounds, "part", &identity, &err);

		record_free(record);
		if (!record)
			break;
		assert_true(bounds.weight < weight);
		weight = bounds.weight;
	}
	assert_within(weight, 1, 8192);
	assert_string_equal(err.text, "part: it contains more than a node records for a job");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_hostile_part_costs_little, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_most_that_a_node_tells_is_let_in_and_one_more_is_not, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(the_largest_record_of_a_node_is_merged_whole, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_hostile_report_costs_little, set_up, tear_down),
		cmocka_unit_test(all_parts_of_a_job_share_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
