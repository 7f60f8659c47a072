/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that stint.conf is read by the rules of stint.conf(5), and that a mistake is named by file and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/conf.h"
#include "common/pattern.h"

static char path[64];

static int load(const char *text, struct conf *conf, struct error *err)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	conf_defaults(conf);
	err->text[0] = '\0';
	return conf_load(conf, path, err);
}

static int set_up(void **state)
{
	int fd;

	(void)state;
	strcpy(path, "/tmp/stint-conf-XXXXXX");
	fd = mkstemp(path);
	close(fd);
	return fd < 0;
}

static int tear_down(void **state)
{
	(void)state;
	return unlink(path);
}

static void an_empty_file_leaves_the_defaults(void **state)
{
	struct conf conf, defaults;
	struct error err;

	(void)state;
	conf_defaults(&defaults);
	assert_int_equal(load("", &conf, &err), 0);
	assert_memory_equal(&conf, &defaults, sizeof(conf));
	assert_int_equal(load("# a comment\n\n; another\n", &conf, &err), 0);
	assert_memory_equal(&conf, &defaults, sizeof(conf));
}

static void every_key_is_read(void **state)
{
	struct conf conf;
	struct error err;

	(void)state;
	assert_int_equal(load("mode = summary\noutput=reports/%x-%i.json\nrun_dir = /r\nspool_dir = /s\nbpf_dir = /b\n"
			      "sample_interval_s = 5\nmerge_wait_s = 0\nlast_lines = 7\ntimeline_entries = 16\nstall_s = 60\nfiles = on\n"
			      "gpus = off\nadmin_comment = js1\nreport_mode = 0640\nmunge_socket = /m\n"
			      "follow_waits_per_s = 5000\nfollow_cpus = 64\n",
			      &conf, &err), 0);
	assert_int_equal(conf.mode, CONF_MODE_SUMMARY);
	assert_string_equal(conf.output, "reports/%x-%i.json");
	assert_string_equal(conf.run_dir, "/r");
	assert_string_equal(conf.spool_dir, "/s");
	assert_string_equal(conf.bpf_dir, "/b");
	assert_int_equal(conf.sample_interval_s, 5);
	assert_int_equal(conf.merge_wait_s, 0);
	assert_int_equal(conf.last_lines, 7);
	assert_int_equal(conf.timeline_entries, 16);
	assert_int_equal(conf.stall_s, 60);
	assert_int_equal(conf.follow_waits_per_s, 5000);
	assert_int_equal(conf.follow_cpus, 64);
	assert_true(conf.files);
	assert_false(conf.gpus);
	assert_int_equal(conf.admin_comment, CONF_COMMENT_JS1);
	assert_int_equal(conf.report_mode, 0640);
	assert_string_equal(conf.munge_socket, "/m");
	assert_int_equal(load("report_mode = 0640\nreport_mode = job\nmunge_socket = /m\nmunge_socket =\n", &conf, &err), 0);
	assert_int_equal(conf.report_mode, CONF_REPORT_MODE_JOB);
	assert_string_equal(conf.munge_socket, "");
	assert_int_equal(load("admin_comment = js1\nadmin_comment = none\n", &conf, &err), 0);
	assert_int_equal(conf.admin_comment, CONF_COMMENT_NONE);
}

static void the_stores_keys_are_read_and_checked(void **state)
{
	static const char *const wrong[] = { "store_dir = here\n", "store_dir =\n", "store_scripts = 1\n", "store_backlog_mb = 0\n",
					     "store_interval_s = 0\n", "store_wait_s = 3601\n",
					     "store_user = a2345678901234567890123456789012345678901234567890123456789012345\n" };
	struct conf conf;
	struct error err;

	(void)state;
	assert_int_equal(load("store_dir = /shared/stint\nstore_command = cat >/dev/null; exit 0\nstore_user = slurm\n"
			      "store_scripts = off\nstore_backlog_mb = 7\nstore_interval_s = 1\nstore_wait_s = 2\n", &conf, &err), 0);
	assert_string_equal(conf.store_dir, "/shared/stint");
	assert_string_equal(conf.store_command, "cat >/dev/null; exit 0");
	assert_string_equal(conf.store_user, "slurm");
	assert_false(conf.store_scripts);
	assert_int_equal(conf.store_backlog_mb, 7);
	assert_int_equal(conf.store_interval_s, 1);
	assert_int_equal(conf.store_wait_s, 2);
	assert_true(conf_has_store(&conf));
	assert_int_equal(load("store_dir = off\n", &conf, &err), 0);
	assert_false(conf_has_store(&conf));
	assert_int_equal(load("store_dir = off\nstore_command = cat\n", &conf, &err), 0);
	assert_true(conf_has_store(&conf));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(load(wrong[i], &conf, &err), -1);
}

