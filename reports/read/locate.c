/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/read/locate.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/pattern.h"
#include "reports/files/reach.h"

#define ATTEMPT ".attempt-" /* as in attempt_name() */

bool locate_parse_job(const char *text, struct locate_job *job)
{
	char *end;

	*job = (struct locate_job){ .task = -1, .offset = -1 };
	if (*text < '0' || *text > '9')
		return false;
	job->id = strtoll(text, &end, 10);
	if (*end == '_' && end[1] >= '0' && end[1] <= '9')
		job->task = strtoll(end + 1, &end, 10);
	else if (*end == '+' && end[1] >= '0' && end[1] <= '9')
		job->offset = strtoll(end + 1, &end, 10);
	return *end == '\0' && job->id > 0 && job->id <= UINT32_MAX && job->task <= UINT32_MAX &&
	       job->offset <= UINT32_MAX;
}

static void put_literal(FILE *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (strchr("*?[]\\{}~", text[i]))
			fputc('\\', out);
		fputc(text[i], out);
	}
}

/* Writes what the conversion @letter put into the report's name, or "*" if unknown. */
static void put_conversion(FILE *out, char letter, const struct locate_job *job, bool whole_array)
{
	if (letter == '%')
		put_literal(out, "%", 1);
	else if (letter == 'i' && job && job->task >= 0)
		fprintf(out, "%lld_%lld", (long long)job->id, (long long)job->task);
	else if (letter == 'i' && job) /* the components' ids are consecutive */
		fprintf(out, "%lld%s", (long long)job->id + (job->offset > 0 ? job->offset : 0), whole_array ? "_*" : "");
	else
		fputc('*', out);
}

static char *make_glob(const char *directory, const char *pattern, const struct locate_job *job, bool whole_array)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	if (pattern[0] != '/' && strcmp(directory, ".") != 0) {
		put_literal(out, directory, strlen(directory));
		fputc('/', out);
	}
	for (const char *c = pattern; *c; c++) {
		if (*c == '%' && c[1])
			put_conversion(out, *++c, job, whole_array);
		else
			put_literal(out, c, 1);
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/*
 * Returns the glob for reports of an array's tasks; NULL if @text itself finds these reports, or if out of memory.
 *
 * @text: a glob from a pattern without a conversion for the task
 */
static char *make_task_glob(const char *text)
{
	const char *suffix;
	int stem = (int)pattern_stem(text, &suffix);
	char *tasks;

	if (stem > 0 && text[stem - 1] == '*')
		return NULL;
	return asprintf(&tasks, "%.*s" PATTERN_TASK "[0-9]*%s", stem, text, suffix) < 0 ? NULL : tasks;
}

static int search(const char *directory, const char *pattern, const struct locate_job *job, bool whole_array,
		  struct reach_paths *found, struct error *err)
{
	cleanup_free char *text = make_glob(directory, pattern, job, whole_array), *tasks = NULL;
	int result;

	if (!text)
		return error_set(err, "out of memory");
	result = reach_glob(text, found);
	if (result == 0 && !pattern_tells_tasks_apart(pattern))
		tasks = make_task_glob(text);
	if (tasks)
		result = reach_glob(tasks, found);
	if (result == 0)
		return 0;
	if (errno == ETIMEDOUT)
		return error_set(err, "%s: its file system does not answer", directory);
	return error_set(err, "%s: %s", directory, errno == ENOMEM ? "out of memory" : "cannot be searched");
}

static char **take_paths(struct reach_paths *found)
{
	char **paths = found->list ? found->list : calloc(1, sizeof(*paths));

	*found = (struct reach_paths){ 0 };
	return paths;
}

char **locate_reports(const char *directory, const char *pattern, const struct locate_job *job, struct error *err)
{
	struct reach_paths found = { 0 };
	char **paths = NULL;
	int result = search(directory, pattern, job, false, &found, err);

	/* A plain number may be the number of an array: search for the array's tasks. */
	if (result == 0 && job && job->task < 0 && job->offset < 0 && found.count == 0)
		result = search(directory, pattern, job, true, &found, err);
	if (result == 0) {
		paths = take_paths(&found);
		if (!paths)
			error_set(err, "out of memory");
	}
	reach_free(&found);
	return paths;
}

/*
 * Returns the length before ".attempt-N.json" or ".json".
 * *@suffix: set to what follows the stem and ".attempt-N"
 */
static size_t stem_length(const char *path, const char **suffix)
{
	size_t length = pattern_stem(path, suffix);
	const char *attempt;

	for (attempt = path + length; attempt > path && attempt[-1] >= '0' && attempt[-1] <= '9';)
		attempt--;
	if (attempt - path > (ptrdiff_t)strlen(ATTEMPT) &&
	    strncmp(attempt - strlen(ATTEMPT), ATTEMPT, strlen(ATTEMPT)) == 0 && attempt < path + length)
		length = attempt - path - strlen(ATTEMPT);
	return length;
}

char **locate_attempts(const char *path)
{
	const char *suffix;
	size_t stem = stem_length(path, &suffix), len;
	struct reach_paths found = { 0 };
	char *text = NULL, **paths;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	put_literal(out, path, stem);
	fprintf(out, ATTEMPT "[0-9]*%s", suffix);
	if (fclose(out) == 0 && reach_glob(text, &found) == 0 && found.count > 0) {
		text[strlen(text) - strlen(ATTEMPT "[0-9]*") - strlen(suffix)] = '\0';
		strcat(text, suffix);
		reach_glob(text, &found);
	}
	free(text);
	paths = take_paths(&found);
	reach_free(&found);
	return paths;
}

void locate_free(char **paths)
{
	for (size_t i = 0; paths && paths[i]; i++)
		free(paths[i]);
	free(paths);
}
