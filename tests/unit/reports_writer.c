/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way of the records to the one report, and what a user may have put in the way. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "reports/attempt.h"
#include "reports/field.h"
#include "reports/gaps.h"
#include "reports/parts.h"
#include "reports/report.h"
#include "reports/units.h"
#include "reports/writer.h"
#include "tests/unit/reports_fixture.h"

/* One node's writer, as stint-epilog sets it up, in a directory of the test's own. */
struct node {
	struct writer_job job;
	struct writer_place place;
};

static char directory[] = "/tmp/stint-writer-XXXXXX";
static struct conf conf;
static struct json_object *slurm, *node_names;

static int set_up(void **state)
{
	(void)state;
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	if (!mkdtemp(directory))
		return -1;
	conf_defaults(&conf);
	conf.merge_wait_s = 0;
	slurm = load("slurm-two.json");
	node_names = json_object_get(field_find(slurm, "node_names"));
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	json_object_put(slurm);
	json_object_put(node_names);
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	return system(command);
}

static void start(struct node *node, const char *record_name)
{
	struct error err = { "" };

	memset(node, 0, sizeof(*node));
	node->job.conf = &conf;
	node->job.record = load(record_name);
	node->job.slurm = slurm;
	node->job.nodes = node_names;
	put_text(node->job.record, "work_dir", directory);
	assert_int_equal(record_identify(node->job.record, "record", &node->job.identity, &err), 0);
	if (writer_open(&node->job, &node->place, &err) < 0)
		fail_msg("%s", err.text);
}

static void finish(struct node *node)
{
	json_object_put(node->job.record);
	close(node->place.dirfd);
}

static enum writer_result deliver(struct node *node)
{
	struct error err = { "" };
	enum writer_result result = writer_deliver(&node->job, &node->place, &err);

	if (result == WRITER_FAILED)
		fail_msg("%s", err.text);
	return result;
}

static char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static struct json_object *report_of(const char *name)
{
	struct error err = { "" };
	struct json_object *json = report_load(path_of(name), NULL, &err);

	if (!json)
		fail_msg("%s", err.text);
	return json;
}

static struct json_object *report(void)
{
	return report_of("stint-77.json");
}

static void assert_report(bool complete, const char *gap)
{
	cleanup_json struct json_object *json = report();
	struct json_object *gaps = field_find(json, "gaps");

	assert_int_equal(field_true(json, "complete"), complete);
	if (gap)
		assert_non_null(strstr(field_text(json_object_array_get_idx(gaps, 0), "reason"), gap));
	else
		assert_int_equal(field_length(gaps), 0);
}

static bool is_there(const char *name)
{
	struct stat st;

	return lstat(path_of(name), &st) == 0;
}

static void both_nodes_in_time_make_one_whole_report(void **state)
{
	struct node n1, n2;

	(void)state;
	start(&n2, "record-two-n2.json");
	assert_int_equal(deliver(&n2), WRITER_DONE);
	assert_false(is_there("stint-77.json"));
	assert_true(is_there(".stint-77.1.n2.part"));
	start(&n1, "record-two-n1.json");
	assert_int_equal(deliver(&n1), WRITER_DONE);
	assert_report(true, NULL);
	assert_false(is_there(".stint-77.1.n2.part"));
	finish(&n1);
	finish(&n2);
}

static void the_leading_node_does_not_wait_with_what_it_has(void **state)
{
	struct node n1, n2;
	struct error err;

	(void)state;
	start(&n1, "record-two-n1.json");
	assert_int_equal(deliver(&n1), WRITER_WAITING);
	assert_report(false, "n2: its record has not arrived");
	assert_true(is_there(".stint-77.1.n1.lead")); /* for stint report, should nobody wait any more */
	start(&n2, "record-two-n2.json");
	deliver(&n2);
	assert_int_equal(writer_finish(&n1.job, &n1.place, &err), 0);
	assert_report(true, NULL);
	assert_false(is_there(".stint-77.1.n1.lead"));
	assert_false(is_there(".stint-77.1.n2.part"));
	finish(&n1);
	finish(&n2);
}

