/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/html/html.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "reports/field.h"
#include "reports/html/html_part.h"

/* ---- the template ---- */

static void put_policy(struct json_object *report, FILE *out)
{
	(void)report;
	fprintf(out,
		"default-src 'none'; script-src %s%s%s; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
		"form-action 'none'", html_script_hash, *html_library ? " " : "", *html_library ? html_library_hash : "");
}

static void put_style(struct json_object *report, FILE *out)
{
	(void)report;
	fputs(html_style, out);
}

static void put_script(struct json_object *report, FILE *out)
{
	(void)report;
	fputs(html_script, out);
}

static void put_library(struct json_object *report, FILE *out)
{
	(void)report;
	if (*html_library)
		fprintf(out, "<script>%s</script>\n", html_library);
}

static void put_licence(struct json_object *report, FILE *out)
{
	(void)report;
	if (!*html_library)
		return;
	fputs("<details class=\"licence\"><summary>The charts are drawn by dygraphs, under the MIT licence</summary><pre>",
	      out);
	for (const char *line = html_library_licence; *line;) { /* html_text() would show the ends of lines */
		size_t length = strcspn(line, "\n");

		html_textf(out, "%.*s", (int)length, line);
		fputc('\n', out);
		line += length + (line[length] == '\n');
	}
	fputs("</pre></details>\n", out);
}

static void put_version(struct json_object *report, FILE *out)
{
	const char *version = field_text(report, "stint_version");

	html_text(out, version ? version : "?");
}

static const struct part {
	const char *name;
	void (*put)(struct json_object *report, FILE *out);
} parts[] = {
	{ "policy", put_policy },	  { "title", html_title },	  { "style", put_style },
	{ "incomplete", html_incomplete }, { "head", html_head },	  { "figures", html_figures },
	{ "states", html_states },	  { "findings", html_findings }, { "advice", html_advice },
	{ "entries", html_entries },	  { "series", html_series },	  { "tables", html_tables },
	{ "gaps", html_gaps },		  { "version", put_version },	  { "licence", put_licence },
	{ "data", html_data },		  { "library", put_library },	  { "script", put_script },
};

/* The part whose name stands at @name, with '@' behind it. */
static const struct part *find_part(const char *name)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t length = strlen(parts[i].name);

		if (strncmp(name, parts[i].name, length) == 0 && name[length] == '@')
			return &parts[i];
	}
	return NULL;
}

int html_print(struct json_object *report, FILE *out, struct error *err)
{
	const char *at = html_page;

	errno = 0;
	while (*at) {
		const struct part *part = *at == '@' ? find_part(at + 1) : NULL;

		if (part) {
			part->put(report, out);
			at += strlen(part->name) + 2;
		} else {
			fputc(*at++, out);
		}
	}
	return errno == ENOMEM ? error_errno(err, "the page") : 0;
}

/* ---- the file ---- */

static int print_out(struct json_object *report, struct error *err)
{
	if (html_print(report, stdout, err) < 0)
		return -1;
	if (fflush(stdout) != 0 || ferror(stdout))
		return error_errno(err, "standard output");
	return 0;
}

/* The file that is to be replaced: where @path is a link, the one that it leads to. @mode: its permissions. */
static int find_target(const char *path, char target[PATH_MAX], mode_t *mode, struct error *err)
{
	mode_t mask = umask(0);
	struct stat stat_there;

	umask(mask);
	*mode = 0666 & ~mask;
	if (!realpath(path, target)) {
		if (errno != ENOENT || strlen(path) >= PATH_MAX)
			return error_errno(err, "%s", path);
		strcpy(target, path);
		return 0;
	}
	if (stat(target, &stat_there) < 0)
		return error_errno(err, "%s", path);
	if (!S_ISREG(stat_there.st_mode))
		return error_set(err, "%s: not a plain file; '-' is standard output", path);
	*mode = stat_there.st_mode & 0777;
	return 0;
}

static int write_to(const char *path, const char *text, size_t len, struct error *err)
{
	char target[PATH_MAX], directory[PATH_MAX], name[PATH_MAX];
	cleanup_close int dirfd = -1;
	mode_t mode;

	if (find_target(path, target, &mode, err) < 0)
		return -1;
	strcpy(directory, target);
	strcpy(name, target);
	dirfd = open(dirname(directory), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd < 0)
		return error_errno(err, "%s", path);
	return file_write(dirfd, basename(name), mode, text, len, err);
}

int html_write(struct json_object *report, const char *path, struct error *err)
{
	cleanup_free char *text = NULL;
	size_t len = 0;
	FILE *out;

	if (strcmp(path, "-") == 0)
		return print_out(report, err);
	out = open_memstream(&text, &len);
	if (!out)
		return error_errno(err, "the page");
	if (html_print(report, out, err) < 0) {
		fclose(out);
		return -1;
	}
	if (fclose(out) != 0)
		return error_errno(err, "the page");
	return write_to(path, text, len, err);
}
