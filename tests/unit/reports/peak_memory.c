/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that after an OOM kill the job counts as having used the limit or more, whatever the samples say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/rules/peak_memory.h"
#include "reports/wording/job_bars.h"
#include "reports/wording/job_fields.h"
#include "tests/unit/reports/case.h"

#define MIB 1048576.0
/* half of what the job had, as sampled */
#define KILLED(victims) "{'job': {'state': 'OUT_OF_MEMORY'}, 'used': {'memory_used_peak_bytes': 4294967296, 'memory_efficiency': 0.5}, 'oom': [" \
	victims "], 'nodes': [{'name': 'n1', 'complete': true, 'allocated': {'cpus': 4, 'memory_limit_bytes': 8589934592}, 'used': {'cpu_s': 400," \
	" 'memory_used_peak_bytes': 4294967296}}]}"
#define AT(bytes, more) "{'tool': 'solve', 'node': 'n1', 'limit_bytes': " bytes more "}"

static void check(const char *patch, double mib, double share, bool or_more)
{
	cleanup_report struct report *report = case_model(patch);
	struct peak_memory peak;

	peak_memory_read(report, &peak);
	assert_true(peak.bytes == mib * MIB);
	assert_true(peak.share == share);
	assert_int_equal(peak.or_more, or_more);
}

static void a_reached_limit_is_what_was_used_or_less(void **state)
{
	(void)state;
	check(KILLED(""), 4096, 0.5, false);
	check(KILLED(AT("8589934592", "")), 8192, 1, true);
	check(KILLED(AT("8589934592", ", 'node_ran_out': true")), 4096, 0.5, false);
	check(KILLED(AT("null", "")), 4096, 0.5, false);
	/* a step's own limit: below what was used at another time, and above that */
	check(KILLED(AT("1073741824", "")), 4096, 0.5, false);
	check(KILLED(AT("6442450944", "")), 6144, 0.75, true);
	check(KILLED(AT("1073741824", "") ", " AT("6442450944", "")), 6144, 0.75, true);
}

static void a_node_has_its_own_victims(void **state)
{
	cleanup_report struct report *report = case_model(KILLED(AT("8589934592", "")));
	cleanup_report struct report *other = case_model(KILLED("{'tool': 'solve', 'node': 'n2', 'limit_bytes': 8589934592}"));

	(void)state;
	assert_true(peak_memory_of_node(report, &report->nodes.items[0]) == 8192 * MIB);
	assert_true(peak_memory_of_node(other, &other->nodes.items[0]) == 4096 * MIB);
}

/* n1 has 8 GiB, and used half of it. n2 has 6 GiB, and the kernel killed a process at that limit. */
#define NODE(name, bytes, used) "{'name': '" name "', 'allocated': {'memory_bytes': " bytes "}, 'used': {'memory_used_peak_bytes': " used "}}"
#define UNEVEN \
	"{'requested': {'nodes': 2, 'memory_bytes': 15032385536, 'memory_source': 'per cpu'}," \
	" 'used': {'memory_used_peak_bytes': 4294967296, 'memory_efficiency': 0.5}," \
	" 'oom': [{'tool': 'solve', 'node': 'n2', 'limit_bytes': 6442450944}]," \
	" 'nodes': [" NODE("n1", "8589934592", "4294967296") ", " NODE("n2", "6442450944", "1073741824") "]}"

static void the_share_is_of_the_node_that_reached_its_limit(void **state)
{
	cleanup_report struct report *report = case_model(UNEVEN);
	struct peak_memory peak;

	(void)state;
	check(UNEVEN, 6144, 1, true);
	peak_memory_read(report, &peak);
	assert_true(peak.given == 6144 * MIB);
}

static void assert_bar(const char *patch, double share, const char *of)
{
	cleanup_report struct report *report = case_model(patch);
	struct job_bar bars[JOB_BARS];
	size_t count = job_bars(report, bars);

	for (size_t i = 0; i < count; i++) {
		if (bars[i].at != LOOK_AT_MEMORY)
			continue;
		assert_true(bars[i].share == share);
		assert_string_equal(bars[i].of, of);
		return;
	}
	fail();
}

static void the_bar_shows_it(void **state)
{
	(void)state;
	assert_bar(KILLED(""), 0.5, "8.0 GiB");
	assert_bar(KILLED(AT("8589934592", "")), 1, "8.0 GiB, or more");
}

static void a_list_without_the_limit_says_or_more(void **state)
{
	(void)state;
	assert_true(job_used_more_memory("time-limit-hit, oom-kill"));
	assert_false(job_used_more_memory("memory-near-limit, idle-tail"));
	assert_false(job_used_more_memory(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reached_limit_is_what_was_used_or_less),
		cmocka_unit_test(a_node_has_its_own_victims),
		cmocka_unit_test(the_share_is_of_the_node_that_reached_its_limit),
		cmocka_unit_test(the_bar_shows_it),
		cmocka_unit_test(a_list_without_the_limit_says_or_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
