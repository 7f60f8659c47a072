/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that slurm.conf is read as Slurm reads it: in upper or lower case, with included files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/slurm/plugstack.h"
#include "reports/slurm/slurm_conf.h"

static char directory[] = "/tmp/stint-slurm-conf.XXXXXX", top[64];

static const char *const names[] = { "slurm.conf", "nodes.conf", "deeper.conf", "plugstack.conf" };

static void below(char path[64], const char *name)
{
	snprintf(path, 64, "%s/%s", directory, name);
}

static void write_file(const char *name, const char *text)
{
	char path[64];
	FILE *out;

	below(path, name);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static int begin(void **state)
{
	(void)state;
	if (!mkdtemp(directory))
		return -1;
	below(top, "slurm.conf");
	return setenv("SLURM_CONF", top, 1);
}

static int end(void **state)
{
	char path[64];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		below(path, names[i]);
		unlink(path);
	}
	return rmdir(directory);
}

static void a_value_is_found_as_slurm_finds_it(void **state)
{
	char value[64] = "as it was";

	(void)state;
	write_file("slurm.conf", "ClusterName=first\n  clustername = \"Second\" # the last counts\n#ClusterName=third\nClusterNames=no\n");
	assert_true(slurm_conf_ask("ClusterName", value, sizeof(value)));
	assert_string_equal(value, "Second");
	assert_false(slurm_conf_ask("SlurmUser", value, sizeof(value)));
	assert_string_equal(value, "Second");
	assert_false(slurm_conf_ask("ClusterName", value, 6)); /* no room for all: nothing of it */
}

static void included_lines_stand_in_the_includes_place(void **state)
{
	char value[64], path[64], text[256];

	(void)state;
	below(path, "deeper.conf");
	snprintf(text, sizeof(text), "Include %s\nTaskPlugin=after", path);
	write_file("deeper.conf", "SlurmUser=deep\nTaskPlugin=deep\n");
	write_file("nodes.conf", text);
	write_file("slurm.conf", "SlurmUser=before\n\tinclude\t nodes.conf # beside this file\nIncluded=yes\nClusterName=c");
	assert_true(slurm_conf_ask("SlurmUser", value, sizeof(value)));
	assert_string_equal(value, "deep");
	assert_true(slurm_conf_ask("TaskPlugin", value, sizeof(value)));
	assert_string_equal(value, "after");
	assert_true(slurm_conf_ask("Included", value, sizeof(value)));
	assert_true(slurm_conf_ask("ClusterName", value, sizeof(value)));
	assert_string_equal(value, "c");
}

/* Checks that the text is read without the include that the error names. */
static void is_left_out(const char *with)
{
	struct error err = { "" };
	char *text = slurm_conf_read(top, &err);

	assert_non_null(text);
	free(text);
	if (!strstr(err.text, with))
		fail_msg("'%s' has no '%s'", err.text, with);
}

static void an_include_that_cannot_be_read_is_left_out_and_named(void **state)
{
	struct error err = { "" };
	char value[64];

	(void)state;
	write_file("slurm.conf", "Include nowhere.conf\nSlurmUser=u\n");
	is_left_out("nowhere.conf");
	assert_true(slurm_conf_ask("SlurmUser", value, sizeof(value)));
	assert_string_equal(value, "u");
	write_file("slurm.conf", "Include slurm.conf\nInclude slurm.conf\n");
	is_left_out("too deep");
	write_file("slurm.conf", "Include .\n");
	is_left_out(directory);
	assert_null(slurm_conf_read("/nonexistent/slurm.conf", &err));
	assert_non_null(strstr(err.text, "/nonexistent/slurm.conf"));
}

static void the_clusters_name_stands_for_percent_c(void **state)
{
	char value[64];

	(void)state;
	write_file("nodes.conf", "SlurmUser=theirs\n");
	write_file("slurm.conf", "ClusterName=nodes\nInclude %c.conf\n");
	assert_true(slurm_conf_ask("SlurmUser", value, sizeof(value)));
	assert_string_equal(value, "theirs");
}

