/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the journal gets a line's priority, and that no other reader sees a mark of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/log_line.h"

static char said[256];

/* Logs a line to a file that $JOURNAL_STREAM names, with @more added to its inode. Sets said. */
static void say(int priority, int more)
{
	FILE *file = tmpfile();
	int kept = dup(STDERR_FILENO);
	char stream[64];
	struct stat st;
	size_t length;

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &st), 0);
	snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino + more);
	setenv("JOURNAL_STREAM", stream, 1);
	dup2(fileno(file), STDERR_FILENO);
	log_line(priority, "stintd", "job %u: %s", 7, "a\nb");
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	unsetenv("JOURNAL_STREAM");
	rewind(file);
	length = fread(said, 1, sizeof(said) - 1, file);
	said[length] = '\0';
	fclose(file);
}

static void the_journal_gets_the_priority(void **state)
{
	(void)state;
	say(LOG_ERR, 0);
	assert_string_equal(said, "<3>stintd: job 7: a\\x0ab\n");
	say(LOG_NOTICE, 0);
	assert_string_equal(said, "<5>stintd: job 7: a\\x0ab\n");
}

/* Everything that a service starts inherits systemd's variable, wherever its output leads. */
static void a_redirected_line_has_no_mark(void **state)
{
	(void)state;
	say(LOG_ERR, 1);
	assert_string_equal(said, "stintd: job 7: a\\x0ab\n");
}

static void what_is_no_stream_is_no_journal(void **state)
{
	static const char *const wrong[] = { "", "x", "1", "1:", "1:2:3", ":", "1:2x" };

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		setenv("JOURNAL_STREAM", wrong[i], 1);
		assert_false(log_is_journal());
	}
	unsetenv("JOURNAL_STREAM");
	assert_false(log_is_journal());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_journal_gets_the_priority),
		cmocka_unit_test(a_redirected_line_has_no_mark),
		cmocka_unit_test(what_is_no_stream_is_no_journal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
