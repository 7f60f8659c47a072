/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A shell goes on when a command fails: the timeline says of what failed whether a shell had started it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/build/merge.h"
#include "tests/unit/reports/case.h"

#define RUN(tool, pid, ppid, start, status) \
	"{'tool': " tool ", 'pid': " pid ", 'ppid': " ppid ", 'start_unix_ns': " start ", 'end_unix_ns': 99, 'exit_status': " status "}"

static const struct {
	const char *entry;
	bool by_shell;
} timeline[] = {
	{ RUN("0", "7", "1", "10", "0"), false }, /* the job script */
	{ RUN("2", "8", "7", "20", "256"), true },
	{ RUN("2", "9", "7", "21", "0"), false }, /* it did not fail */
	{ RUN("1", "10", "7", "22", "0"), false },
	{ RUN("2", "11", "10", "23", "256"), false }, /* Python started it */
	{ RUN("3", "12", "1", "24", "0"), false },
	{ RUN("2", "13", "12", "25", "11"), true }, /* a login shell, and a signal */
	{ RUN("0", "10", "7", "30", "0, 'forked': true"), false }, /* a subshell, which got Python's pid */
	{ RUN("2", "14", "10", "31", "256"), true },
	{ RUN("2", "15", "10", "32", "15, 'dismissed': true"), false },
	{ RUN("2", "16", "3", "33", "256"), false }, /* nobody knows its parent */
};

#define ENTRIES (sizeof(timeline) / sizeof(timeline[0]))

static void who_failed_below_a_shell_is_marked(void **state)
{
	cleanup_json struct json_object *record = case_json(
		"{'identity': {'node': 'n1'}, 'tools': [{'name': 'job.sh', 'interpreter': 'bash'},"
		" {'name': 'fit.py', 'interpreter': 'python3'}, {'name': 'samtools'}, {'name': '-sh'}]}");
	struct json_object *entries = json_object_new_array();
	cleanup_json struct json_object *list = NULL;
	struct merge_script script = { 0 };

	(void)state;
	for (size_t i = 0; i < ENTRIES; i++)
		json_object_array_add(entries, case_json(timeline[i].entry));
	json_object_object_add(record, "timeline", entries);
	list = merge_timeline(&record, 1, &script);
	assert_int_equal(field_length(list), ENTRIES);
	for (size_t i = 0; i < ENTRIES; i++)
		if (field_true(json_object_array_get_idx(list, i), "by_shell") != timeline[i].by_shell)
			fail_msg("by_shell is wrong in %s", timeline[i].entry);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_failed_below_a_shell_is_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
