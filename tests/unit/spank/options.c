/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what a site and a user may write. Everything else is an error of one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "spank/off.h"
#include "spank/options.h"

static void the_run_directory_has_a_default(void **state)
{
	struct options_arguments site;
	struct error err;

	(void)state;
	assert_int_equal(options_parse_arguments(0, NULL, &site, &err), 0);
	assert_string_equal(site.run_dir, "/run/stint");
}

static void the_run_directory_is_read(void **state)
{
	char *arguments[] = { "run_dir=/srv/x//" };
	struct options_arguments site;
	struct error err;

	(void)state;
	assert_int_equal(options_parse_arguments(1, arguments, &site, &err), 0);
	assert_string_equal(site.run_dir, "/srv/x");
}

static void refuse_argument(const char *argument, const char *said)
{
	char *arguments[] = { (char *)argument };
	struct options_arguments site;
	struct error err;

	assert_int_equal(options_parse_arguments(1, arguments, &site, &err), -1);
	assert_non_null(strstr(err.text, said));
	assert_null(strchr(err.text, '\n'));
}

static void an_unknown_argument_is_named(void **state)
{
	(void)state;
	refuse_argument("rundir=/x", "unknown argument 'rundir=/x'");
	refuse_argument("run_dir", "unknown argument 'run_dir'");
	refuse_argument("", "unknown argument ''");
	refuse_argument("run_dir=x", "not an absolute path");
	refuse_argument("run_dir=", "not an absolute path");
	refuse_argument("mode=summary", "expected on or off");
	refuse_argument("mode=", "expected on or off");
	refuse_argument("off_users=alice", "expected user ids");
	refuse_argument("off_users=", "expected user ids");
	refuse_argument("off_users=1,", "expected user ids");
	refuse_argument("off_users=1 2", "expected user ids");
	refuse_argument("off_users=-1", "expected user ids");
	refuse_argument("off_users=99999999999999999999", "expected user ids");
	refuse_argument("off_partitions=", "expected names");
}

static void a_run_directory_that_no_socket_fits_below_is_refused(void **state)
{
	char argument[8 + MESSAGE_RUN_DIR_MAX + 2] = "run_dir=/";
	char *arguments[] = { argument };
	struct options_arguments site;
	struct error err;

	(void)state;
	memset(argument + 9, 'x', MESSAGE_RUN_DIR_MAX - 1);
	assert_int_equal(options_parse_arguments(1, arguments, &site, &err), 0);
	assert_int_equal(strlen(site.run_dir), MESSAGE_RUN_DIR_MAX);
	strcat(argument, "x");
	refuse_argument(argument, "longer than");
}

static void what_is_off_is_read(void **state)
{
	char *arguments[] = { "run_dir=/nonexistent", "off_users=1001,7", "off_users=9", "off_partitions=debug,long" };
	char *all[] = { "run_dir=/nonexistent", "mode=off" }, *on[] = { "run_dir=/nonexistent", "mode=off", "mode=on" };
	struct options_arguments site;
	struct error err;

	(void)state;
	assert_int_equal(options_parse_arguments(4, arguments, &site, &err), 0);
	assert_true(off_for(&site, 1001, "x"));
	assert_true(off_for(&site, 7, NULL));
	assert_true(off_for(&site, 9, NULL));
	assert_false(off_for(&site, 100, NULL));
	assert_true(off_for(&site, 100, "debug"));
	assert_true(off_for(&site, 100, "long"));
	assert_false(off_for(&site, 100, "deb"));
	assert_false(off_for(&site, 100, "longer"));
	assert_false(off_for(&site, 100, ""));
	assert_false(off_for(&site, 100, "debug,long"));
	assert_int_equal(options_parse_arguments(2, all, &site, &err), 0);
	assert_true(off_for(&site, 100, NULL));
	assert_int_equal(options_parse_arguments(3, on, &site, &err), 0);
	assert_false(off_for(&site, 100, NULL));
}

