/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "reports/field.h"
#include "reports/page_part.h"

#define FINDINGS_SHOWN 8
#define VICTIMS_SHOWN 5
#define STALLS_SHOWN 5

static size_t surplus(size_t count, size_t shown)
{
	return count > shown ? count - shown : 0;
}

/* ---- findings and advice ---- */

static void print_finding(struct json_object *finding, const char *severity, FILE *out)
{
	const char *code = field_text(finding, "code"), *hint = field_text(finding, "hint");
	cleanup_free char *line = NULL;
	char first[32];

	snprintf(first, sizeof(first), "  %-8s  ", severity);
	if (asprintf(&line, "%s: %s", code ? code : "?", hint ? hint : "") < 0)
		line = NULL;
	page_wrapped(out, first, line ? line : "");
}

void page_findings(struct json_object *report, FILE *out)
{
	static const char *const severities[] = { "critical", "warning", "info" };
	struct json_object *findings = field_typed(report, "findings", json_type_array);
	size_t shown = 0;

	if (field_length(findings) == 0)
		return;
	fputs("\nFindings\n", out);
	for (size_t s = 0; s < sizeof(severities) / sizeof(severities[0]); s++)
		for (size_t i = 0; i < field_length(findings); i++) {
			struct json_object *finding = json_object_array_get_idx(findings, i);
			const char *severity = field_text(finding, "severity");

			if (severity && strcmp(severity, severities[s]) == 0 && shown++ < FINDINGS_SHOWN)
				print_finding(finding, severities[s], out);
		}
	page_print_more(out, surplus(shown, FINDINGS_SHOWN), "findings");
}

/* The lines as they are to be pasted: Slurm takes none that does not begin with #SBATCH. */
void page_advice(struct json_object *report, FILE *out)
{
	struct json_object *advice = field_typed(report, "advice", json_type_array);

	if (field_length(advice) == 0)
		return;
	fputs("\nAdvice: lines for the job script\n", out);
	for (size_t i = 0; i < field_length(advice); i++) {
		struct json_object *one = json_object_array_get_idx(advice, i);
		const char *line = field_text(one, "line"), *reason = field_text(one, "reason");
		char text[256];

		if (!line)
			continue;
		fprintf(out, "%s\n", escape_text(line, text, sizeof(text)));
		if (reason)
			page_wrapped(out, "    ", reason);
	}
}

/* ---- what went wrong on the way ---- */

static const char *or_unknown(const char *text)
{
	return text ? text : "-";
}

void page_oom(struct json_object *report, FILE *out)
{
	static const char *const heads[] = { "Tool", "PID", "Step", "Node", "Held", "Limit", "Time" };
	struct page_table table = { .columns = sizeof(heads) / sizeof(heads[0]), .heads = heads };
	struct json_object *list = field_typed(report, "oom", json_type_array);
	size_t count = field_length(list);

	for (size_t i = 0; i < count && i < VICTIMS_SHOWN; i++) {
		struct json_object *victim = json_object_array_get_idx(list, i);
		const char *tool = field_text(victim, "tool"), *comm = field_text(victim, "comm");
		struct page_cell cells[3];

		page_table_add(&table, (const char *const[]){
			tool ? tool : or_unknown(comm),
			page_count_cell(victim, "pid", &cells[0]),
			or_unknown(field_text(victim, "step")),
			or_unknown(field_text(victim, "node")),
			page_size_cell(victim, "rss_bytes", &cells[1]),
			page_size_cell(victim, "limit_bytes", &cells[2]),
			or_unknown(field_text(victim, "time")),
		}, NULL);
	}
	if (count == 0)
		return;
	fputs("\nKilled by the kernel, out of memory\n", out);
	page_table_print(&table, out);
	page_print_more(out, surplus(count, VICTIMS_SHOWN), "processes");
}

void page_stalls(struct json_object *report, FILE *out)
{
	static const char *const heads[] = { "Tool", "PID", "Step", "Node", "Quiet", "From" };
	struct page_table table = { .columns = sizeof(heads) / sizeof(heads[0]), .heads = heads };
	struct json_object *list = field_typed(report, "progress.stalls", json_type_array);
	size_t count = field_length(list);

	for (size_t i = 0; i < count && i < STALLS_SHOWN; i++) {
		struct json_object *stall = json_object_array_get_idx(list, i);
		struct page_cell cells[2];

		page_table_add(&table, (const char *const[]){
			or_unknown(field_text(stall, "tool")),
			page_count_cell(stall, "pid", &cells[0]),
			or_unknown(field_text(stall, "step")),
			or_unknown(field_text(stall, "node")),
			page_time_cell(stall, "quiet_s", &cells[1]),
			or_unknown(field_text(stall, "start")),
		}, NULL);
	}
	if (count == 0)
		return;
	fputs("\nStalled: alive, and using nothing\n", out);
	page_table_print(&table, out);
	page_print_more(out, surplus(count, STALLS_SHOWN), "stalls");
}
