/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/slurm_conf.h"

#include <fcntl.h>
#include <glob.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/file.h"

#define FILE_MAX (1u << 20)
#define INCLUDE_DEPTH 4
#define BLANKS " \t\r"

bool slurm_conf_value(const char *text, const char *key, char *value, size_t size)
{
	size_t key_length = strlen(key);
	bool found = false;

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *at = line + strspn(line, BLANKS);
		size_t length;

		if (strncasecmp(at, key, key_length) != 0)
			continue;
		at += key_length + strspn(at + key_length, BLANKS);
		if (*at++ != '=')
			continue;
		at += strspn(at, BLANKS "\"");
		length = strcspn(at, "\n#\" \t\r");
		if (length < size) {
			memcpy(value, at, length);
			value[length] = '\0';
			found = true;
		}
	}
	return found;
}

static bool is_stint(const char *plugin)
{
	const char *slash = strrchr(plugin, '/');

	return strcmp(slash ? slash + 1 : plugin, "stint.so") == 0;
}

static void take_line(struct plugstack_line *line, const char *file, unsigned int number, bool required,
		      const char *plugin, char *rest)
{
	const char run_dir[] = "run_dir=";

	memset(line, 0, sizeof(*line));
	snprintf(line->file, sizeof(line->file), "%s", file);
	line->number = number;
	line->required = required;
	snprintf(line->plugin, sizeof(line->plugin), "%s", plugin);
	for (char *save, *word = strtok_r(rest, BLANKS, &save); word; word = strtok_r(NULL, BLANKS, &save))
		if (strncmp(word, run_dir, strlen(run_dir)) == 0)
			snprintf(line->run_dir, sizeof(line->run_dir), "%s", word + strlen(run_dir));
}

static int find(const char *path, unsigned int depth, struct plugstack_line *line, struct error *err);

/* An include names files by a pattern, from the including file's directory. */
static int find_included(const char *from, const char *pattern, unsigned int depth, struct plugstack_line *line,
			 struct error *err)
{
	char directory[PATH_MAX], path[2 * PATH_MAX];
	glob_t found = { 0 };
	int result = 0;

	if (depth == 0)
		return error_set(err, "%s: includes nest too deep", from);
	snprintf(directory, sizeof(directory), "%s", from);
	snprintf(path, sizeof(path), "%s%s%s", pattern[0] == '/' ? "" : dirname(directory),
		 pattern[0] == '/' ? "" : "/", pattern);
	if (glob(path, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc && result == 0; i++)
			result = find(found.gl_pathv[i], depth - 1, line, err);
	globfree(&found);
	return result;
}

/* One line. Returns as plugstack_find(). */
static int look_at(char *text, const char *path, unsigned int number, unsigned int depth,
		   struct plugstack_line *line, struct error *err)
{
	char *save, *kind, *name;

	text[strcspn(text, "#")] = '\0';
	kind = strtok_r(text, BLANKS, &save);
	name = kind ? strtok_r(NULL, BLANKS, &save) : NULL;
	if (!name)
		return 0;
	if (strcasecmp(kind, "include") == 0)
		return find_included(path, name, depth, line, err);
	if ((strcasecmp(kind, "optional") != 0 && strcasecmp(kind, "required") != 0) || !is_stint(name))
		return 0;
	take_line(line, path, number, strcasecmp(kind, "required") == 0, name, save);
	return 1;
}

static int find(const char *path, unsigned int depth, struct plugstack_line *line, struct error *err)
{
	cleanup_free char *text = file_read(AT_FDCWD, path, FILE_MAX, NULL, err);
	unsigned int number = 0;
	char *rest = text;
	int result = 0;

	if (!text)
		return -1;
	while (rest && result == 0)
		result = look_at(strsep(&rest, "\n"), path, ++number, depth, line, err);
	return result;
}

int plugstack_find(const char *path, struct plugstack_line *line, struct error *err)
{
	return find(path, INCLUDE_DEPTH, line, err);
}
