/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/html/html.h"

#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/html/html_internal.h"
#include "reports/terminal/output.h"

/* ---- the template ---- */

static void put_policy(const struct report *report, FILE *out)
{
	(void)report;
	fprintf(out,
		"default-src 'none'; script-src %s%s%s; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
		"form-action 'none'", html_script_hash, *html_library ? " " : "", *html_library ? html_library_hash : "");
}

static void put_style(const struct report *report, FILE *out)
{
	(void)report;
	fputs(html_style, out);
}

static void put_script(const struct report *report, FILE *out)
{
	(void)report;
	fputs(html_script, out);
}

static void put_library(const struct report *report, FILE *out)
{
	(void)report;
	if (*html_library)
		fprintf(out, "<script>%s</script>\n", html_library);
}

static void put_licence(const struct report *report, FILE *out)
{
	(void)report;
	if (!*html_library)
		return;
	fputs("<details class=\"licence\"><summary>The charts are drawn by dygraphs, under the MIT licence</summary><pre>",
	      out);
	for (const char *line = html_library_licence; *line;) { /* html_text() would show the line ends as characters */
		size_t length = strcspn(line, "\n");

		html_textf(out, "%.*s", (int)length, line);
		fputc('\n', out);
		line += length + (line[length] == '\n');
	}
	fputs("</pre></details>\n", out);
}

static void put_version(const struct report *report, FILE *out)
{
	html_text(out, report->stint_version ? report->stint_version : "?");
}

static const struct part {
	const char *name;
	void (*put)(const struct report *report, FILE *out);
} parts[] = {
	{ "policy", put_policy },	  { "title", html_title },	  { "style", put_style },
	{ "incomplete", html_incomplete }, { "head", html_head },	  { "bars", html_bars },
	{ "why", html_why },		  { "seff", html_seff },	  { "verdict", html_verdict },
	{ "figures", html_figures },
	{ "states", html_states },	  { "findings", html_findings }, { "advice", html_advice },
	{ "entries", html_entries },	  { "series", html_series },	  { "tables", html_tables },
	{ "gaps", html_gaps },		  { "version", put_version },	  { "licence", put_licence },
	{ "data", html_data },		  { "library", put_library },	  { "script", put_script },
};

static const struct part *find_part(const char *name)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t length = strlen(parts[i].name);

		if (strncmp(name, parts[i].name, length) == 0 && name[length] == '@')
			return &parts[i];
	}
	return NULL;
}

int html_print(const struct report *report, FILE *out, struct error *err)
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

static int print_out(const struct report *report, struct error *err)
{
	return html_print(report, stdout, err) < 0 ? -1 : output_flush(err);
}

int html_write(const struct report *report, const char *path, struct error *err)
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
	return output_write(&output_page, path, text, len, err);
}
