/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/slurm/slurm_conf.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"

#define TEXT_MAX (16u << 20)
#define INCLUDE_DEPTH 4
#define BLANKS " \t\r"

const char *slurm_conf_path(void)
{
	const char *path = getenv("SLURM_CONF");

	if (path)
		return path;
	return access("/etc/slurm/slurm.conf", F_OK) < 0 && access(SLURM_CONF_CONFIGLESS, F_OK) == 0 ? SLURM_CONF_CONFIGLESS :
													 "/etc/slurm/slurm.conf";
}

struct text {
	FILE *out;
	char **made; /* the text so far, after fflush(out) */
	size_t left; /* bytes that the text may still grow */
	const char *conf; /* the top file; relative includes start at its directory */
};

static int add_file(struct text *text, const char *path, unsigned int depth, struct error *err);

/* Makes the path of an included file. Replaces %c by the ClusterName of an earlier line, or by nothing. */
static bool place_of(struct text *text, const char *name, size_t length, char path[PATH_MAX])
{
	const char *slash = strrchr(text->conf, '/');
	char cluster[256] = "";
	size_t used = 0;

	fflush(text->out);
	if (*text->made)
		slurm_conf_value(*text->made, "ClusterName", cluster, sizeof(cluster));
	if (name[0] != '/' && slash)
		used = snprintf(path, PATH_MAX, "%.*s", (int)(slash + 1 - text->conf), text->conf);
	for (const char *at = name; at < name + length && used < PATH_MAX; at++) {
		bool is_cluster = at[0] == '%' && at + 1 < name + length && at[1] == 'c';

		used += snprintf(path + used, PATH_MAX - used, "%.*s", is_cluster ? (int)strlen(cluster) : 1,
				 is_cluster ? cluster : at);
		at += is_cluster;
	}
	return used < PATH_MAX;
}

/* Finds the name after "Include". Returns its length in bytes; 0 if there is none. */
static size_t included(const char *line, size_t length, const char **name)
{
	const char *at = line + strspn(line, BLANKS), *end = line + length;

	if (end - at < 8 || strncasecmp(at, "include", 7) != 0 || !strchr(BLANKS, at[7]))
		return 0;
	*name = at + 7 + strspn(at + 7, BLANKS);
	return strcspn(*name, BLANKS "\n#");
}

static int add_included(struct text *text, const char *name, size_t length, unsigned int depth, struct error *err)
{
	char path[PATH_MAX];

	if (depth == 0)
		return error_set(err, "%s: includes nest too deep", text->conf);
	if (!place_of(text, name, length, path))
		return error_set(err, "%s: an include's name is too long", text->conf);
	return add_file(text, path, depth - 1, err);
}

/* Leaves out an include that cannot be read, and sets @err. */
static void add_lines(struct text *text, const char *lines, unsigned int depth, struct error *err)
{
	for (const char *line = lines; *line;) {
		size_t length = strcspn(line, "\n");
		const char *name;
		size_t name_length = included(line, length, &name);

		if (name_length)
			add_included(text, name, name_length, depth, err);
		else
			fprintf(text->out, "%.*s\n", (int)length, line);
		line += length + (line[length] == '\n');
	}
}

static int add_file(struct text *text, const char *path, unsigned int depth, struct error *err)
{
	size_t length;
	cleanup_free char *lines = file_read(AT_FDCWD, path, text->left, &length, err);

	if (!lines)
		return -1;
	text->left -= length;
	add_lines(text, lines, depth, err);
	return 0;
}

char *slurm_conf_read(const char *path, struct error *err)
{
	char *made = NULL;
	struct text text = { .made = &made, .left = TEXT_MAX, .conf = path };
	size_t length;
	int result;

	if (err)
		err->text[0] = '\0';
	text.out = open_memstream(&made, &length);
	if (!text.out) {
		error_errno(err, "%s", path);
		return NULL;
	}
	result = add_file(&text, path, INCLUDE_DEPTH, err);
	if (fclose(text.out) == 0 && result == 0)
		return made;
	if (result == 0)
		error_errno(err, "%s", path);
	free(made);
	return NULL;
}

bool slurm_conf_value(const char *text, const char *key, char *value, size_t size)
{
	size_t key_length = strlen(key), length;
	const char *last = NULL;

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *at = line + strspn(line, BLANKS);

		if (strncasecmp(at, key, key_length) != 0)
			continue;
		at += key_length + strspn(at + key_length, BLANKS);
		if (*at == '=')
			last = at + 1 + strspn(at + 1, BLANKS "\"");
	}
	length = last ? strcspn(last, "\n#\" \t\r") : 0;
	if (!last || length >= size)
		return false;
	memcpy(value, last, length);
	value[length] = '\0';
	return true;
}

bool slurm_conf_ask(const char *key, char *value, size_t size)
{
	cleanup_free char *text = slurm_conf_read(slurm_conf_path(), NULL);

	return text && slurm_conf_value(text, key, value, size);
}