static void more_users_than_there_is_room_for_are_refused(void **state)
{
	char argument[16 + 2 * (OPTIONS_OFF_USERS_MAX + 1)] = "off_users=1";
	char *arguments[] = { argument };
	struct options_arguments site;
	struct error err;

	(void)state;
	for (int i = 1; i < OPTIONS_OFF_USERS_MAX; i++)
		strcat(argument, ",1");
	assert_int_equal(options_parse_arguments(1, arguments, &site, &err), 0);
	strcat(argument, ",1");
	refuse_argument(argument, "more than");
}

static void a_file_in_the_run_directory_turns_the_node_off(void **state)
{
	char directory[] = "/tmp/stint-off.XXXXXX", path[64];
	struct options_arguments site = { .off = false };
	int fd;

	(void)state;
	assert_non_null(mkdtemp(directory));
	strcpy(site.run_dir, directory);
	snprintf(path, sizeof(path), "%s/" OFF_FILE, directory);
	assert_false(off_for(&site, 100, NULL));
	fd = open(path, O_CREAT | O_WRONLY | O_EXCL, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_true(off_for(&site, 100, NULL));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(directory), 0);
}

static void accept_job(const char *value, enum control_mode mode, const char *output)
{
	struct options_job job;
	struct error err;

	assert_int_equal(options_parse_job(value, &job, &err), 0);
	assert_int_equal(job.mode, mode);
	assert_string_equal(job.output, output);
}

static void mode_and_output_can_be_said_together_or_alone(void **state)
{
	(void)state;
	accept_job("off", CONTROL_MODE_OFF, "");
	accept_job("summary", CONTROL_MODE_SUMMARY, "");
	accept_job("timeline", CONTROL_MODE_TIMELINE, "");
	accept_job("output=x", CONTROL_MODE_DEFAULT, "x");
	accept_job("timeline,output=reports/%i.json", CONTROL_MODE_TIMELINE, "reports/%i.json");
}

static void the_output_pattern_takes_the_rest(void **state)
{
	(void)state;
	accept_job("summary,output=a,b=c,off", CONTROL_MODE_SUMMARY, "a,b=c,off");
}

static void refuse_job(const char *value)
{
	struct options_job job;
	struct error err;

	assert_int_equal(options_parse_job(value, &job, &err), -1);
	assert_memory_equal(err.text, "--stint", strlen("--stint"));
	assert_null(strchr(err.text, '\n'));
	assert_int_equal(job.mode, CONTROL_MODE_DEFAULT);
	assert_string_equal(job.output, "");
}

static void a_wrong_value_is_refused_and_leaves_nothing_behind(void **state)
{
	static char long_pattern[8192] = "output=";
	static const char *const wrong[] = {
		"", ",", "on", "OFF", "off ", "offoutput=x", "off,", ",off", "off,summary", "off,off",
		"output=", "timeline,output=", "output=%q", "output=x/", "output=%", "output=a\nb", "output", "summary;output=x",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		refuse_job(wrong[i]);
	refuse_job(NULL);
	memset(long_pattern + strlen("output="), 'x', 5000);
	refuse_job(long_pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_run_directory_has_a_default),
		cmocka_unit_test(the_run_directory_is_read),
		cmocka_unit_test(an_unknown_argument_is_named),
		cmocka_unit_test(a_run_directory_that_no_socket_fits_below_is_refused),
		cmocka_unit_test(what_is_off_is_read),
		cmocka_unit_test(more_users_than_there_is_room_for_are_refused),
		cmocka_unit_test(a_file_in_the_run_directory_turns_the_node_off),
		cmocka_unit_test(mode_and_output_can_be_said_together_or_alone),
		cmocka_unit_test(the_output_pattern_takes_the_rest),
		cmocka_unit_test(a_wrong_value_is_refused_and_leaves_nothing_behind),
	};

	return cmocka_run_group_tests_name("spank options", tests, NULL, NULL);
}
