/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "reports/field.h"
#include "reports/html/html_part.h"
#include "reports/units.h"

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

void html_text(FILE *out, const char *text)
{
	size_t size = 4 * strlen(text) + 1;
	cleanup_free char *escaped = malloc(size);

	if (!escaped)
		return;
	escape_text(text, escaped, size);
	for (const char *c = escaped; *c; c++) {
		const char *name = entity(*c);

		if (name)
			fputs(name, out);
		else
			fputc(*c, out);
	}
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

void html_bar(FILE *out, double share)
{
	double part = share > 1 ? 1 : share > 0 ? share : 0;

	fprintf(out,
		"<svg class=\"bar%s\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
		"<rect class=\"whole\" width=\"100\" height=\"4\"/><rect class=\"part\" width=\"%.2f\" height=\"4\"/></svg>",
		share > 1 ? " over" : "", 100 * part);
}

int64_t html_time(struct json_object *from, const char *name)
{
	const char *text = field_text(from, name);
	int64_t us;

	return text && time_parse(text, &us) ? us / 1000 : INT64_MIN;
}
