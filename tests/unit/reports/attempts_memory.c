/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a report is written whole or not at all if memory is short. */
#include <errno.h>
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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/file.h"
#include "common/memory/memory_limit.h"
#include "tests/unit/reports/attempt_node.h"
#include "tests/unit/reports/failing_memory.h"

#ifdef MEMORY_SANITIZED
int main(void)
{
	puts("1..0 # SKIP a sanitizer takes far more addresses than memory");
	return 0;
}
#else
/*
 * Returns another number below @count each day, so that all are tried in time.
 * STINT_TEST_DAY repeats a day's number.
 */
static unsigned long another(unsigned long count)
{
	const char *set = getenv("STINT_TEST_DAY");
	unsigned long day = set ? strtoul(set, NULL, 10) : (unsigned long)time(NULL) / 86400;

	print_message("# of day STINT_TEST_DAY=%lu\n", day);
	return day * 7919 % count;
}

/* Leaves only @room bytes of memory: takes all else that the allocator has or may get. */
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
	dup2(null, 2); /* json-c asserts that it has memory */
	signal(SIGABRT, SIG_DFL); /* cmocka would continue with the next test */
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

/* json-c silently leaves out what it has no memory for: that must not become a report. */
static void where_memory_is_short_there_is_a_whole_report_or_none(void **state)
{
	cleanup_free char *whole = NULL;
	int written = 0, refused = 0;
	size_t len;

	(void)state;
	deliver_attempt(1);
	whole = file_read(AT_FDCWD, path_of("stint-77.json"), 1 << 20, &len, NULL);
	assert_non_null(whole);
	for (size_t room = 416 * another(3); room < 400000; room += 3 * 416) {
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

struct memory_case {
	void (*prepare)(void); /* makes the directory's content before the test */
	int attempt; /* attempt to deliver; 0: the records of both nodes of the job, the leading one's last */
	const char *name; /* of that attempt's report */
	const char *other; /* another report that is there afterwards; may be NULL */
};

static void of_nothing(void)
{
}

static void of_an_earlier_attempt(void)
{
	deliver_attempt(1);
}

static void of_a_later_attempt(void)
{
	deliver_attempt(2);
}

static void of_two_earlier_attempts(void)
{
	deliver_attempt(1);
	deliver_attempt(2);
}

static void of_another_node(void)
{
	struct node n2;

	start(&n2, "record-two-n2.json");
	deliver(&n2);
	finish(&n2);
}

static void empty_directory(void)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf %s && mkdir %s", directory, directory);
	assert_int_equal(system(command), 0);
}

/* Restores the prepared files as often as needed, without waits for the disk. */
static void keep_directory(void)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf %s.kept && cp -a %s %s.kept", directory, directory, directory);
	assert_int_equal(system(command), 0);
}

static void put_back_directory(void)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf %s && cp -a %s.kept %s", directory, directory, directory);
	assert_int_equal(system(command), 0);
}

/* Runs in a child whose allocation @at fails. Returns how the child ended: 0 after a delivery. */
static int deliver_failing(const struct memory_case *c, unsigned long at, unsigned long *count)
{
	const struct rlimit no_core = { 0, 0 };
	int counts[2], status, null;
	struct node node;
	struct error err;
	pid_t child;

	assert_int_equal(pipe(counts), 0);
	fflush(NULL);
	child = fork();
	if (child == 0) {
		null = open("/dev/null", O_WRONLY);
		dup2(null, 2);
		signal(SIGABRT, SIG_DFL);
		signal(SIGSEGV, SIG_DFL);
		setrlimit(RLIMIT_CORE, &no_core);
		if (c->attempt)
			start_attempt(&node, c->attempt);
		else
			start(&node, "record-two-n1.json");
		failing_memory_count = 0;
		failing_memory_at = at;
		status = writer_deliver(&node.job, &node.place, &err);
		if (write(counts[1], &failing_memory_count, sizeof(failing_memory_count)) < 0)
			_exit(2);
		_exit(status == WRITER_DONE ? 0 : 1);
	}
	close(counts[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (read(counts[0], count, sizeof(*count)) != sizeof(*count))
		*count = 0;
	close(counts[0]);
	return status;
}

/*
 * Checks that each report is unchanged, or the same as without a failure.
 * A report that lacks a node says so.
 */
static void is_whole_or_as_before(const char *name, const char *before, const char *after, bool delivered)
{
	cleanup_free char *text = file_read(AT_FDCWD, path_of(name), 1 << 20, NULL, NULL);

	if (delivered)
		assert_non_null(text);
	if (text && strstr(text, "n2.part") && (strstr(text, "out of memory") || strstr(text, strerror(ENOMEM))))
		assert_non_null(strstr(text, "\"complete\": false"));
	else if (text && (delivered || !before || strcmp(text, before) != 0))
		assert_string_equal(text, after);
	if (before)
		assert_non_null(text);
}

static void sweep(const struct memory_case *c)
{
	cleanup_free char *before = NULL, *whole = NULL, *other = NULL;
	unsigned long count, ignored;
	int refused = 0;

	empty_directory();
	c->prepare();
	keep_directory();
	before = file_read(AT_FDCWD, path_of(c->name), 1 << 20, NULL, NULL);
	assert_int_equal(deliver_failing(c, 0, &count), 0);
	whole = file_read(AT_FDCWD, path_of(c->name), 1 << 20, NULL, NULL);
	assert_non_null(whole);
	if (c->other)
		other = file_read(AT_FDCWD, path_of(c->other), 1 << 20, NULL, NULL);
	assert_true(count > 100);
	for (unsigned long at = 1; at <= count; at++) {
		bool delivered;

		put_back_directory();
		delivered = deliver_failing(c, at, &ignored) == 0;
		is_whole_or_as_before(c->name, before, whole, delivered);
		if (other && delivered)
			is_whole_or_as_before(c->other, NULL, other, true);
		refused += !delivered;
	}
	assert_true(refused > 10);
}

static void an_allocation_that_fails_leaves_no_part_of_a_report(void **state)
{
	static const struct memory_case cases[] = {
		{ of_nothing, 1, "stint-77.json", NULL },
		{ of_nothing, 3, "stint-77.json", NULL },
		{ of_an_earlier_attempt, 2, "stint-77.json", "stint-77.attempt-1.json" },
		{ of_two_earlier_attempts, 3, "stint-77.json", "stint-77.attempt-2.json" },
		{ of_a_later_attempt, 1, "stint-77.attempt-1.json", "stint-77.json" },
		{ of_another_node, 0, "stint-77.json", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		sweep(&cases[i]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(where_memory_is_short_there_is_a_whole_report_or_none, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(an_allocation_that_fails_leaves_no_part_of_a_report, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
