/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the name of a container's image has no secret. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collector/record/node_record_internal.h"

static struct tool tool;

/* Returns the image that the record has, if a runtime was given @name; NULL if it has none. */
static const char *recorded(const char *name)
{
	static char image[ABI_PATH_MAX + 4];
	struct json_object *object = json_object_new_object(), *text;
	bool has;

	tool.runtime = TOOL_RUNTIME_OF_IMAGE;
	strncpy(tool.script, name, sizeof(tool.script) - 1);
	node_record_add_image(object, &tool);
	has = json_object_object_get_ex(object, "image", &text);
	if (has)
		strcpy(image, json_object_get_string(text));
	json_object_put(object);
	return has ? image : NULL;
}

/* Returns @front, and as many "x" that the kernel programs cut the name. */
static const char *too_long(const char *front)
{
	static char text[2 * ABI_PATH_MAX];

	memset(text, 'x', sizeof(text) - 1);
	memcpy(text, front, strlen(front));
	return text;
}

static void a_name_without_secrets_remains(void **state)
{
	static const char *const names[] = {
		"image.sif", "/team/image.sif", "you@home.sif", "docker://ubuntu", "docker://host.example:5000/ubuntu:24.04",
		"docker-archive:/team/a.tar", "docker://host.example/ubuntu@sha256:0123456789abcdef",
		"docker://ubuntu@sha256:0123456789abcdef", "docker://ubuntu:24.04@sha512:0123456789abcdef",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_string_equal(recorded(names[i]), names[i]);
}

static void users_and_passwords_are_left_out(void **state)
{
	(void)state;
	assert_string_equal(recorded("docker://me:sesame@host/image"), "docker://host/image");
	assert_string_equal(recorded("docker://me:ses@me@host:5000/image"), "docker://host:5000/image");
	assert_string_equal(recorded("docker://me:sesame@host"), "docker://host");
	assert_string_equal(recorded("docker://me:sesame@sha256:5000/image"), "docker://sha256:5000/image");
	assert_string_equal(recorded("docker://me:sesame@sha256:5000"), "docker://sha256:5000");
	assert_string_equal(recorded("docker://me:sesame@ubuntu@sha256:0123456789abcdef"), "docker://ubuntu@sha256:0123456789abcdef");
}

static void queries_are_left_out(void **state)
{
	(void)state;
	assert_string_equal(recorded("https://host/image.sif?X-Amz-Credential=sesame"), "https://host/image.sif");
	assert_string_equal(recorded("https://host?key=sesame"), "https://host");
	assert_string_equal(recorded("https://me:sesame@host/image.sif#sesame"), "https://host/image.sif");
	assert_string_equal(recorded("image.sif?X-Amz-Credential=sesame"), "image.sif");
	assert_string_equal(recorded("image.sif#sesame"), "image.sif");
	assert_string_equal(recorded("image.sif?from=https://me:sesame@host/"), "image.sif");
}

static void what_may_be_a_part_of_a_password_is_no_name(void **state)
{
	(void)state;
	assert_null(recorded("docker://me:ses?ame@host/image"));
	assert_null(recorded("docker://me:ses#ame@host/image"));
	assert_null(recorded("docker://https://me:sesame@host/image"));
}

static void a_name_that_was_cut_shows_it_and_has_no_secret(void **state)
{
	const char *image = recorded(too_long("/team/"));

	(void)state;
	assert_int_equal(strlen(image), ABI_PATH_MAX - 1 + 3);
	assert_string_equal(image + ABI_PATH_MAX - 1, "...");
	assert_string_equal(recorded(too_long("https://host/image.sif?key=")), "https://host/image.sif");
	assert_string_equal(recorded(too_long("image.sif?key=")), "image.sif");
	assert_null(recorded(too_long("docker://me:")));
	assert_null(recorded(too_long("docker://me:ses@")));
	assert_null(recorded(too_long("docker://host")));
	assert_non_null(recorded(too_long("docker://me:sesame@host/")));
	assert_null(strstr(recorded(too_long("docker://me:sesame@host/")), "sesame"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_without_secrets_remains),
		cmocka_unit_test(users_and_passwords_are_left_out),
		cmocka_unit_test(queries_are_left_out),
		cmocka_unit_test(what_may_be_a_part_of_a_password_is_no_name),
		cmocka_unit_test(a_name_that_was_cut_shows_it_and_has_no_secret),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
