/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last lines of what a failed job wrote itself. */
#include <stdbool.h>
#include <string.h>

#include "reports/json/field.h"
#include "reports/read/last_lines.h"
#include "reports/text/page_internal.h"
#include "reports/verdict/looks.h"
#include "reports/verdict/rules.h"

/* A job that somebody cancelled says nothing by its last lines, nor does one that lost its node. */
static bool has_failed(struct json_object *report)
{
	static const char *const states[] = { "FAILED", "OUT_OF_MEMORY", "TIMEOUT" };
	const char *state = field_text(report, "job.state");

	for (size_t i = 0; state && i < sizeof(states) / sizeof(states[0]); i++)
		if (strcmp(state, states[i]) == 0)
			return true;
	return looks_of_report(report) & (UINT64_C(1) << FINDING_WORK_FAILED);
}

/* A file in the job's directory is named as a user sees it from there. */
static const char *shown_path(struct json_object *report, const char *path)
{
	const char *directory = field_text(report, "job.work_dir");
	size_t length = directory ? strlen(directory) : 0;

	return length && strncmp(path, directory, length) == 0 && path[length] == '/' && path[length + 1] ? path + length + 1 : path;
}

void page_output(struct page *page)
{
	struct last_lines last = { .count = 0 };

	if (page->options->lines <= 0 || !has_failed(page->report))
		return;
	last_lines_read(&last, page->report, page->options->lines);
	if (last.count > 0)
		page_text(page, "The last line%s of %s:", last.count > 1 ? "s" : "", shown_path(page->report, last.path));
	for (int i = 0; i < last.count; i++)
		page_text(page, "  %s", last.lines[i]);
	if (last.count > 0)
		fputc('\n', page->out);
	last_lines_free(&last);
}
