/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "reports/json/field.h"
#include "reports/json/oom_kills.h"
#include "reports/rules/evidence.h"
#include "reports/rules/sentence.h"
#include "reports/terminal/page_table.h"
#include "reports/text/page_internal.h"
#include "reports/verdict/advice_lines.h"
#include "reports/verdict/silence.h"
#include "reports/wording/tool_fields.h"

#define HEAD_TEXT 128
#define FINDINGS_SHOWN 4
#define INFOS_SHOWN 2
#define VICTIMS_SHOWN 3
#define STALLS_SHOWN 3

/* ---- findings ---- */

struct severity {
	const char *name;
	size_t screen; /* how many of it one screen has */
	bool hints;    /* whether one screen has its hints */
};

/* Returns how many words @text has. */
static size_t count_words(const char *text)
{
	size_t words = 0;

	for (const char *c = text; *c; c++)
		words += *c != ' ' && (c == text || c[-1] == ' ');
	return words;
}

/* Prints what programs go by. */
static void print_behind(struct page *page, struct json_object *finding)
{
	cleanup_free char *evidence = evidence_words(field_typed(finding, "evidence", json_type_array));
	const char *code = field_text(finding, "code");
	cleanup_free char *line = NULL;

	if (asprintf(&line, "%s: %s", code ? code : "?", evidence ? evidence : "") < 0)
		line = NULL;
	page_wrapped(page, &(struct page_wrap){ .first = "            " }, line ? line : "?");
}

/* Prints the sentence, then the hint. */
static void print_finding(struct page *page, struct json_object *finding, const struct severity *severity)
{
	const char *hint = severity->hints || page->options->all ? field_text(finding, "hint") : NULL;
	char first[16], buffer[SENTENCE_TEXT];
	const char *text = sentence_of_finding(finding, buffer);
	struct page_wrap wrap = { .head = STYLE_HEAD, .head_words = count_words(text) };
	cleanup_free char *line = NULL;

	wrap.style = terminal_style_of(look_of_severity(severity->name), STYLE_ACCENT);
	if (hint && strcmp(text, hint) == 0)
		hint = NULL;
	snprintf(first, sizeof(first), "  %-8s  ", severity->name);
	wrap.first = first;
	if (asprintf(&line, "%s%s%s", text, hint ? ". " : "", hint ? hint : "") < 0)
		line = NULL;
	page_wrapped(page, &wrap, line ? line : "?");
	if (page->options->all)
		print_behind(page, finding);
}

static void print_none(struct page *page)
{
	fputc('\n', page->out);
	terminal_styled(page->options, STYLE_HEAD, "Findings: ", page->out);
	terminal_styled(page->options, STYLE_GOOD, "none", page->out);
	fputc('\n', page->out);
}

void page_findings(struct page *page)
{
	static const struct severity severities[] = {
		{ "critical", SIZE_MAX, true },
		{ "warning", FINDINGS_SHOWN, true },
		{ "info", INFOS_SHOWN, false },
	};
	struct json_object *findings = field_typed(page->report, "findings", json_type_array);
	size_t left_out = 0;

	if (field_length(findings) > 0)
		page_head(page, "Findings");
	else if (silence_means_none(page->report))
		print_none(page);
	for (size_t s = 0; s < sizeof(severities) / sizeof(severities[0]); s++) {
		size_t limit = page_limit(page, severities[s].screen), shown = 0;

		for (size_t i = 0; i < field_length(findings); i++) {
			struct json_object *finding = json_object_array_get_idx(findings, i);
			const char *severity = field_text(finding, "severity");

			if (!severity || strcmp(severity, severities[s].name) != 0)
				continue;
			if (shown++ < limit)
				print_finding(page, finding, &severities[s]);
			else
				left_out++;
		}
	}
	page_leave_out(page, left_out, "finding", "findings");
}

/* ---- advice ---- */

static void print_line(struct page *page, const char *line)
{
	cleanup_free char *escaped = terminal_escape(page->options, line);

	if (!escaped)
		return;
	escape_cut(escaped, page->options->width);
	terminal_styled(page->options, STYLE_GOOD, escaped, page->out);
	fputc('\n', page->out);
}

/* Says that they are for one task of an array, apart from them: they are pasted together. */
static void print_task(struct page *page)
{
	char text[ADVICE_OF_TASK_TEXT];
	const char *of_task = advice_of_task(page->report, text);

	if (!of_task)
		return;
	page_wrapped(page, &(struct page_wrap){ .first = "" }, of_task);
	fputc('\n', page->out);
}

/* Prints the lines of one place, so that they can be pasted together. */
static void print_lines(struct page *page, enum advice_place place)
{
	struct json_object *list = field_typed(page->report, "advice", json_type_array);
	size_t at = 0;
	const char *line = advice_next_line(list, place, &at);
	char place_text[ADVICE_HEAD_TEXT], head[HEAD_TEXT];

	if (!line)
		return;
	snprintf(head, sizeof(head), "Next time: %s", advice_place_head(page->report, place, place_text));
	terminal_styled(page->options, STYLE_HEAD, head, page->out);
	fputc('\n', page->out);
	for (; line; line = advice_next_line(list, place, &at))
		print_line(page, line);
	fputc('\n', page->out);
	if (place == ADVICE_AT_TOP)
		print_task(page);
}

