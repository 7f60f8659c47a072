/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the log has limits, and that nobody silences lines about others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collector/host/log.h"
#include "tests/unit/within.h"

#define MANY 100000
#define ATTACKER 1001u
#define VICTIM 1002u

static char text[1 << 23];
static int file, before;

static void begin(void)
{
	fflush(stderr);
	before = dup(STDERR_FILENO);
	file = memfd_create("log", MFD_CLOEXEC);
	assert_true(before >= 0 && file >= 0 && dup2(file, STDERR_FILENO) >= 0);
}

static void end(void)
{
	ssize_t length;

	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
	length = pread(file, text, sizeof(text) - 1, 0);
	close(file);
	text[length > 0 ? length : 0] = '\0';
}

static int count(const char *part)
{
	int found = 0;

	for (const char *at = text; (at = strstr(at, part)); at++)
		found++;
	return found;
}

static void lines_on_no_user_are_bounded(void **state)
{
	(void)state;
	begin();
	for (int i = 0; i < MANY; i++)
		collector_log(LOG_ERR, "no user %d", i);
	collector_log(LOG_ERR, "another line");
	end();
	assert_int_equal(count("no user"), 50);
	assert_int_equal(count("another line"), 1);
}

static void one_users_lines_silence_no_other_user(void **state)
{
	(void)state;
	begin();
	for (int i = 0; i < MANY; i++)
		collector_log_user(ATTACKER, LOG_WARNING, "a line on %s", "the attacker");
	for (int i = 0; i < 49; i++)
		collector_log_user(VICTIM, LOG_WARNING, "a line on %s", "the victim");
	end();
	assert_int_equal(count("the attacker"), 50);
	assert_int_equal(count("the victim"), 49);
}

static void what_is_said_of_all_users_is_bounded_and_each_has_some(void **state)
{
	static const char format[] = "one of %s%u";

	(void)state;
	begin();
	for (uint32_t uid = 2001; uid < 2201; uid++)
		for (int i = 0; i < 300; i++)
			collector_log_user(uid, LOG_NOTICE, format, "u", uid);
	end();
	assert_within(count("one of u"), 150, 200);
	for (uint32_t uid = 2001; uid < 2007; uid++) {
		char part[32];

		snprintf(part, sizeof(part), "one of u%u", uid);
		assert_within(count(part), 1, 50);
	}
}

static void a_report_that_is_lost_is_always_named(void **state)
{
	(void)state;
	begin();
	for (int i = 0; i < 1000; i++)
		collector_log_user(ATTACKER, LOG_ERR, "lost: %s", "the attacker's");
	collector_log_user(VICTIM, LOG_ERR, "lost: %s", "the victim's");
	end();
	assert_int_equal(count("the attacker's"), 1000);
	assert_int_equal(count("the victim's"), 1);
}

/* A user with a range of uids (subuid) fills all entries for kinds of lines. */
static void a_user_of_many_uids_fills_no_log_and_silences_nobody(void **state)
{
	(void)state;
	begin();
	for (uint32_t uid = 1; uid <= 10000; uid++)
		collector_log_user(uid, LOG_WARNING, "of many: %s", "x");
	collector_log_user(VICTIM, LOG_WARNING, "%s", "on a user");
	collector_log(LOG_WARNING, "%s ", "on nobody");
	end();
	assert_int_equal(count("on a user"), 1);
	assert_int_equal(count("on nobody"), 1);
	assert_within(count("of many"), 1, 250);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_on_no_user_are_bounded),
		cmocka_unit_test(one_users_lines_silence_no_other_user),
		cmocka_unit_test(what_is_said_of_all_users_is_bounded_and_each_has_some),
		cmocka_unit_test(a_report_that_is_lost_is_always_named),
		cmocka_unit_test(a_user_of_many_uids_fills_no_log_and_silences_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