static int programs_off(const struct conf *conf)
{
	int count = 0;

	for (int i = 0; i < PROGRAMS; i++)
		count += conf->programs_off[i];
	return count;
}

static void programs_are_left_out_by_name_on_one_line_or_several(void **state)
{
	struct conf conf;
	struct error err;

	(void)state;
	assert_int_equal(load("programs_off =\n", &conf, &err), 0);
	assert_int_equal(programs_off(&conf), 0);
	assert_int_equal(load("programs_off = aio_got,aio_pgot , fuse_requested\nprograms_off = oom_victim\n"
			      "  reclaim_began reclaim_ended\n", &conf, &err), 0);
	assert_int_equal(programs_off(&conf), 6);
	assert_true(conf.programs_off[PROGRAM_aio_got] && conf.programs_off[PROGRAM_aio_pgot]);
	assert_true(conf.programs_off[PROGRAM_fuse_requested] && conf.programs_off[PROGRAM_oom_victim]);
	assert_true(conf.programs_off[PROGRAM_reclaim_began] && conf.programs_off[PROGRAM_reclaim_ended]);
}

static void maps_are_bounded_by_name(void **state)
{
	struct conf conf;
	struct error err;

	(void)state;
	assert_int_equal(load("map_entries.tools = 100\nmap_entries.events = 65536\nmap_entries.tools = 7\n", &conf, &err), 0);
	assert_int_equal(conf.map_entries[BOUNDED_tools], 7);
	assert_int_equal(conf.map_entries[BOUNDED_events], 65536);
	assert_int_equal(conf.map_entries[BOUNDED_totals], 0);
}

static void a_rule_has_a_name_and_a_number_and_the_last_one_stands(void **state)
{
	struct conf conf;
	struct error err;

	(void)state;
	assert_int_equal(load("rule.cpu_share = 0.75\nrule.idle_s=60\nrule.cpu_share = -1e-3\n", &conf, &err), 0);
	assert_int_equal(conf.rule_count, 2);
	assert_string_equal(conf.rules[0].name, "cpu_share");
	assert_true(conf.rules[0].value == -0.001);
	assert_string_equal(conf.rules[1].name, "idle_s");
	assert_true(conf.rules[1].value == 60);
}

/* @count rules, and the last of them a second time. */
static int load_rules(int count, struct conf *conf, struct error *err)
{
	static char text[CONF_RULES_MAX * 32];
	char *at = text;

	for (int i = 0; i < count; i++)
		at += sprintf(at, "rule.a%d = %d\n", i, i);
	sprintf(at, "rule.a%d = 7\n", count - 1);
	return load(text, conf, err);
}

static void there_is_room_for_64_rules(void **state)
{
	struct conf conf;
	struct error err;

	(void)state;
	assert_int_equal(load_rules(CONF_RULES_MAX, &conf, &err), 0);
	assert_int_equal(conf.rule_count, CONF_RULES_MAX);
	assert_true(conf.rules[CONF_RULES_MAX - 1].value == 7);
	assert_int_equal(load_rules(CONF_RULES_MAX + 1, &conf, &err), -1);
	assert_non_null(strstr(err.text, ":65: rule.a64: more than 64 rules"));
}

static void refuse(const char *text, int line, const char *part)
{
	struct conf conf;
	struct error err;
	char where[128];

	assert_int_equal(load(text, &conf, &err), -1);
	snprintf(where, sizeof(where), "%s:%d: ", path, line);
	assert_memory_equal(err.text, where, strlen(where));
	assert_non_null(strstr(err.text, part));
	assert_null(strchr(err.text, '\n'));
}

