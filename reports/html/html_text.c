/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "common/time_text.h"
#include "reports/html/html_internal.h"

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void html_escaped(FILE *out, const char *escaped, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const char *name = entity(escaped[i]);

		if (name)
			fputs(name, out);
		else
			fputc(escaped[i], out);
	}
}

void html_lines(FILE *out, const char *lines)
{
	html_escaped(out, lines, strlen(lines));
}

void html_text(FILE *out, const char *text)
{
	size_t size = 4 * strlen(text) + 1;
	cleanup_free char *escaped = malloc(size);

	if (!escaped)
		return;
	escape_text(text, escaped, size);
	html_escaped(out, escaped, strlen(escaped));
}

void html_json_text(FILE *out, const char *text)
{
	size_t size = 4 * strlen(text) + 1;
	cleanup_free char *escaped = malloc(size);

	fputc('"', out);
	if (escaped)
		escape_text(text, escaped, size);
	for (const char *c = escaped; c && *c; c++) {
		if (strchr("\"\\/", *c))
			fputc('\\', out);
		fputc(*c, out);
	}
	fputc('"', out);
}

void html_textf(FILE *out, const char *format, ...)
{
	cleanup_free char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	html_text(out, text ? text : "");
}

static double cut(double share)
{
	return share > 1 ? 1 : share > 0 ? share : 0;
}

const char *html_style_class(enum terminal_style style)
{
	static const char *const classes[] = {
		[STYLE_PLAIN] = "plain", [STYLE_HEAD] = "plain", [STYLE_FAINT] = "quiet",  [STYLE_GOOD] = "good",
		[STYLE_WARNING] = "look", [STYLE_BAD] = "bad",   [STYLE_ACCENT] = "accent",
	};

	return classes[style];
}

void html_gauge(FILE *out, double share, double more, enum terminal_style style)
{
	fprintf(out,
		"<svg class=\"bar %s\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
		"<rect class=\"whole\" width=\"100\" height=\"4\"/>", html_style_class(style));
	if (more > share)
		fprintf(out, "<rect class=\"more\" width=\"%.2f\" height=\"4\"/>", 100 * cut(more));
	fprintf(out, "<rect class=\"part\" width=\"%.2f\" height=\"4\"/></svg>", 100 * cut(share));
}

void html_bar(FILE *out, double share)
{
	fprintf(out,
		"<svg class=\"bar%s\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
		"<rect class=\"whole\" width=\"100\" height=\"4\"/><rect class=\"part\" width=\"%.2f\" height=\"4\"/></svg>",
		share > 1 ? " over" : "", 100 * cut(share));
}

int64_t html_time(const char *text)
{
	int64_t us;

	return time_parse(text, &us) ? us / 1000 : INT64_MIN;
}
