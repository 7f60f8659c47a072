/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A site's stint.conf is read as stint.conf(5) says, and a mistake is named by file and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/common/conf.h"
#include "collector/common/pattern.h"

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
			      "sample_interval_s = 5\nmerge_wait_s = 0\ntimeline_entries = 16\n", &conf, &err), 0);
	assert_int_equal(conf.mode, CONF_MODE_SUMMARY);
	assert_string_equal(conf.output, "reports/%x-%i.json");
	assert_string_equal(conf.run_dir, "/r");
	assert_string_equal(conf.spool_dir, "/s");
	assert_string_equal(conf.bpf_dir, "/b");
	assert_int_equal(conf.sample_interval_s, 5);
	assert_int_equal(conf.merge_wait_s, 0);
	assert_int_equal(conf.timeline_entries, 16);
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
	refuse("output = %q.json\n", 1, "no conversion %q");
	refuse("output = dir/\n", 1, "must name a file");
	refuse("[node]\nmode = off\n", 2, "no sections");
	refuse("just words\n", 1, "key = value");
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

static void a_name_cannot_lead_a_pattern_elsewhere(void **state)
{
	struct pattern_values evil = { .job_id = 1, .job_name = "../../etc/\n\x1b[2J", .user = "u" };
	struct error err;
	char out[8];

	(void)state;
	expand("%x.json", &evil, ".._.._etc___[2J.json");
	assert_int_equal(pattern_expand("%x.json", &evil, out, sizeof(out), &err), -1);
	assert_non_null(strstr(err.text, "too long"));
	assert_int_equal(pattern_check("", &err), -1);
	assert_int_equal(pattern_check("100%", &err), -1);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_empty_file_leaves_the_defaults),
		TEST(every_key_is_read),
		TEST(a_mistake_is_named_by_file_and_line),
		TEST(a_file_that_is_not_there_says_so),
		cmocka_unit_test(a_pattern_names_the_job_as_squeue_does),
		cmocka_unit_test(a_name_cannot_lead_a_pattern_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
