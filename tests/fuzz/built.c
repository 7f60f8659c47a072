/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/built.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/escape.h"
#include "reports/builder/build_report.h"
#include "reports/files/report_file.h"
#include "reports/html/html.h"
#include "reports/html/html_internal.h"
#include "reports/model/report_write.h"
#include "reports/records/record.h"
#include "reports/text/page.h"
#include "reports/timeline/gantt.h"
#include "reports/timeline/trace.h"
#include "tests/fuzz/fuzz.h"

static void check_timeline(const struct report *report)
{
	static const struct page_options page = { .width = TERMINAL_WIDTH_MIN, .all = true };
	char *text = NULL;
	size_t len;
	FILE *out;

	for (enum gantt_by by = GANTT_BY_TOOL; by <= GANTT_BY_PROCESS; by++) {
		struct gantt_options gantt = { .by = by, .from_us = -1, .to_us = -1 };

		out = open_memstream(&text, &len);
		HOLDS(out);
		HOLDS(gantt_print(report, &gantt, &page, out, NULL) == 0);
		fclose(out);
		HOLDS_OF(fuzz_is_shown_safely(text, len), text);
		free(text);
	}
	out = open_memstream(&text, &len);
	HOLDS(out);
	HOLDS(trace_write(report, out, NULL) == 0);
	fclose(out);
	HOLDS_OF(fuzz_is_json(text, len), text);
	HOLDS_OF(fuzz_is_shown_safely(text, len), text);
	free(text);
}

static size_t count_of(const char *text, const char *word)
{
	size_t count = 0;

	for (const char *at = text; (at = strstr(at, word)); at++)
		count++;
	return count;
}

/* No element of the page may come from the report. */
static void check_html(const struct report *report)
{
	const size_t scripts = 1 + (*html_library != '\0');
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	HOLDS(out);
	HOLDS(html_print(report, out, NULL) == 0);
	fclose(out);
	HOLDS(strlen(text) == len);
	HOLDS(count_of(text, "<script>") == scripts);
	HOLDS(count_of(text, "<img") == 0);
	HOLDS(count_of(text, "</html>") == 1);
	free(text);
}

/* Removes stint's own colours: no other sequence may control a terminal. */
static void strip_colours(char *page)
{
	static const char *const ours[] = { "\033[0m",  "\033[1m",  "\033[2m",	 "\033[32m",
					    "\033[33m", "\033[36m", "\033[1;31m" };
	char *to = page;

	for (char *at = page; *at;) {
		size_t length = 0;

		for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
			if (strncmp(at, ours[i], strlen(ours[i])) == 0)
				length = strlen(ours[i]);
		if (length)
			at += length;
		else
			*to++ = *at++;
	}
	*to = '\0';
}

static char *print_page(const struct report *report, const struct page_options *options)
{
	char *page = NULL;
	size_t len;
	FILE *out = open_memstream(&page, &len);

	HOLDS(out);
	page_print(report, options, out);
	fclose(out);
	HOLDS(strlen(page) == len);
	return page;
}

void built_check_page(const struct report *report)
{
	static const struct page_options all_options[] = {
		{ .width = TERMINAL_WIDTH, .unicode = true, .bars = true, .all = true },
		{ .width = TERMINAL_WIDTH_MIN, .bars = true, .colour = true },
		{ .width = TERMINAL_WIDTH_MIN, .all = true },
		{ .width = 120, .unicode = true, .colour = true },
	};

	for (size_t i = 0; i < sizeof(all_options) / sizeof(all_options[0]); i++) {
		char *page = print_page(report, &all_options[i]), *rest = page, *line;

		if (all_options[i].colour)
			strip_colours(page);
		HOLDS_OF(fuzz_is_shown_safely(page, strlen(page)), page);
		while ((line = strsep(&rest, "\n")))
			HOLDS_OF(escape_width(line) <= (size_t)all_options[i].width, line);
		free(page);
	}
	check_timeline(report);
	check_html(report);
}

void built_check_same_page(const struct report *report, const struct report *brief)
{
	static const struct page_options options = { .width = TERMINAL_WIDTH, .unicode = true, .all = true };
	char *page = print_page(report, &options), *other = print_page(brief, &options);

	HOLDS_OF(strcmp(page, other) == 0, other);
	free(page);
	free(other);
}

void built_check_report(const struct report *report)
{
	struct report *again;
	struct error err = { "" };
	size_t len, again_len;
	char *text = report_write(report, &len), *again_text;

	HOLDS(text);
	HOLDS_OF(fuzz_is_json(text, len), text);
	again = report_load(fuzz_file(0, text, len), NULL, &err);
	HOLDS_OF(again, err.text);
	again_text = report_write(again, &again_len);
	HOLDS_OF(again_text && strcmp(text, again_text) == 0, text);
	built_check_page(again);
	report_free(again);
	free(again_text);
	free(text);
}

void built_check_record(const char *text, size_t len)
{
	struct record_identity identity;
	struct record *record;
	const struct record *records[1];
	struct report *report;
	struct build_input input = { .record_count = 1, .slurm_reason = "no such job",
				     .now_unix_ns = INT64_C(1700000000000000000) };
	struct error err = { "" };

	HOLDS_OF(fuzz_is_json(text, len), text);
	record = record_parse(text, len, "record", &identity, &err);
	HOLDS_OF(record, err.text);
	records[0] = record;
	input.records = records;
	report = build_report(&input);
	HOLDS(report);
	built_check_report(report);
	report_free(report);
	record_free(record);
}
