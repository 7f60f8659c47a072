/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that tools of the same name are told apart by as little of their folders as necessary. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/wording/tool_fields.h"
#include "tests/unit/reports/case.h"

#define TOOL(name, path) "{'name': '" name "', 'path': '" path "', 'slurm': false}"

static void folder_of_first(const char *tools, const char *expected)
{
	cleanup_free char *text = NULL;
	cleanup_json struct json_object *json = NULL;
	cleanup_report struct report *report = NULL;
	char folder[TOOL_FOLDER_TEXT];
	const char *found;

	assert_true(asprintf(&text, "{'tools': [%s]}", tools) > 0);
	json = case_json(text);
	report = report_of(json);
	found = tool_fields_folder(&report->tools, &report->tools.items[0], folder);
	if (!expected) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found, expected);
}

static void a_name_is_enough_if_no_other_has_it(void **state)
{
	(void)state;
	folder_of_first(TOOL("git", "/usr/bin/git"), NULL);
	folder_of_first(TOOL("git", "/usr/bin/git") "," TOOL("perl", "/opt/git/perl"), NULL);
	/* one file that was replaced meanwhile, and unknown ones */
	folder_of_first(TOOL("git", "/usr/bin/git") "," TOOL("git", "/usr/bin/git"), NULL);
	folder_of_first(TOOL("git", "/usr/bin/git") ",{'name': 'git', 'slurm': false}", NULL);
	folder_of_first("{'name': 'git', 'slurm': false}," TOOL("git", "/usr/bin/git"), NULL);
	folder_of_first(TOOL("git", "memfd:git") "," TOOL("git", "/usr/bin/git"), NULL);
	/* interpreter or slurm tells these apart */
	folder_of_first(TOOL("sleep", "/usr/bin/sleep") ",{'name': 'sleep', 'path': '/bin/sleep', 'slurm': true}", NULL);
	folder_of_first(TOOL("a.sh", "/x/a.sh") ",{'name': 'a.sh', 'interpreter': 'bash', 'path': '/y/a.sh', 'slurm': false}", NULL);
	/* entries of the timeline have no name, but a tool's */
	folder_of_first("{'tool': 'git', 'path': '/a/git'}, {'tool': 'git', 'path': '/b/git'}", NULL);
}

static void tools_of_one_name_are_told_apart_by_their_folders(void **state)
{
	(void)state;
	folder_of_first(TOOL("git", "/usr/bin/git") "," TOOL("git", "/usr/lib/git-core/git"), "bin");
	folder_of_first(TOOL("git", "/usr/lib/git-core/git") "," TOOL("git", "/usr/bin/git"), "git-core");
	folder_of_first(TOOL("git", "/usr/bin/git") "," TOOL("git", "/opt/bin/git"), "/usr/bin");
	folder_of_first(TOOL("git", "/usr/bin/git") "," TOOL("git", "/x/git") "," TOOL("git", "/opt/bin/git"), "/usr/bin");
	folder_of_first(TOOL("git", "/git") "," TOOL("git", "/x/git"), "/");
	/* a folder of 50 bytes, of which a character would be cut */
	folder_of_first(TOOL("git", "/a/12345678901234567890123456789012345678\u00e9789012345/git") "," TOOL("git", "/x/git"),
			"12345678901234567890123456789012345678");
}

static double forks_of(const char *tool)
{
	cleanup_free char *text = NULL;
	cleanup_json struct json_object *json = NULL;
	cleanup_report struct report *report = NULL;

	assert_true(asprintf(&text, "{'tools': [{'name': 'perl', 'slurm': false, %s}]}", tool) > 0);
	json = case_json(text);
	report = report_of(json);
	return tool_fields_forks(&report->tools.items[0]);
}

/* A daemon is a fork of a program that ended at once. */
static void more_cpu_time_than_its_runs_can_have_used_is_that_of_forks(void **state)
{
	(void)state;
	assert_true(forks_of("'runs': 1, 'forks': 1, 'wall_s': 0.003, 'cpu_s': 3.5, 'threads_peak': 1") == 1);
	assert_true(forks_of("'runs': 1, 'forks': 2, 'wall_s': 4, 'cpu_s': 3.7, 'threads_peak': 1") == 0);
	assert_true(forks_of("'runs': 1, 'forks': 2, 'wall_s': 4, 'cpu_s': 15, 'threads_peak': 4") == 0);
	assert_true(forks_of("'runs': 1, 'forks': 2, 'wall_s': 4, 'cpu_s': 17, 'threads_peak': 4") == 2);
	assert_true(forks_of("'runs': 1, 'wall_s': 1, 'cpu_s': 2") == 0);
	assert_true(forks_of("'runs': 1, 'forks': 1, 'cpu_s': 2") == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_enough_if_no_other_has_it),
		cmocka_unit_test(tools_of_one_name_are_told_apart_by_their_folders),
		cmocka_unit_test(more_cpu_time_than_its_runs_can_have_used_is_that_of_forks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
