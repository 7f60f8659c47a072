/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a helper program that hangs, dies or prints without end delays its caller only briefly. */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/cleanup.h"
#include "common/process/subprocess.h"

#define PATIENCE_MS 120000 /* for events that come sooner or later on a busy machine */

static char *run_shell(const char *script, unsigned int wait_ms, struct error *err)
{
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };

	return subprocess_output(argv, wait_ms, 100, NULL, err);
}

static void assert_fails(const char *script, unsigned int wait_ms, const char *expected)
{
	struct error err = { "" };

	assert_null(run_shell(script, wait_ms, &err));
	if (!strstr(err.text, expected))
		fail_msg("'%s' is not in '%s'", expected, err.text);
}

static void what_it_prints_is_taken(void **state)
{
	cleanup_free char *out = run_shell("echo hello; echo aside >&2", PATIENCE_MS, NULL);

	(void)state;
	assert_non_null(out);
	assert_string_equal(out, "hello\n");
}

static void what_is_not_for_everybody_is_its_input(void **state)
{
	static char text[60000];
	const char *const reads[] = { "/bin/sh", "-c", "wc -c; read more || echo nothing more", NULL };
	const char *const does_not[] = { "/bin/sh", "-c", "echo hello", NULL };
	cleanup_free char *out, *other;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	out = subprocess_answer(reads, text, PATIENCE_MS, 100, NULL, NULL);
	assert_non_null(out);
	assert_string_equal(out, "59999\nnothing more\n");
	other = subprocess_answer(does_not, text, PATIENCE_MS, 100, NULL, NULL);
	assert_non_null(other);
	assert_string_equal(other, "hello\n");
}

static void memory_is_as_long_as_the_answer(void **state)
{
	const char *const argv[] = { "/bin/sh", "-c", "head -c 200000 /dev/zero | tr '\\0' x", NULL };
	size_t len = 0;
	cleanup_free char *out = subprocess_output(argv, PATIENCE_MS, (size_t)1 << 40, &len, NULL);

	(void)state;
	assert_non_null(out);
	assert_int_equal(len, 200000);
	assert_int_equal(strspn(out, "x"), 200000);
	assert_int_equal(strlen(out), 200000);
	assert_true(malloc_usable_size(out) < 400000);
}

static void one_that_hangs_is_given_up(void **state)
{
	(void)state;
	alarm(240); /* before the programs end by themselves: otherwise the test would have waited for them */
	assert_fails("exec sleep 300", 200, "no answer in time");
	assert_fails("exec >&- 2>&-; exec sleep 300", 200, "no answer in time");
	alarm(0);
}

static void one_that_fails_is_quoted(void **state)
{
	(void)state;
	assert_fails("echo no such job >&2; echo more >&2; exit 1", PATIENCE_MS, "no such job");
	assert_fails("exit 3", PATIENCE_MS, "exit code 3");
	assert_fails("kill -9 $$", PATIENCE_MS, "signal 9");
}

static void one_that_talks_without_end_is_cut(void **state)
{
	(void)state;
	assert_fails("i=0; while [ $i -lt 100 ]; do echo 0123456789; i=$((i + 1)); done", PATIENCE_MS, "longer than 100 bytes");
}

static void one_that_is_not_there_is_an_error(void **state)
{
	const char *const argv[] = { "/nonexistent/program", NULL };
	struct error err = { "" };

	(void)state;
	assert_null(subprocess_output(argv, 1000, 100, NULL, &err));
	assert_string_equal(err.text, "/nonexistent/program: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_prints_is_taken),
		cmocka_unit_test(what_is_not_for_everybody_is_its_input),
		cmocka_unit_test(memory_is_as_long_as_the_answer),
		cmocka_unit_test(one_that_hangs_is_given_up),
		cmocka_unit_test(one_that_fails_is_quoted),
		cmocka_unit_test(one_that_talks_without_end_is_cut),
		cmocka_unit_test(one_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
