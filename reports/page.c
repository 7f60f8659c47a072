/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/page.h"

#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "reports/field.h"
#include "reports/page_part.h"

void page_wrapped(FILE *out, const char *first, const char *text)
{
	size_t size = 4 * strlen(text) + 1, indent = escape_width(first), column = indent;
	cleanup_free char *escaped = malloc(size);
	char *rest, *word;

	if (!escaped)
		return;
	fputs(first, out);
	escape_text(text, escaped, size);
	for (word = strtok_r(escaped, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		size_t width = escape_width(word);

		if (column > indent && column + 1 + width > PAGE_COLUMNS) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fputs(word, out);
		column += width;
	}
	fputc('\n', out);
}

void page_print(struct json_object *report, const struct page_options *options, FILE *out)
{
	(void)options;
	page_incomplete(report, out);
	page_seff(report, out);
	page_more(report, out);
	page_states(report, out);
	page_file_systems(report, out);
	page_findings(report, out);
	page_advice(report, out);
	page_oom(report, out);
	page_stalls(report, out);
	page_tools(report, out);
	page_steps(report, out);
	page_nodes(report, out);
	page_gaps(report, out);
}
