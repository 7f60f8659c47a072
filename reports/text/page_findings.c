/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "reports/ending/oom_kills.h"
#include "reports/rules/evidence.h"
#include "reports/rules/sentence.h"
#include "reports/terminal/page_table.h"
#include "reports/text/page_internal.h"
#include "reports/verdict/advice_lines.h"
#include "reports/verdict/silence.h"

#define HEAD_TEXT 128
#define FINDINGS_SHOWN 4
#define INFOS_SHOWN 2
#define VICTIMS_SHOWN 3
#define STALLS_SHOWN 3

struct severity {
	const char *name;
	size_t screen; /* how many fit on one screen */
	bool hints;    /* one screen shows their hints */
};

static size_t count_words(const char *text)
{
	size_t words = 0;

	for (const char *c = text; *c; c++)
		words += *c != ' ' && (c == text || c[-1] == ' ');
	return words;
}

/* Prints the code of the finding, which is its name for programs, and the evidence. */
static void print_behind(struct page *page, const struct report_finding *finding)
{
	cleanup_free char *evidence = evidence_words(&finding->evidence);
	cleanup_free char *line = NULL;

	if (asprintf(&line, "%s: %s", finding->code ? finding->code : "?", evidence ? evidence : "") < 0)
		line = NULL;
	page_wrapped(page, &(struct page_wrap){ .first = "            " }, line ? line : "?");
}

static void print_finding(struct page *page, const struct report_finding *finding, const struct severity *severity)
{
	const char *hint = severity->hints || page->options->all ? finding->hint : NULL;
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
	const struct report_finding_list *findings = &page->report->findings;
	size_t left_out = 0;

	if (findings->count > 0)
		page_head(page, "Findings");
	else if (silence_means_none(page->report))
		print_none(page);
	for (size_t s = 0; s < sizeof(severities) / sizeof(severities[0]); s++) {
		size_t limit = page_limit(page, severities[s].screen), shown = 0;

		for (size_t i = 0; i < findings->count; i++) {
			if (!report_text_is(findings->items[i].severity, severities[s].name))
				continue;
			if (shown++ < limit)
				print_finding(page, &findings->items[i], &severities[s]);
			else
				left_out++;
		}
	}
	page_leave_out(page, left_out, "finding", "findings");
}

static void print_line(struct page *page, const char *line)
{
	cleanup_free char *escaped = terminal_escape(page->options, line);

	if (!escaped)
		return;
	escape_cut(escaped, page->options->width);
	terminal_styled(page->options, STYLE_GOOD, escaped, page->out);
	fputc('\n', page->out);
}

/* Says that the lines are for one task. Prints this apart from the lines, because users paste all lines together. */
static void print_task(struct page *page)
{
	char text[ADVICE_OF_TASK_TEXT];
	const char *of_task = advice_of_task(page->report, text);

	if (!of_task)
		return;
	page_wrapped(page, &(struct page_wrap){ .first = "" }, of_task);
	fputc('\n', page->out);
}

/* Prints the lines that go to one place, so that users can paste them together. */
static void print_lines(struct page *page, enum advice_place place)
{
	const struct report_advice_list *list = &page->report->advice;
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
	const struct report_advice_list *list = &page->report->advice;

	if (list->count > 0)
		page_head(page, "Why these lines");
	for (size_t i = 0; i < list->count; i++) {
		const char *line = advice_line(&list->items[i]), *reason = list->items[i].reason;
		cleanup_free char *text = NULL;

		if (!line || !reason || asprintf(&text, "%s: %s", line, reason) < 0)
			continue;
		page_wrapped(page, &(struct page_wrap){ .first = "  " }, text);
	}
}

static bool any_by_kernel_memory(const struct report_oom_kill_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (oom_kills_kernel_memory(&list->items[i]))
			return true;
	return false;
}

static bool any_used(const struct report_oom_kill_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (!list->items[i].slurm && list->items[i].used_bytes >= 0)
			return true;
	return false;
}

/* The limit applies to used memory. Shows resident memory if used memory is not known. */
void page_oom(struct page *page)
{
	const struct report_oom_kill_list *list = &page->report->oom;
	bool used = any_used(list), kernel = any_by_kernel_memory(list);
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
	size_t count = list->count, limit = page_limit(page, VICTIMS_SHOWN);

	for (size_t i = 0; i < count && i < limit; i++) {
		const struct report_oom_kill *victim = &list->items[i];
		struct page_cell cells[5];

		page_table_add(page, &table, (const char *const[]){
			victim->tool ? victim->tool : page_text_cell(victim->comm),
			page_count_cell(victim->pid, &cells[0]),
			page_text_cell(victim->step),
			page_text_cell(victim->node),
			page_size_cell(victim->used_bytes, &cells[3]),
			page_size_cell(victim->rss_bytes, &cells[1]),
			page_size_cell(victim->kernel_bytes, &cells[4]),
			page_size_cell(victim->limit_bytes, &cells[2]),
			page_text_cell(victim->time),
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
	const struct report_stall_list *list = &page->report->progress.stalls;
	size_t count = list->count, limit = page_limit(page, STALLS_SHOWN);

	for (size_t i = 0; i < count && i < limit; i++) {
		const struct report_stall *stall = &list->items[i];
		struct page_cell cells[2];

		page_table_add(page, &table, (const char *const[]){
			page_text_cell(stall->tool),
			page_count_cell(stall->pid, &cells[0]),
			page_text_cell(stall->step),
			page_text_cell(stall->node),
			page_time_cell(stall->quiet_s, &cells[1]),
			page_text_cell(stall->start),
		}, NULL);
	}
	page_table_print(page, &table);
	page_leave_out(page, count > limit ? count - limit : 0, "stall", "stalls");
}
