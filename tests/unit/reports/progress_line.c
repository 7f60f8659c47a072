/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that the line of progress comes at most twice a second, fits the terminal, and leaves nothing.
 * Without a terminal there is none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "reports/terminal/progress_line.h"
#include "tests/unit/set_clock.h"

#define MS UINT64_C(1000000)

static int terminal = -1, saved = -1; /* the other side of standard error */

static void open_terminal(unsigned short columns)
{
	struct winsize size = { .ws_col = columns, .ws_row = 24 };
	struct termios mode;
	int slave;

	terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
	slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	assert_true(slave >= 0);
	assert_int_equal(tcgetattr(slave, &mode), 0);
	cfmakeraw(&mode);
	assert_int_equal(tcsetattr(slave, TCSANOW, &mode), 0);
	assert_int_equal(ioctl(slave, TIOCSWINSZ, &size), 0);
	saved = dup(STDERR_FILENO);
	dup2(slave, STDERR_FILENO);
	close(slave);
}

static void close_terminal(void)
{
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(terminal);
}

static const char *shown(void)
{
	static char text[4096];
	ssize_t length;

	fflush(stderr);
	length = read(terminal, text, sizeof(text) - 1);
	text[length > 0 ? length : 0] = '\0';
	return text;
}

static void the_line_comes_twice_a_second_and_goes(void **state)
{
	(void)state;
	open_terminal(80);
	progress_line_begin("stint ingest");
	progress_line_show(0.5, "1 of 2 batches");
	assert_string_equal(shown(), "");
	set_clock_add(500 * MS);
	progress_line_show(0.25, "1 of 4 batches");
	assert_string_equal(shown(), "\rstint ingest: 1 of 4 batches, 25 %");
	set_clock_add(499 * MS);
	progress_line_show(0.5, "2 of 4 batches");
	assert_string_equal(shown(), "");
	set_clock_add(3001 * MS);
	progress_line_show(0.5, "2 of 4 batches");
	assert_string_equal(shown(), "\rstint ingest: 2 of 4 batches, 50 %, 4 s left");
	set_clock_add(500 * MS);
	progress_line_show(-1, "%d more", 3);
	assert_string_equal(shown(), "\rstint ingest: 3 more                        ");
	progress_line_erase();
	assert_string_equal(shown(), "\r                    \r");
	progress_line_erase();
	assert_string_equal(shown(), "");
	set_clock_add(500 * MS);
	progress_line_show(2, "all");
	assert_string_equal(shown(), "\rstint ingest: all, 100 %, 0 s left");
	progress_line_end();
	assert_string_equal(shown(), "\r                                  \r");
	set_clock_add(500 * MS);
	progress_line_show(1, "again");
	assert_string_equal(shown(), "");
	close_terminal();
}

static void a_line_is_never_wider_than_the_terminal(void **state)
{
	(void)state;
	open_terminal(20);
	progress_line_begin("stint ingest");
	set_clock_add(500 * MS);
	progress_line_show(0.5, "12345 of 23456 batches");
	assert_string_equal(shown(), "\rstint ingest: 12345");
	progress_line_end();
	assert_string_equal(shown(), "\r                   \r");
	close_terminal();
}

static void without_a_terminal_nothing_is_shown(void **state)
{
	int ends[2];
	char byte;

	(void)state;
	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	saved = dup(STDERR_FILENO);
	dup2(ends[1], STDERR_FILENO);
	progress_line_begin("stint ingest");
	set_clock_add(5000 * MS);
	progress_line_show(0.5, "1 of 2");
	progress_line_end();
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	assert_int_equal(read(ends[0], &byte, 1), -1);
	close(saved);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_comes_twice_a_second_and_goes),
		cmocka_unit_test(a_line_is_never_wider_than_the_terminal),
		cmocka_unit_test(without_a_terminal_nothing_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
