/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what stintd tells systemd while it starts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "collector/host/systemd.h"
#include "tests/unit/set_clock.h"

static int listener;
static char heard[256];

/* A socket like systemd's, with a name that is in no file system. */
static int set_up(void **state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "stint-test-%d", getpid());
	char name[128];

	(void)state;
	listener = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	assert_int_equal(
		bind(listener, (struct sockaddr *)&address, offsetof(struct sockaddr_un, sun_path) + 1 + length), 0);
	snprintf(name, sizeof(name), "@%s", address.sun_path + 1);
	return setenv("NOTIFY_SOCKET", name, 1);
}

static int tear_down(void **state)
{
	(void)state;
	unsetenv("NOTIFY_SOCKET");
	return close(listener);
}

static const char *hear(void)
{
	ssize_t length = recv(listener, heard, sizeof(heard) - 1, 0);

	heard[length < 0 ? 0 : length] = '\0';
	return heard;
}

static void it_hears_what_it_is_told(void **state)
{
	(void)state;
	systemd_tell("READY=1");
	assert_string_equal(hear(), "READY=1");
	assert_string_equal(hear(), "");
}

static void a_start_that_goes_on_is_told_of_once_a_second(void **state)
{
	(void)state;
	for (int job = 0; job < 1000; job++)
		systemd_extend_start();
	assert_string_equal(hear(), "EXTEND_TIMEOUT_USEC=10000000");
	assert_string_equal(hear(), "");
	set_clock_add(999999999);
	systemd_extend_start();
	assert_string_equal(hear(), "");
	set_clock_add(1);
	systemd_extend_start();
	assert_string_equal(hear(), "EXTEND_TIMEOUT_USEC=10000000");
}

static void without_systemd_nobody_is_told(void **state)
{
	(void)state;
	unsetenv("NOTIFY_SOCKET");
	systemd_tell("READY=1");
	assert_string_equal(hear(), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_hears_what_it_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_start_that_goes_on_is_told_of_once_a_second, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_systemd_nobody_is_told, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
