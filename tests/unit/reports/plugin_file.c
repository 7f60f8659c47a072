/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a plugin's file says what the plugin is. Slurm could not load a refused file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "reports/slurm/plugin_file.h"
#include "tests/unit/within.h"

static char *plugin;
static size_t plugin_size;
static char path[] = "/tmp/stint-plugin.XXXXXX";

static int begin(void **state)
{
	const char *built = getenv("STINT_PLUGIN");
	int fd = mkstemp(path);

	(void)state;
	plugin = file_read(AT_FDCWD, built ? built : "spank/.libs/stint.so", 64u << 20, &plugin_size, NULL);
	if (fd >= 0)
		close(fd);
	return plugin && fd >= 0 ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	free(plugin);
	return unlink(path);
}

static void put(const void *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void refuse(const char *why)
{
	struct plugin_file read;
	struct error err;

	assert_int_equal(plugin_file_read(path, &read, &err), -1);
	if (!strstr(err.text, why))
		fail_msg("'%s' and not '%s'", err.text, why);
	assert_null(strchr(err.text, '\n'));
}

static void the_built_plugin_is_read(void **state)
{
	struct plugin_file read;
	struct error err;

	(void)state;
	put(plugin, plugin_size);
	assert_int_equal(plugin_file_read(path, &read, &err), 0);
	assert_string_equal(read.type, "spank");
	assert_string_equal(read.name, "stint");
	assert_within(PLUGIN_MAJOR(read.version), 22, 99);
	assert_within(PLUGIN_MINOR(read.version), 1, 12);
}

static void what_is_no_plugin_is_refused(void **state)
{
	struct plugin_file read;
	struct error err;

	(void)state;
	put("optional /usr/lib/stint.so\n", 27);
	refuse("not a shared object");
	put("", 0);
	refuse("not a shared object");
	put("\177ELF", 4);
	refuse("cut off");
	assert_int_equal(plugin_file_read("/nonexistent/stint.so", &read, &err), -1);
	assert_non_null(strstr(err.text, "No such file"));
	assert_int_equal(plugin_file_read("/proc/self/exe", &read, &err), -1);
	assert_int_equal(plugin_file_read("/tmp", &read, &err), -1);
}

static void put_changed(size_t at, char byte)
{
	char *copy = malloc(plugin_size);

	assert_non_null(copy);
	memcpy(copy, plugin, plugin_size);
	copy[at] = byte;
	put(copy, plugin_size);
	free(copy);
}

static void one_of_another_machine_is_refused(void **state)
{
	(void)state;
	put_changed(EI_CLASS, plugin[EI_CLASS] == ELFCLASS64 ? ELFCLASS32 : ELFCLASS64);
	refuse("another machine");
	put_changed(EI_DATA, plugin[EI_DATA] == ELFDATA2LSB ? ELFDATA2MSB : ELFDATA2LSB);
	refuse("another machine");
	put_changed(offsetof(Elf64_Ehdr, e_machine), 0x7f);
	refuse("another machine");
	put_changed(offsetof(Elf64_Ehdr, e_type), ET_REL);
	refuse("not a shared object");
}

static void wherever_it_is_cut_it_is_refused(void **state)
{
	(void)state;
	for (size_t size = 4; size < plugin_size; size += 1 + size / 50) {
		put(plugin, size);
		refuse("cut off");
	}
	for (size_t cut = 1; cut < plugin_size && cut < 4096; cut += 31) { /* within the table of sections, which is last */
		put(plugin, plugin_size - cut);
		refuse("cut off");
	}
}

/* The values are not checked. A sanitizer checks that they were within the file. */
static void a_damaged_one_does_no_harm(void **state)
{
	struct plugin_file read;
	struct error err;

	(void)state;
	srandom(1);
	for (int i = 0; i < 500; i++) {
		put_changed(random() % (i % 2 ? plugin_size : 4096), (char)random());
		plugin_file_read(path, &read, &err);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_built_plugin_is_read),
		cmocka_unit_test(what_is_no_plugin_is_refused),
		cmocka_unit_test(one_of_another_machine_is_refused),
		cmocka_unit_test(wherever_it_is_cut_it_is_refused),
		cmocka_unit_test(a_damaged_one_does_no_harm),
	};

	return cmocka_run_group_tests_name("plugin file", tests, begin, end);
}
