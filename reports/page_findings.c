/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "reports/evidence.h"
#include "reports/field.h"
#include "reports/page_part.h"

#define FINDINGS_SHOWN 4
#define INFOS_SHOWN 2
#define VICTIMS_SHOWN 3
#define STALLS_SHOWN 3

/* ---- findings ---- */

struct severity {
	const char *name;
	enum terminal_style style;
	size_t screen; /* so many on one screen */
	bool hints;    /* told there what to do */
};

/* What it was found on, then what to do. */
static void print_finding(struct page *page, struct json_object *finding, const struct severity *severity)
{
	const char *code = field_text(finding, "code"), *hint = field_text(finding, "hint");
	cleanup_free char *evidence = evidence_words(field_typed(finding, "evidence", json_type_array));
	cleanup_free char *line = NULL;
	struct page_wrap wrap = { .style = severity->style, .head = STYLE_HEAD };
	char first[16];

	snprintf(first, sizeof(first), "  %-8s  ", severity->name);
	wrap.first = first;
	if (asprintf(&line, "%s: %s", code ? code : "?", evidence && *evidence ? evidence : hint ? hint : "") < 0)
		line = NULL;
	page_wrapped(page, &wrap, line ? line : "?");
	if (hint && evidence && *evidence && (severity->hints || page->options->all))
		page_wrapped(page, &(struct page_wrap){ .first = "            " }, hint);
}

/* Where nothing was found, and could have been. */
static bool is_judged(struct json_object *report)
{
	const char *bound = field_text(report, "verdict.bound");

	return field_true(report, "complete") && bound && strcmp(bound, "unknown") != 0;
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
		{ "critical", STYLE_BAD, SIZE_MAX, true },
		{ "warning", STYLE_WARNING, FINDINGS_SHOWN, true },
		{ "info", STYLE_ACCENT, INFOS_SHOWN, false },
	};
	struct json_object *findings = field_typed(page->report, "findings", json_type_array);
	size_t left_out = 0;

	if (field_length(findings) > 0)
		page_head(page, "Findings");
	else if (is_judged(page->report))
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

static bool is_option(const char *line)
{
	return strncmp(line, "#SBATCH", strlen("#SBATCH")) == 0;
}

/* As it is to be pasted: Slurm takes no option that does not stand at a line's begin, and a comment does no harm. */
static void print_advice(struct page *page, struct json_object *advice)
{
	const char *reason = field_text(advice, "reason");
	cleanup_free char *line = terminal_escape(page->options, field_text(advice, "line"));

	if (reason)
		page_wrapped(page, &(struct page_wrap){ .first = "# ", .next = "# ", .style = STYLE_FAINT }, reason);
	if (!line)
		return;
	escape_cut(line, page->options->width);
	terminal_styled(page->options, STYLE_GOOD, line, page->out);
	fputc('\n', page->out);
}

/* The options first: Slurm reads none behind the script's first command. */
void page_advice(struct page *page)
{
	struct json_object *list = field_typed(page->report, "advice", json_type_array);

	if (field_length(list) > 0)
		page_head(page, "What to change: lines for the job script");
	for (int options = 1; options >= 0; options--)
		for (size_t i = 0; i < field_length(list); i++) {
			struct json_object *advice = json_object_array_get_idx(list, i);
			const char *line = field_text(advice, "line");

			if (line && is_option(line) == options)
				print_advice(page, advice);
		}
}

/* ---- what went wrong on the way ---- */

static const char *or_unknown(const char *text)
{
	return text ? text : "-";
}

void page_oom(struct page *page)
{
	static const struct page_column columns[] = {
		{ .head = "Killed, out of memory" }, { .head = "PID", .spare = 2 }, { .head = "Step" },
		{ .head = "Node", .spare = 1 },	     { .head = "Held" },		{ .head = "Limit" },
		{ .head = "Time", .spare = 3 },
	};
	struct page_table table = PAGE_TABLE(columns);
	struct json_object *list = field_typed(page->report, "oom", json_type_array);
	size_t count = field_length(list), limit = page_limit(page, VICTIMS_SHOWN);

	for (size_t i = 0; i < count && i < limit; i++) {
		struct json_object *victim = json_object_array_get_idx(list, i);
		const char *tool = field_text(victim, "tool"), *comm = field_text(victim, "comm");
		struct page_cell cells[3];

		page_table_add(page, &table, (const char *const[]){
			tool ? tool : or_unknown(comm),
			page_count_cell(victim, "pid", &cells[0]),
			or_unknown(field_text(victim, "step")),
			or_unknown(field_text(victim, "node")),
			page_size_cell(victim, "rss_bytes", &cells[1]),
			page_size_cell(victim, "limit_bytes", &cells[2]),
			or_unknown(field_text(victim, "time")),
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
			or_unknown(field_text(stall, "tool")),
			page_count_cell(stall, "pid", &cells[0]),
			or_unknown(field_text(stall, "step")),
			or_unknown(field_text(stall, "node")),
			page_time_cell(stall, "quiet_s", &cells[1]),
			or_unknown(field_text(stall, "start")),
		}, NULL);
	}
	page_table_print(page, &table);
	page_leave_out(page, count > limit ? count - limit : 0, "stall", "stalls");
}