static void a_mistake_is_named_by_file_and_line(void **state)
{
	(void)state;
	refuse("mode = timeline\nmod = off\n", 2, "unknown key 'mod'");
	refuse("mode = sometimes\n", 1, "'sometimes' is not off, summary or timeline");
	refuse("\n\nrun_dir = run\n", 3, "'run' is not an absolute path");
	refuse("sample_interval_s = 0\n", 1, "whole number from 1 to 3600");
	refuse("sample_interval_s = 3601\n", 1, "whole number from 1 to 3600");
	refuse("sample_interval_s = 1.5\n", 1, "whole number");
	refuse("sample_interval_s = -1\n", 1, "whole number");
	refuse("merge_wait_s =\n", 1, "whole number");
	refuse("stall_s = 0\n", 1, "whole number from 1 to 604800");
	refuse("follow_waits_per_s = 999\n", 1, "whole number from 1000 to 1000000000");
	refuse("follow_cpus = 0\n", 1, "whole number from 1 to 1000000");
	refuse("stall_s = 604801\n", 1, "whole number from 1 to 604800");
	refuse("admin_comment = JS1\n", 1, "admin_comment: 'JS1' is not none or js1");
	refuse("report_mode = 0755\n", 1, "report_mode: '0755' is neither 'job' nor a mode from 0600 to 0666");
	refuse("report_mode = 044\n", 1, "report_mode: '044' is neither");
	refuse("report_mode = 648\n", 1, "report_mode: '648' is neither");
	refuse("report_mode =\n", 1, "report_mode: '' is neither");
	refuse("munge_socket = munge\n", 1, "munge_socket: 'munge' is not an absolute path");
	refuse("files = yes\n", 1, "files: 'yes' is not on or off");
	refuse("files =\n", 1, "'' is not on or off");
	refuse("mode = off\nprograms_off = aio_got, aio\n", 2, "programs_off: no kernel program is called 'aio'");
	refuse("programs_off = aio_gotten\n", 1, "no kernel program is called 'aio_gotten'");
	refuse("programs_off = thread_switch\n", 1, "nothing can be counted without 'thread_switch'");
	refuse("programs_off = member_scan\n", 1, "nothing can be counted without 'member_scan'");
	refuse("rule. = 1\n", 1, "'' is not the name of a rule");
	refuse("rule.CPU = 1\n", 1, "rule.CPU: 'CPU' is not the name of a rule");
	refuse("rule.cpu = much\n", 1, "rule.cpu: 'much' is not a number");
	refuse("rule.cpu = 1 s\n", 1, "'1 s' is not a number");
	refuse("rule.cpu = nan\n", 1, "'nan' is not a number");
	refuse("rule.cpu =\n", 1, "'' is not a number");
	refuse("rule.a123456789b123456789c123456789d123456789e123456789f123456789g123 = 1\n", 1, "not the name of a rule");
	refuse("map_entries.tools = 0\n", 1, "map_entries.tools: '0' is not a whole number from 1 to 1048576");
	refuse("map_entries.slots = 1024\n", 1, "whole number from 1 to 1023");
	refuse("map_entries. = 1\n", 1, "'' is not a map whose number of entries can be set");
	refuse("map_entries.settings = 1\n", 1, "'settings' is not a map whose number of entries can be set");
	refuse("output = %q.json\n", 1, "unknown conversion %q");
	refuse("output = dir/\n", 1, "must name a file");
	refuse("[node]\nmode = off\n", 2, "sections are not allowed: [node]");
	refuse("just words\n", 1, "key = value");
}

static void a_reader_goes_on_after_a_mistake(void **state)
{
	struct error warning, err;
	struct conf conf;
	char line[128];

	(void)state;
	assert_int_equal(load("merge_wait_s = 5\njust words\nmode = of\nstall_s = 7\ncolour = blue\nfiles = on\n", &conf, &err), -1);
	assert_int_equal(conf.stall_s, 300);
	snprintf(line, sizeof(line), "%s:2: not of the form 'key = value'", path);
	assert_string_equal(err.text, line);
	assert_int_equal(conf_load_known(&conf, path, &warning, &err), 0);
	assert_string_equal(warning.text, line);
	assert_int_equal(conf.merge_wait_s, 5);
	assert_int_equal(conf.mode, CONF_MODE_TIMELINE);
	assert_int_equal(conf.stall_s, 7);
	assert_true(conf.files);
	load("stall_s = 7\n\nmode = of\njust words\n", &conf, &err);
	assert_int_equal(conf_load_known(&conf, path, &warning, &err), 0);
	snprintf(line, sizeof(line), "%s:3: mode: 'of' is not off", path);
	assert_memory_equal(warning.text, line, strlen(line));
	load("stall_s = 8\n", &conf, &err);
	assert_int_equal(conf_load_known(&conf, path, &warning, &err), 0);
	assert_string_equal(warning.text, "");
	assert_int_equal(conf.stall_s, 8);
	assert_int_equal(conf_load_known(&conf, "/nowhere/stint.conf", &warning, &err), -1);
}

static void a_file_that_is_not_there_says_so(void **state)
{
	struct conf conf;
	struct error err;

	(void)state;
	conf_defaults(&conf);
	assert_int_equal(conf_load(&conf, "/nowhere/stint.conf", &err), -1);
	assert_int_equal(errno, ENOENT);
	assert_non_null(strstr(err.text, "/nowhere/stint.conf: No such file"));
}

static void expand(const char *pattern, const struct pattern_values *values, const char *expected)
{
	char out[256];

	assert_int_equal(pattern_expand(pattern, values, out, sizeof(out), NULL), 0);
	assert_string_equal(out, expected);
}

static void a_pattern_names_the_job_as_squeue_does(void **state)
{
	struct pattern_values one = { .job_id = 12, .job_name = "align", .user = "ada", .node = "n1" };
	struct pattern_values task = { .job_id = 14, .array_job_id = 12, .array_task_id = 0, .job_name = "a" };

	(void)state;
	expand(PATTERN_DEFAULT, &one, "stint-12.json");
	expand(PATTERN_DEFAULT, &task, "stint-12_0.json");
	expand("%A.%a.%j", &one, "12.0.12");
	expand("%A.%a.%j", &task, "12.0.14");
	expand("%u/%N/%x%%", &one, "ada/n1/align%");
}

