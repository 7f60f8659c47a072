/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the sample stint.conf: unchanged it changes nothing, and it shows every key with its default. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/conf.h"
#include "common/file.h"

#define SAMPLE "contrib/stint.conf" /* made in the build tree, where the tests run */

static struct conf defaults, read_conf;

static void as_it_is_it_changes_nothing(void **state)
{
	struct error err;

	(void)state;
	conf_defaults(&defaults);
	conf_defaults(&read_conf);
	if (conf_load(&read_conf, SAMPLE, &err) < 0)
		fail_msg("%s", err.text);
	assert_memory_equal(&read_conf, &defaults, sizeof(defaults));
}

/* "#key = value" is a setting, "# Words" are for people. A space would continue the last line. */
static void uncomment(char *text)
{
	for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		if (line[0] == '#' && line[1] != ' ')
			line[0] = '\n';
}

/* A missing key stays zero, and no default is zero, so the file must set every default. */
static void uncommented_it_sets_every_key_to_its_default(void **state)
{
	char path[] = "conf_sample.XXXXXX";
	struct error err;
	cleanup_free char *text = file_read(AT_FDCWD, SAMPLE, 1 << 16, NULL, &err);
	int fd, result;

	(void)state;
	if (!text)
		fail_msg("%s", err.text);
	uncomment(text);
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	conf_defaults(&defaults);
	memset(&read_conf, 0, sizeof(read_conf));
	result = conf_load(&read_conf, path, &err);
	unlink(path);
	if (result < 0)
		fail_msg("%s", err.text);
	assert_memory_equal(&read_conf, &defaults, sizeof(defaults));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_it_is_it_changes_nothing),
		cmocka_unit_test(uncommented_it_sets_every_key_to_its_default),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
