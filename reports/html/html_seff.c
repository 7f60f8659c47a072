/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the lines that seff prints. */
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/html/html_internal.h"
#include "reports/text/page.h"

/* The line is already escaped: html_text() would escape it twice. */
static void print_line(FILE *out, const char *line)
{
	const char *colon = strstr(line, ": ");

	if (!colon)
		return;
	fputs("<div><dt>", out);
	html_escaped(out, line, (size_t)(colon - line));
	fputs("</dt> <dd>", out);
	html_escaped(out, colon + 2, strlen(colon + 2));
	fputs("</dd></div>\n", out);
}

static char *seff_lines(const struct report *report)
{
	const struct page_options options = { .width = TERMINAL_WIDTH_MAX, .unicode = true };
	char *text = NULL;
	size_t len = 0;
	FILE *lines = open_memstream(&text, &len);
	struct page page = { .report = report, .options = &options, .out = lines };

	if (!lines)
		return NULL;
	page_seff(&page);
	if (fclose(lines) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

void html_seff(const struct report *report, FILE *out)
{
	cleanup_free char *text = seff_lines(report);
	char *rest;

	fputs("<section aria-labelledby=\"seff-h\"><h2 id=\"seff-h\">The job</h2>\n<dl class=\"seff\">\n", out);
	for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest))
		print_line(out, line);
	fputs("</dl>\n", out);
	html_items(report, out);
	fputs("</section>\n", out);
}