static void a_pattern_that_names_no_task_has_the_tasks_number_added(void **state)
{
	struct pattern_values one = { .job_id = 12 };
	struct pattern_values task = { .job_id = 14, .array_job_id = 12, .array_task_id = 7 };
	char out[16], pattern[NAME_MAX + 1], longer[NAME_MAX + 64];

	(void)state;
	expand("all.json", &one, "all.json");
	expand("all.json", &task, "all.task-7.json");
	expand("a.b/all", &task, "a.b/all.task-7");
	expand("a/.json", &task, "a/.json.task-7");
	expand("%A%%a.json", &task, "12%a.task-7.json");
	expand("%a/all.json", &task, "7/all.json");
	memset(pattern, 'x', NAME_MAX);
	memcpy(pattern + NAME_MAX - 5, ".json", 6);
	assert_int_equal(pattern_expand(pattern, &task, longer, sizeof(longer), NULL), 0);
	assert_int_equal(strlen(longer), NAME_MAX);
	assert_string_equal(longer + NAME_MAX - 13, "x.task-7.json");
	memcpy(pattern + NAME_MAX - 13, "\xc3\xb6", 2);
	assert_int_equal(pattern_expand(pattern, &task, longer, sizeof(longer), NULL), 0);
	assert_string_equal(longer + NAME_MAX - 14, "x.task-7.json");
	assert_int_equal(pattern_expand("123456.json", &task, out, sizeof(out), NULL), -1);
	assert_int_equal(pattern_expand("12.json", &task, out, sizeof(out), NULL), 0);
}

static void a_pattern_tells_jobs_apart_by_their_numbers_alone(void **state)
{
	(void)state;
	assert_true(pattern_tells_jobs_apart(PATTERN_DEFAULT));
	assert_true(pattern_tells_jobs_apart("%A/all.json"));
	assert_true(pattern_tells_jobs_apart("%%%j"));
	assert_false(pattern_tells_jobs_apart("%u-%x-%N-%a.json"));
	assert_false(pattern_tells_jobs_apart("100%%i.json"));
}

static void a_name_cannot_lead_a_pattern_elsewhere(void **state)
{
	struct pattern_values evil = { .job_id = 1, .job_name = "../../etc/\n\x1b[2J", .user = "u" };
	static const char *const no_names[] = { "", ".", ".." };
	char out[8], longer[512], name[256];
	struct pattern_values longest = { .job_id = 1, .job_name = name, .user = "u" };
	struct error err;

	(void)state;
	expand("%x.json", &evil, ".._.._etc___[2J.json");
	memset(name, 'x', sizeof(name));
	memcpy(name + 199, "\xc3\xb6", 3);
	assert_int_equal(pattern_expand("%x.json", &longest, longer, sizeof(longer), &err), 0);
	assert_int_equal(strlen(longer), 199 + strlen(".json"));
	assert_int_equal(pattern_expand("%x.json", &evil, out, sizeof(out), &err), -1);
	assert_non_null(strstr(err.text, "too long"));
	assert_int_equal(pattern_check("", &err), -1);
	assert_int_equal(pattern_check(".", &err), -1);
	assert_int_equal(pattern_check("reports/..", &err), -1);
	assert_int_equal(pattern_check("..%x", &err), 0);
	for (size_t i = 0; i < sizeof(no_names) / sizeof(no_names[0]); i++) {
		longest.job_name = no_names[i];
		assert_int_equal(pattern_expand("%x", &longest, longer, sizeof(longer), &err), -1);
		assert_non_null(strstr(err.text, "names no file"));
	}
	assert_int_equal(pattern_check("100%", &err), -1);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_empty_file_leaves_the_defaults),
		TEST(every_key_is_read),
		TEST(the_stores_keys_are_read_and_checked),
		TEST(programs_are_left_out_by_name_on_one_line_or_several),
		TEST(maps_are_bounded_by_name),
		TEST(a_rule_has_a_name_and_a_number_and_the_last_one_stands),
		TEST(there_is_room_for_64_rules),
		TEST(a_mistake_is_named_by_file_and_line),
		TEST(a_reader_goes_on_after_a_mistake),
		TEST(a_file_that_is_not_there_says_so),
		cmocka_unit_test(a_pattern_names_the_job_as_squeue_does),
		cmocka_unit_test(a_pattern_that_names_no_task_has_the_tasks_number_added),
		cmocka_unit_test(a_pattern_tells_jobs_apart_by_their_numbers_alone),
		cmocka_unit_test(a_name_cannot_lead_a_pattern_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
