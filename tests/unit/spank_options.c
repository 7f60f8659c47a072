/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a site and a user may write, and that all else is told in one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

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
		cmocka_unit_test(mode_and_output_can_be_said_together_or_alone),
		cmocka_unit_test(the_output_pattern_takes_the_rest),
		cmocka_unit_test(a_wrong_value_is_refused_and_leaves_nothing_behind),
	};

	return cmocka_run_group_tests_name("spank options", tests, NULL, NULL);
}