static void print_silence(struct page *page)
{
	char text[SILENCE_TEXT];
	const char *silence = silence_of_report(page->report, text);

	if (!silence)
		return;
	page_wrapped(page, &(struct page_wrap){ .first = "Next time: ", .style = STYLE_HEAD }, silence);
	fputc('\n', page->out);
}

void page_advice(struct page *page)
{
	print_silence(page);
	for (enum advice_place place = 0; place < ADVICE_PLACES; place++)
		print_lines(page, place);
}

void page_reasons(struct page *page)
{
	struct json_object *list = field_typed(page->report, "advice", json_type_array);

	if (field_length(list) > 0)
		page_head(page, "Why these lines");
	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *advice = json_object_array_get_idx(list, i);
		const char *line = advice_line(advice), *reason = field_text(advice, "reason");
		cleanup_free char *text = NULL;

		if (!line || !reason || asprintf(&text, "%s: %s", line, reason) < 0)
			continue;
		page_wrapped(page, &(struct page_wrap){ .first = "  " }, text);
	}
}

/* ---- what went wrong on the way ---- */

/* Whether the kernel's own memory filled the limit of any victim in @list. */
static bool any_by_kernel_memory(struct json_object *list)
{
	for (size_t i = 0; i < field_length(list); i++)
		if (oom_kills_kernel_memory(json_object_array_get_idx(list, i)))
			return true;
	return false;
}

/* Shows used memory, which is what the limit acts on. Where that is not known, it shows all that was resident. */
void page_oom(struct page *page)
{
	struct json_object *list = field_typed(page->report, "oom", json_type_array);
	bool used = tool_fields_know(list, "used_bytes"), kernel = any_by_kernel_memory(list);
	const struct page_column columns[] = {
		{ .head = "Killed, out of memory" },
		{ .head = "PID", .spare = 2 },
		{ .head = "Step" },
		{ .head = "Node", .spare = 1 },
		{ .head = "Used", .hidden = !used },
		{ .head = "Resident", .spare = used ? 4 : 0, .hidden = used && !page->options->all },
		{ .head = "Kernel", .hidden = !kernel },
		{ .head = "Limit" },
		{ .head = "Time", .spare = 3 },
	};
	struct page_table table = PAGE_TABLE(columns);
	size_t count = field_length(list), limit = page_limit(page, VICTIMS_SHOWN);

	for (size_t i = 0; i < count && i < limit; i++) {
		struct json_object *victim = json_object_array_get_idx(list, i);
		const char *tool = field_text(victim, "tool"), *comm = field_text(victim, "comm");
		struct page_cell cells[5];

		page_table_add(page, &table, (const char *const[]){
			tool ? tool : page_text_cell(comm),
			page_count_cell(victim, "pid", &cells[0]),
			page_text_cell(field_text(victim, "step")),
			page_text_cell(field_text(victim, "node")),
			page_size_cell(victim, "used_bytes", &cells[3]),
			page_size_cell(victim, "rss_bytes", &cells[1]),
			page_size_cell(victim, "kernel_bytes", &cells[4]),
			page_size_cell(victim, "limit_bytes", &cells[2]),
			page_text_cell(field_text(victim, "time")),
		}, NULL);
	}
	page_table_print(page, &table);
	page_leave_out(page, count > limit ? count - limit : 0, "killed process", "killed processes");
}

void page_stalls(struct page *page)
{
	static const struct page_column columns[] = {
		{ .head = "Alive, and using nothing" }, { .head = "PID", .spare = 2 }, { .head = "Step" },
		{ .head = "Node", .spare = 1 },		{ .head = "Quiet for" },   { .head = "From", .spare = 3 },
	};
	struct page_table table = PAGE_TABLE(columns);
	struct json_object *list = field_typed(page->report, "progress.stalls", json_type_array);
	size_t count = field_length(list), limit = page_limit(page, STALLS_SHOWN);

	for (size_t i = 0; i < count && i < limit; i++) {
		struct json_object *stall = json_object_array_get_idx(list, i);
		struct page_cell cells[2];

		page_table_add(page, &table, (const char *const[]){
			page_text_cell(field_text(stall, "tool")),
			page_count_cell(stall, "pid", &cells[0]),
			page_text_cell(field_text(stall, "step")),
			page_text_cell(field_text(stall, "node")),
			page_time_cell(stall, "quiet_s", &cells[1]),
			page_text_cell(field_text(stall, "start")),
		}, NULL);
	}
	page_table_print(page, &table);
	page_leave_out(page, count > limit ? count - limit : 0, "stall", "stalls");
}
