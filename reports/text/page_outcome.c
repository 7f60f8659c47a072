/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the first line, and the last lines of a failed job's output. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "common/utf8.h"
#include "reports/read/last_lines.h"
#include "reports/rules/looks.h"
#include "reports/rules/rules.h"
#include "reports/text/page_internal.h"
#include "reports/verdict/outcome.h"
#include "reports/wording/job_fields.h"

#define LINE_PART 240 /* bytes */
#define INDENT_MOST 16

/* The sentence writes OUT_OF_MEMORY as three words. */
static size_t words_of_state(const char *outcome)
{
	return strncmp(outcome, "OUT OF MEMORY", strlen("OUT OF MEMORY")) == 0 ? 3 : 1;
}

void page_outcome(struct page *page)
{
	enum terminal_style style = job_state_style(page->report->job.state);
	cleanup_free char *name = terminal_escape(page->options, page->report->job.name);
	char id[JOB_ID_TEXT], text[OUTCOME_TEXT];
	const char *outcome = outcome_of_report(page->report, text);
	cleanup_free char *first = NULL;

	if (name)
		escape_cut(name, PAGE_NAME_COLUMNS);
	if (asprintf(&first, "Job %s%s%s: ", job_id_text(page->report, id), name ? " " : "", name ? name : "") < 0)
		first = NULL;
	if (first)
		page_wrapped(page, &(struct page_wrap){ .first = first, .style = STYLE_HEAD, .head = style,
							.head_words = words_of_state(outcome) }, outcome);
	fputc('\n', page->out);
}

/* If a job was cancelled or lost its node, the last lines of its output do not tell the reason. */
static bool has_failed(const struct report *report)
{
	static const char *const states[] = { "FAILED", "OUT_OF_MEMORY", "TIMEOUT" };

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (report_text_is(report->job.state, states[i]))
			return true;
	return looks_of_report(report) & (UINT64_C(1) << FINDING_WORK_FAILED);
}

/* Cuts a long line in the middle, because the error is mostly at its end. */
static char *shorten(const char *line)
{
	size_t length = strlen(line);
	const char *end;
	char *text = NULL;

	if (length <= 2 * LINE_PART)
		return strdup(line);
	end = line + length - LINE_PART;
	while ((*end & 0xc0) == 0x80) /* inside a UTF-8 character */
		end++;
	return asprintf(&text, "%.*s ... %s", (int)utf8_whole(line, LINE_PART), line, end) < 0 ? NULL : text;
}

static void print_output_line(struct page *page, const char *line)
{
	int indent = (int)strspn(line, " ");
	cleanup_free char *text = shorten(line + indent);
	char first[INDENT_MOST + 3], next[INDENT_MOST + 5];

	if (indent > INDENT_MOST)
		indent = INDENT_MOST;
	snprintf(first, sizeof(first), "  %*s", indent, "");
	snprintf(next, sizeof(next), "    %*s", indent, "");
	if (text)
		page_wrapped(page, &(struct page_wrap){ .first = first, .next = next }, text);
}

void page_output(struct page *page)
{
	struct last_lines last = { .count = 0 };

	if (page->options->lines <= 0 || !has_failed(page->report))
		return;
	last_lines_read(&last, page->report, page->options->lines);
	if (last.count > 0)
		page_text(page, "The last line%s of %s:", last.count > 1 ? "s" : "", outcome_path(page->report, last.path));
	for (int i = 0; i < last.count; i++)
		print_output_line(page, last.lines[i]);
	if (last.count > 0)
		fputc('\n', page->out);
	last_lines_free(&last);
}