static void the_plugins_line_is_found(void **state)
{
	static struct plugstack_line line;
	struct error err;
	char path[64];

	(void)state;
	below(path, "plugstack.conf");
	write_file("plugstack.conf", "# optional /usr/lib/stint.so\noptional other.so\ninclude nodes*.conf\n");
	write_file("nodes.conf", "\nrequired  /opt/stint.so  run_dir=/r   off # ours\n");
	assert_int_equal(plugstack_find(path, &line, &err), 1);
	assert_string_equal(line.plugin, "/opt/stint.so");
	assert_string_equal(line.arguments, "run_dir=/r off");
	assert_int_equal(line.number, 2);
	assert_true(line.required && strstr(line.file, "/nodes.conf"));
	write_file("nodes.conf", "");
	assert_int_equal(plugstack_find(path, &line, &err), 0);
}

/* Not the file that includes it. */
static void the_file_that_ends_the_search_is_named(void **state)
{
	static struct plugstack_line line;
	char path[64], nodes[64], deeper[64];
	struct error err;

	(void)state;
	below(path, "plugstack.conf");
	below(nodes, "nodes.conf");
	below(deeper, "deeper.conf");
	write_file("plugstack.conf", "optional other.so\ninclude nodes.conf\noptional /opt/stint.so\n");
	write_file("nodes.conf", "include deeper.conf\n");
	unlink(deeper);
	assert_int_equal(symlink("nowhere", deeper), 0);
	assert_int_equal(plugstack_find(path, &line, &err), -1);
	assert_string_equal(line.file, deeper);
	assert_int_equal(line.error, ENOENT);
	assert_non_null(strstr(err.text, deeper));
	assert_int_equal(unlink(deeper), 0);
	assert_int_equal(mkdir(deeper, 0755), 0);
	assert_int_equal(plugstack_find(path, &line, &err), -1);
	assert_string_equal(line.file, deeper);
	assert_int_equal(line.error, EISDIR);
	assert_int_equal(rmdir(deeper), 0);
	write_file("nodes.conf", "include nodes.conf\n");
	assert_int_equal(plugstack_find(path, &line, &err), -1);
	assert_string_equal(line.file, nodes);
	assert_int_equal(line.error, 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(plugstack_find(path, &line, &err), -1);
	assert_string_equal(line.file, path);
	assert_int_equal(line.error, ENOENT);
}

static void note_seen(void *data, const char *place, bool listed)
{
	const char *slash = strrchr(place, '/');

	strcat(strcat(data, listed ? "(directory)" : slash + 1), " ");
}

static void all_that_is_included_is_seen(void **state)
{
	char path[64], seen[128] = "";

	(void)state;
	below(path, "plugstack.conf");
	write_file("plugstack.conf", "include nodes.conf\noptional /opt/stint.so\ninclude deep*.conf\n");
	write_file("nodes.conf", "optional other.so\n");
	write_file("deeper.conf", "");
	plugstack_each(path, note_seen, seen);
	assert_string_equal(seen, "plugstack.conf nodes.conf (directory) deeper.conf ");
}

static void count_seen(void *data, const char *place, bool listed)
{
	(void)place;
	(void)listed;
	++*(unsigned int *)data;
}

static void files_that_include_each_other_come_to_an_end(void **state)
{
	unsigned int count = 0;
	char path[64];

	(void)state;
	below(path, "plugstack.conf");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		write_file(names[i], "include *.conf\ninclude *.conf\ninclude *.conf\n");
	plugstack_each(path, count_seen, &count);
	assert_in_range(count, 100, PLUGSTACK_SEEN_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_is_found_as_slurm_finds_it),
		cmocka_unit_test(included_lines_stand_in_the_includes_place),
		cmocka_unit_test(an_include_that_cannot_be_read_is_left_out_and_named),
		cmocka_unit_test(the_clusters_name_stands_for_percent_c),
		cmocka_unit_test(the_plugins_line_is_found),
		cmocka_unit_test(the_file_that_ends_the_search_is_named),
		cmocka_unit_test(all_that_is_included_is_seen),
		cmocka_unit_test(files_that_include_each_other_come_to_an_end),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
