/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/slurm/plugstack.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/file.h"

#define FILE_MAX (1u << 20)
#define INCLUDE_DEPTH 4
#define BLANKS " \t\r"

static const char *name_of(const char *plugin)
{
	const char *slash = strrchr(plugin, '/');

	return slash ? slash + 1 : plugin;
}

static bool is_contain(const char *plugin)
{
	return strcmp(name_of(plugin), PLUGSTACK_CONTAIN) == 0;
}

static bool is_stint(const char *plugin)
{
	return strcmp(name_of(plugin), "stint.so") == 0 || is_contain(plugin);
}

static void take_line(struct plugstack_line *line, const char *file, unsigned int number, bool required,
		      const char *plugin, char *rest)
{
	size_t used = 0;

	memset(line, 0, sizeof(*line));
	snprintf(line->file, sizeof(line->file), "%s", file);
	line->number = number;
	line->required = required;
	snprintf(line->plugin, sizeof(line->plugin), "%s", plugin);
	line->contain = is_contain(plugin);
	for (char *save, *word = strtok_r(rest, BLANKS, &save); word; word = strtok_r(NULL, BLANKS, &save))
		if (used < sizeof(line->arguments))
			used += snprintf(line->arguments + used, sizeof(line->arguments) - used, "%s%s", used ? " " : "", word);
}

struct walk {
	/*
	 * If set, the walk ends at the first line of stint.
	 * If NULL, the walk goes through all files, and no error ends it.
	 */
	struct plugstack_line *line;
	struct error *err;
	void (*see)(void *data, const char *place, bool listed); /* if set, line is NULL */
	void *data;
	unsigned int seen;
};

static void see(struct walk *walk, const char *place, bool listed)
{
	if (walk->see && walk->seen++ < PLUGSTACK_SEEN_MAX)
		walk->see(walk->data, place, listed);
}

/* @error: an errno. errno itself may change when files are closed. */
static int fail_at(struct walk *walk, const char *file, int error)
{
	if (!walk->line)
		return 0;
	memset(walk->line, 0, sizeof(*walk->line));
	snprintf(walk->line->file, sizeof(walk->line->file), "%s", file);
	walk->line->error = error;
	return -1;
}

static int walk_file(struct walk *walk, const char *path, unsigned int depth);

static void see_directory(struct walk *walk, const char *pattern)
{
	char directory[2 * PATH_MAX];

	snprintf(directory, sizeof(directory), "%s", pattern);
	if (strpbrk(pattern, "*?["))
		see(walk, dirname(directory), true);
}

/* A relative @pattern starts at the directory of the file @from. */
static int walk_included(struct walk *walk, const char *from, const char *pattern, unsigned int depth)
{
	char directory[PATH_MAX], path[2 * PATH_MAX];
	glob_t found = { 0 };
	int result = 0;

	if (depth == 0) {
		error_set(walk->err, "%s: includes nest too deep", from);
		return fail_at(walk, from, 0);
	}
	snprintf(directory, sizeof(directory), "%s", from);
	snprintf(path, sizeof(path), "%s%s%s", pattern[0] == '/' ? "" : dirname(directory),
		 pattern[0] == '/' ? "" : "/", pattern);
	see_directory(walk, path);
	if (glob(path, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc && result == 0 && walk->seen < PLUGSTACK_SEEN_MAX; i++)
			result = walk_file(walk, found.gl_pathv[i], depth - 1);
	globfree(&found);
	return result;
}

static int walk_line(struct walk *walk, char *text, const char *path, unsigned int number, unsigned int depth)
{
	char *save, *kind, *name;

	text[strcspn(text, "#")] = '\0';
	kind = strtok_r(text, BLANKS, &save);
	name = kind ? strtok_r(NULL, BLANKS, &save) : NULL;
	if (!name)
		return 0;
	if (strcasecmp(kind, "include") == 0)
		return walk_included(walk, path, name, depth);
	if (!walk->line || (strcasecmp(kind, "optional") != 0 && strcasecmp(kind, "required") != 0) || !is_stint(name))
		return 0;
	take_line(walk->line, path, number, strcasecmp(kind, "required") == 0, name, save);
	return 1;
}

static int walk_file(struct walk *walk, const char *path, unsigned int depth)
{
	cleanup_free char *text = file_read(AT_FDCWD, path, FILE_MAX, NULL, walk->err);
	unsigned int number = 0;
	char *rest = text;
	int result = 0, why = errno;

	see(walk, path, false);
	if (!text)
		return fail_at(walk, path, why);
	while (rest && result == 0)
		result = walk_line(walk, strsep(&rest, "\n"), path, ++number, depth);
	return result;
}

int plugstack_find(const char *path, struct plugstack_line *line, struct error *err)
{
	struct walk walk = { .line = line, .err = err };

	return walk_file(&walk, path, INCLUDE_DEPTH);
}

void plugstack_each(const char *path, void (*see_place)(void *data, const char *place, bool listed), void *data)
{
	struct error err;
	struct walk walk = { .err = &err, .see = see_place, .data = data };

	walk_file(&walk, path, INCLUDE_DEPTH);
}