static void a_node_that_is_late_completes_the_report_itself(void **state)
{
	struct node n1, n2;
	struct error err;

	(void)state;
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	assert_int_equal(writer_finish(&n1.job, &n1.place, &err), 0);
	assert_report(false, "n2: its record has not arrived");
	assert_true(is_there(".stint-77.1.n1.part"));
	assert_false(is_there(".stint-77.1.n1.lead"));
	start(&n2, "record-two-n2.json");
	n2.job.slurm = NULL; /* Slurm has forgotten the job meanwhile */
	n2.job.slurm_reason = "gone";
	deliver(&n2);
	assert_report(true, NULL);
	assert_false(is_there(".stint-77.1.n1.part"));
	assert_false(is_there(".stint-77.1.n2.part"));
	finish(&n1);
	finish(&n2);
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(path_of(name), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void a_damaged_part_is_a_missing_node_with_the_reason(void **state)
{
	static const struct {
		const char *text, *reason;
	} parts[] = {
		{ "{\"stint_record\": 1, ", "damaged JSON" },
		{ "{}", "not a node record" },
		{ "{\"stint_record\": 1, \"identity\": {\"job_id\": 78, \"attempt\": 1, \"node\": \"n2\"}}",
		  "the record of another job or node" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct node n1;

		write_file(".stint-77.1.n2.part", parts[i].text);
		start(&n1, "record-two-n1.json");
		assert_int_equal(deliver(&n1), WRITER_DONE);
		assert_report(false, parts[i].reason);
		finish(&n1);
	}
}

static void a_fifo_as_a_part_holds_nobody_up(void **state)
{
	struct node n1;

	(void)state;
	assert_int_equal(mkfifo(path_of(".stint-77.1.n2.part"), 0600), 0);
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	assert_report(false, "not a plain file");
	finish(&n1);
}

static void a_rule_that_is_no_good_does_not_cost_the_report(void **state)
{
	cleanup_json struct json_object *json = NULL;
	struct node n1;

	(void)state;
	strcpy(conf.rules[0].name, "no_such_rule");
	conf.rule_count = 1;
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	json = report();
	assert_true(gaps_have(field_find(json, "gaps"), "verdict"));
	assert_non_null(field_text(json, "verdict.bound"));
	finish(&n1);
}

/* Of each node so much that no number of nodes makes the report too large. */
static void of_many_nodes_less_is_kept_of_each(void **state)
{
	cleanup_json struct json_object *json = NULL, *all = json_object_new_array();
	struct json_object *ends, *series;
	struct node n1;
	char name[16];

	(void)state;
	for (int i = 1; i <= 1000; i++) { /* 65 points of each */
		snprintf(name, sizeof(name), "n%d", i);
		json_object_array_add(all, json_object_new_string(name));
	}
	start(&n1, "record-two-n1.json");
	n1.job.nodes = all;
	series = field_find(n1.job.record, "series");
	ends = put_array(series, "end_offsets_ns");
	put_object(series, "columns");
	for (int i = 1; i <= 200; i++)
		json_object_array_add(ends, json_object_new_int64(i * NS_PER_S));
	deliver(&n1);
	json = report();
	series = json_object_array_get_idx(field_find(json, "series"), 0);
	assert_int_equal(field_length(field_find(series, "end_offsets_s")), 50);
	finish(&n1);
}

static void a_link_in_the_reports_place_is_replaced(void **state)
{
	struct node n1;
	struct stat st;

	(void)state;
	write_file("precious", "untouched");
	assert_int_equal(symlink("precious", path_of("stint-77.json")), 0);
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	assert_int_equal(lstat(path_of("stint-77.json"), &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(stat(path_of("precious"), &st), 0);
	assert_int_equal(st.st_size, strlen("untouched"));
	finish(&n1);
}

static void the_patterns_own_directories_are_made(void **state)
{
	struct node n1;

	(void)state;
	strcpy(conf.output, "logs/%u/stint-%i.json");
	start(&n1, "record-two-n1.json");
	json_object_object_del(n1.job.record, "output");
	close(n1.place.dirfd);
	assert_int_equal(writer_open(&n1.job, &n1.place, NULL), 0);
	deliver(&n1);
	assert_true(is_there("logs/juser/stint-77.json"));
	finish(&n1);
}

static void a_working_directory_that_is_gone_is_an_error(void **state)
{
	struct node n1;
	struct error err = { "" };

	(void)state;
	start(&n1, "record-two-n1.json");
	close(n1.place.dirfd);
	put_text(n1.job.record, "work_dir", "/nonexistent");
	assert_int_equal(writer_open(&n1.job, &n1.place, &err), -1);
	assert_string_equal(err.text, "/nonexistent: No such file or directory");
	json_object_put(n1.job.record);
}

/* ---- attempts ---- */

/* A job of one node, n1, and one attempt. */
static void start_attempt(struct node *node, int attempt)
{
	start(node, "record-two-n1.json");
	put_count(field_find(node->job.record, "identity"), "attempt", attempt);
	node->job.identity.attempt = attempt;
	node->job.nodes = json_object_new_array();
	json_object_array_add(node->job.nodes, json_object_new_string("n1"));
	node->job.slurm = NULL;
	node->job.slurm_reason = "no Slurm here";
}

static void finish_attempt(struct node *node)
{
	json_object_put(node->job.nodes);
	finish(node);
}

static void deliver_attempt(int attempt)
{
	struct node node;

	start_attempt(&node, attempt);
	assert_int_equal(deliver(&node), WRITER_DONE);
	finish_attempt(&node);
}

static void assert_attempt(const char *name, int64_t attempt)
{
	cleanup_json struct json_object *json = report_of(name);

	assert_int_equal(json_object_get_int64(field_find(json, "job.attempt")), attempt);
}

static void a_later_attempt_keeps_the_earlier_ones_report_beside_its_own(void **state)
{
	(void)state;
	for (int attempt = 1; attempt <= 3; attempt++) {
		deliver_attempt(attempt);
		assert_attempt("stint-77.json", attempt);
	}
	assert_attempt("stint-77.attempt-1.json", 1);
	assert_attempt("stint-77.attempt-2.json", 2);
	assert_false(is_there("stint-77.attempt-3.json"));
}

static bool tells_of_a_missing_attempt(const char *name, const char *reason)
{
	cleanup_json struct json_object *json = report_of(name);
	struct json_object *gaps = field_find(json, "gaps");

	for (size_t i = 0; i < field_length(gaps); i++) {
		struct json_object *gap = json_object_array_get_idx(gaps, i);

		if (strcmp(field_text(gap, "name"), "job.attempt") == 0 &&
		    (!reason || strstr(field_text(gap, "reason"), reason)))
			return true;
	}
	return false;
}

static void an_earlier_attempt_that_left_no_report_is_named(void **state)
{
	(void)state;
	deliver_attempt(1);
	deliver_attempt(2);
	assert_false(tells_of_a_missing_attempt("stint-77.json", NULL));
	deliver_attempt(4);
	assert_true(tells_of_a_missing_attempt("stint-77.json", "attempt 3 had left no report"));
	assert_false(tells_of_a_missing_attempt("stint-77.json", "attempt 1"));
	assert_false(tells_of_a_missing_attempt("stint-77.json", "attempt 2"));
	assert_false(tells_of_a_missing_attempt("stint-77.attempt-2.json", NULL));
}

static void a_late_record_of_an_earlier_attempt_has_a_name_of_its_own(void **state)
{
	struct node late;

	(void)state;
	deliver_attempt(2);
	start_attempt(&late, 1);
	assert_int_equal(deliver(&late), WRITER_DONE);
	assert_non_null(strstr(late.place.path, "/stint-77.attempt-1.json"));
	finish_attempt(&late);
	assert_attempt("stint-77.json", 2);
	assert_attempt("stint-77.attempt-1.json", 1);
}

static void a_later_attempt_of_a_job_long_before_is_not_one_of_this(void **state)
{
	struct node node;
	struct json_object *steps;

	(void)state;
	deliver_attempt(2); /* steps of November 2025 */
	start_attempt(&node, 1);
	steps = field_find(node.job.record, "steps");
	for (size_t i = 0; i < field_length(steps); i++)
		put_count(json_object_array_get_idx(steps, i), "start_unix_ns", INT64_C(1800000000) * NS_PER_S);
	deliver(&node);
	finish_attempt(&node);
	assert_attempt("stint-77.json", 1);
}

static void another_jobs_report_of_the_same_name_is_replaced(void **state)
{
	struct node other;

	(void)state;
	strcpy(conf.output, "stint.json");
	start_attempt(&other, 1);
	json_object_object_del(other.job.record, "output");
	put_count(field_find(other.job.record, "identity"), "job_id", 76);
	other.job.identity.job_id = 76;
	close(other.place.dirfd);
	assert_int_equal(writer_open(&other.job, &other.place, NULL), 0);
	deliver(&other);
	put_count(field_find(other.job.record, "identity"), "job_id", 77);
	put_count(field_find(other.job.record, "identity"), "attempt", 2);
	deliver(&other);
	finish_attempt(&other);
	assert_attempt("stint.json", 2);
	assert_false(is_there("stint.attempt-1.json"));
}

/* A job that is closed once more when all is told: nothing was counted since. */
static void a_record_of_no_work_does_not_replace_what_is_told(void **state)
{
	struct node node;
	cleanup_json struct json_object *json = NULL;

	(void)state;
	deliver_attempt(1);
	start_attempt(&node, 1);
	json_object_object_del(node.job.record, "opened_unix_ns");
	put_array(node.job.record, "steps");
	put_count(field_find(node.job.record, "totals"), "processes", 0);
	deliver(&node);
	json = report();
	assert_int_equal(json_object_get_int64(field_find(json, "used.processes")), 3);
	/* the other way round it is replaced */
	assert_int_equal(unlink(path_of("stint-77.json")), 0);
	deliver(&node);
	finish_attempt(&node);
	deliver_attempt(1);
	json_object_put(json);
	json = report();
	assert_int_equal(json_object_get_int64(field_find(json, "used.processes")), 3);
}

/* The writer was killed when the report was there, and the spool did not learn of it. */
static void a_record_that_comes_twice_leaves_the_whole_report(void **state)
{
	struct node n1, n2;

	(void)state;
	start(&n2, "record-two-n2.json");
	deliver(&n2);
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	assert_report(true, NULL);
	assert_int_equal(deliver(&n1), WRITER_DONE);
	assert_int_equal(deliver(&n2), WRITER_DONE);
	assert_report(true, NULL);
	assert_false(is_there(".stint-77.1.n1.part"));
	assert_false(is_there(".stint-77.1.n2.part"));
	finish(&n1);
	finish(&n2);
}

/* A whole report is better than one whose other nodes' parts are gone, even when nothing foretells that. */
static void a_report_of_fewer_nodes_does_not_replace_one_of_more(void **state)
{
	struct node n1, n2;

	(void)state;
	start(&n2, "record-two-n2.json");
	deliver(&n2);
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	deliver_attempt(1);
	assert_report(true, NULL);
	finish(&n1);
	finish(&n2);
}

static void what_is_no_report_is_replaced_and_never_waited_for(void **state)
{
	char deep[4001];

	(void)state;
	memset(deep, '[', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	write_file("stint-77.json", deep);
	deliver_attempt(2);
	assert_attempt("stint-77.json", 2);
	write_file("stint-77.json", "{\"schema\": \"stint-report/1\", \"job\": {\"id\": 77, \"attempt\": -9}}");
	deliver_attempt(2);
	assert_attempt("stint-77.json", 2);
	assert_int_equal(unlink(path_of("stint-77.json")), 0);
	assert_int_equal(mkfifo(path_of("stint-77.json"), 0600), 0);
	deliver_attempt(2);
	assert_attempt("stint-77.json", 2);
	write_file("stint-77.json", "");
	assert_int_equal(truncate(path_of("stint-77.json"), 2LL << 30), 0);
	deliver_attempt(2);
	assert_attempt("stint-77.json", 2);
	assert_false(is_there("stint-77.attempt-1.json"));
}

static void an_earlier_report_that_cannot_be_kept_is_not_replaced(void **state)
{
	struct error err = { "" };
	struct node node;

	(void)state;
	deliver_attempt(1);
	assert_int_equal(mkdir(path_of("stint-77.attempt-1.json"), 0700), 0);
	start_attempt(&node, 2);
	assert_int_equal(writer_deliver(&node.job, &node.place, &err), WRITER_FAILED);
	assert_string_equal(err.text, "stint-77.attempt-1.json: Is a directory");
	finish_attempt(&node);
	assert_attempt("stint-77.json", 1);
}

static void a_part_that_is_a_link_is_not_followed(void **state)
{
	char part[256];
	struct node n1, n2;

	(void)state;
	start(&n2, "record-two-n2.json");
	deliver(&n2);
	finish(&n2);
	strcpy(part, path_of(".stint-77.1.n2.part"));
	assert_int_equal(rename(part, path_of("elsewhere")), 0);
	assert_int_equal(symlink("elsewhere", path_of(".stint-77.1.n2.part")), 0);
	start(&n1, "record-two-n1.json");
	deliver(&n1);
	assert_report(false, "Too many levels of symbolic links");
	finish(&n1);
}

#ifndef __SANITIZE_ADDRESS__
/* With @room bytes of memory and no more: all else that the allocator has or may have is taken. */
static int deliver_within(size_t room)
{
	const struct rlimit no_core = { 0, 0 };
	struct rlimit limit;
	struct node node;
	struct error err;
	void *volatile reserve = malloc(room);
	unsigned long pages = 0;
	FILE *file;
	int null = open("/dev/null", O_WRONLY);

	start_attempt(&node, 1);
	dup2(null, 2); /* json-c asserts */
	signal(SIGABRT, SIG_DFL); /* and cmocka would go on with the next test */
	signal(SIGSEGV, SIG_DFL);
	setrlimit(RLIMIT_CORE, &no_core);
	file = fopen("/proc/self/statm", "r");
	if (!file || fscanf(file, "%lu", &pages) != 1)
		return WRITER_DONE;
	fclose(file);
	limit.rlim_cur = limit.rlim_max = pages * sysconf(_SC_PAGESIZE);
	setrlimit(RLIMIT_AS, &limit);
	for (size_t size = 1 << 20; size >= 16; size /= 2)
		while (malloc(size))
			;
	free(reserve);
	return writer_deliver(&node.job, &node.place, &err);
}
#endif

#ifndef __SANITIZE_ADDRESS__ /* which takes far more addresses than memory */
/* json-c leaves out what it has no memory for, and tells nobody: that must not become a report. */
static void where_memory_is_short_there_is_a_whole_report_or_none(void **state)
{
	cleanup_free char *whole = NULL;
	int written = 0, refused = 0;
	size_t len;

	(void)state;
	deliver_attempt(1);
	whole = file_read(AT_FDCWD, path_of("stint-77.json"), 1 << 20, &len, NULL);
	assert_non_null(whole);
	for (size_t room = 0; room < 400000; room += 416) {
		int status;
		pid_t child;

		unlink(path_of("stint-77.json"));
		fflush(NULL);
		child = fork();
		if (child == 0)
			_exit(deliver_within(room) == WRITER_DONE ? 0 : 1);
		assert_int_equal(waitpid(child, &status, 0), child);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
			cleanup_free char *text = file_read(AT_FDCWD, path_of("stint-77.json"), 1 << 20, NULL, NULL);

			assert_non_null(text);
			assert_string_equal(text, whole);
			written++;
		} else {
			assert_false(is_there("stint-77.json"));
			refused++;
		}
	}
	assert_true(written > 10);
	assert_true(refused > 10);
}
#endif

static void an_attempts_name_is_never_too_long(void **state)
{
	char name[NAME_MAX + 1], out[NAME_MAX + 1];

	(void)state;
	attempt_name("stint-10_2.json", 12, 1, out);
	assert_string_equal(out, "stint-10_2.attempt-1.json");
	attempt_name("report", 12, 3, out);
	assert_string_equal(out, "report.attempt-3");
	attempt_name(".json", 12, 3, out);
	assert_string_equal(out, ".json.attempt-3");
	memset(name, 'x', NAME_MAX);
	name[NAME_MAX] = '\0';
	attempt_name(name, 4294967295, 4294967295, out);
	assert_string_equal(out, "stint-4294967295.attempt-4294967295.json");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(both_nodes_in_time_make_one_whole_report, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_leading_node_does_not_wait_with_what_it_has, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_node_that_is_late_completes_the_report_itself, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_damaged_part_is_a_missing_node_with_the_reason, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_fifo_as_a_part_holds_nobody_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_rule_that_is_no_good_does_not_cost_the_report, set_up, tear_down),
		cmocka_unit_test_setup_teardown(of_many_nodes_less_is_kept_of_each, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_link_in_the_reports_place_is_replaced, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_patterns_own_directories_are_made, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_working_directory_that_is_gone_is_an_error, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_later_attempt_keeps_the_earlier_ones_report_beside_its_own, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_earlier_attempt_that_left_no_report_is_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_late_record_of_an_earlier_attempt_has_a_name_of_its_own, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_later_attempt_of_a_job_long_before_is_not_one_of_this, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_jobs_report_of_the_same_name_is_replaced, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_record_of_no_work_does_not_replace_what_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_record_that_comes_twice_leaves_the_whole_report, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_report_of_fewer_nodes_does_not_replace_one_of_more, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_no_report_is_replaced_and_never_waited_for, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_earlier_report_that_cannot_be_kept_is_not_replaced, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_part_that_is_a_link_is_not_followed, set_up, tear_down),
#ifndef __SANITIZE_ADDRESS__
		cmocka_unit_test_setup_teardown(where_memory_is_short_there_is_a_whole_report_or_none, set_up, tear_down),
#endif
		cmocka_unit_test(an_attempts_name_is_never_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
