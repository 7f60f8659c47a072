/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints findings, advice, and what is not known. */
#include <math.h>
#include <string.h>

#include "common/suffix.h"
#include "reports/html/html_internal.h"
#include "reports/model/report_gaps.h"
#include "reports/rules/evidence.h"
#include "reports/rules/sentence.h"
#include "reports/verdict/advice_lines.h"
#include "reports/verdict/silence.h"

#define GAPS_SHOWN 200

/* ---- findings ---- */

static void print_number(FILE *out, const char *name, double value, const char *unit)
{
	char text[EVIDENCE_VALUE_TEXT];

	if (!isfinite(value)) {
		fputs(HTML_UNKNOWN, out);
		return;
	}
	evidence_value_text(name, unit ? unit : "", value, text);
	html_text(out, text);
}

/* Prints "wait_mean_s" as "wait mean": the unit follows the number. */
static void print_name(FILE *out, const char *name)
{
	static const char *const units[] = { "_per_s", "_s", "_bytes", "_core_hours", "_gib_hours" };
	size_t length = strlen(name);
	char words[128];

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (has_suffix(name, units[i])) {
			length -= strlen(units[i]);
			break;
		}
	snprintf(words, sizeof(words), "%.*s", (int)(length < sizeof(words) ? length : sizeof(words) - 1), name);
	for (char *c = words; *c; c++)
		*c = *c == '_' ? ' ' : *c;
	html_text(out, words);
}

void html_evidence(FILE *out, const struct report_evidence_list *list)
{
	fputs("<dl class=\"evidence\">", out);
	for (size_t i = 0; i < list->count; i++) {
		const struct report_evidence *one = &list->items[i];

		if (!one->name || (!one->value.text && isnan(one->value.number)))
			continue;
		fputs("<div><dt>", out);
		print_name(out, one->name);
		fputs("</dt> <dd>", out);
		if (one->value.text)
			html_text(out, one->value.text);
		else
			print_number(out, one->name, one->value.number, one->unit);
		if (!isnan(one->threshold)) {
			fputs(" <span class=\"label\">against ", out);
			print_number(out, one->name, one->threshold, one->unit);
			fputs("</span>", out);
		}
		fputs("</dd></div>", out);
	}
	fputs("</dl>", out);
}

static void print_finding(FILE *out, const struct report_finding *finding, const char *severity)
{
	char text[SENTENCE_TEXT];

	fprintf(out, "<li class=\"finding %s %s\"><h3 title=\"", severity,
		html_style_class(terminal_style_of(look_of_severity(severity), STYLE_ACCENT)));
	html_text(out, finding->code ? finding->code : "?");
	fprintf(out, "\"><span class=\"severity\">%s</span> ", severity);
	html_text(out, sentence_of_finding(finding, text));
	fputs("</h3><p>", out);
	html_text(out, finding->hint ? finding->hint : "");
	fputs("</p>", out);
	if (finding->evidence.count > 0) {
		fputs("<details><summary>The numbers behind it</summary>", out);
		html_evidence(out, &finding->evidence);
		fputs("</details>", out);
	}
	fputs("</li>\n", out);
}

void html_findings(const struct report *report, FILE *out)
{
	static const char *const severities[] = { "critical", "warning", "info" };
	const struct report_finding_list *findings = &report->findings;

	if (findings->count == 0 && !silence_means_none(report))
		return;
	fputs("<section aria-labelledby=\"findings-h\"><h2 id=\"findings-h\">Findings</h2>\n", out);
	if (findings->count == 0)
		fputs("<p class=\"note\">Nothing needs attention.</p>", out);
	fputs("<ul class=\"findings\">\n", out);
	for (size_t s = 0; s < sizeof(severities) / sizeof(severities[0]); s++)
		for (size_t i = 0; i < findings->count; i++)
			if (report_text_is(findings->items[i].severity, severities[s]))
				print_finding(out, &findings->items[i], severities[s]);
	fputs("</ul></section>\n", out);
}

/* ---- advice ---- */

static void print_lines(const struct report *report, enum advice_place place, FILE *out)
{
	size_t at = 0;
	const char *line = advice_next_line(&report->advice, place, &at);
	char text[ADVICE_OF_TASK_TEXT], head[ADVICE_HEAD_TEXT];
	const char *of_task = place == ADVICE_AT_TOP ? advice_of_task(report, text) : NULL;

	if (!line)
		return;
	fprintf(out, "<div class=\"paste\"><p>%s</p>\n", advice_place_head(report, place, head));
	if (of_task)
		fprintf(out, "<p>%s</p>\n", of_task);
	fprintf(out, "<pre id=\"advice-lines-%d\">", place);
	for (; line; line = advice_next_line(&report->advice, place, &at)) {
		html_text(out, line);
		fputs("\n", out);
	}
	fprintf(out, "</pre><button type=\"button\" class=\"copy\" data-from=\"advice-lines-%d\" hidden>Copy</button></div>\n",
		place);
}

static void print_reasons(const struct report_advice_list *advice, FILE *out)
{
	fputs("<details><summary>Why these lines</summary><dl class=\"reasons\">", out);
	for (size_t i = 0; i < advice->count; i++) {
		const char *line = advice_line(&advice->items[i]), *reason = advice->items[i].reason;

		if (!line || !reason)
			continue;
		fputs("<dt><code>", out);
		html_text(out, strncmp(line, "#SBATCH ", 8) == 0 ? line + 8 : line);
		fputs("</code></dt><dd>", out);
		html_text(out, reason);
		fputs("</dd>\n", out);
	}
	fputs("</dl></details>\n", out);
}

static void print_silence(const struct report *report, FILE *out)
{
	char text[SILENCE_TEXT];
	const char *silence = silence_of_report(report, text);

	if (!silence)
		return;
	fputs("<section class=\"advice\" aria-labelledby=\"advice-h\"><h2 id=\"advice-h\">Next time</h2>\n<p>", out);
	html_text(out, silence);
	fputs(".</p></section>\n", out);
}

void html_advice(const struct report *report, FILE *out)
{
	if (report->advice.count == 0) {
		print_silence(report, out);
		return;
	}
	fputs("<section class=\"advice\" aria-labelledby=\"advice-h\"><h2 id=\"advice-h\">Next time</h2>\n", out);
	for (enum advice_place place = 0; place < ADVICE_PLACES; place++)
		print_lines(report, place, out);
	print_reasons(&report->advice, out);
	fputs("</section>\n", out);
}

/* ---- what is not known ---- */

static bool concerns(const struct report *report, const struct report_gap *gap)
{
	return gap->name && gap->reason && report_gap_concerns(report, gap->name, gap->reason);
}

static void print_gaps(const struct report *report, FILE *out)
{
	size_t count = 0;

	fputs("<dl class=\"gaps\">", out);
	for (size_t i = 0; i < report->gaps.count; i++) {
		const struct report_gap *gap = &report->gaps.items[i];

		if (!concerns(report, gap) || ++count > GAPS_SHOWN)
			continue;
		fputs("<dt><code>", out);
		html_text(out, gap->name);
		fputs("</code></dt><dd>", out);
		html_text(out, gap->reason);
		fputs("</dd>\n", out);
	}
	fputs("</dl>\n", out);
	if (count == 0)
		fprintf(out, "<p class=\"note\">Nothing%s is missing from this report.</p>\n",
			report->gaps.count ? " that concerns this job" : "");
	if (count > GAPS_SHOWN)
		fprintf(out, "<p class=\"note\">The first %d of %zu; <code>stint report --json</code> has all.</p>\n",
			GAPS_SHOWN, count);
}

static void print_first_reason(const struct report *report, FILE *out)
{
	for (size_t i = 0; i < report->gaps.count; i++) {
		if (!concerns(report, &report->gaps.items[i]))
			continue;
		fputs("<p>", out);
		html_text(out, report->gaps.items[i].reason);
		fputs("</p>", out);
		return;
	}
}

void html_incomplete(const struct report *report, FILE *out)
{
	if (report->complete.value)
		return;
	if (report->so_far) {
		fputs("<section class=\"so-far\" aria-labelledby=\"so-far-h\"><h2 id=\"so-far-h\">Still running: so far</h2>"
		      "<p>All numbers are what the job has used so far. <a href=\"#gaps-h\">What is not known</a></p>"
		      "</section>\n", out);
		return;
	}
	fputs("<section class=\"incomplete\" aria-labelledby=\"incomplete-h\"><h2 id=\"incomplete-h\">Not complete</h2>"
	      "<p>This report does not show all of the job. <a href=\"#gaps-h\">What is not known, and why</a></p>", out);
	print_first_reason(report, out);
	fputs("</section>\n", out);
}

static void print_lost(const struct report_count_map *lost, FILE *out)
{
	for (size_t i = 0; i < lost->count; i++) {
		if (lost->items[i].value <= 0)
			continue;
		fputs("<p>Lost, ", out);
		print_name(out, lost->items[i].name);
		fprintf(out, ": %lld</p>\n", (long long)lost->items[i].value);
	}
}

void html_gaps(const struct report *report, FILE *out)
{
	fputs("<section aria-labelledby=\"gaps-h\"><h2 id=\"gaps-h\">What is not known</h2>\n", out);
	print_gaps(report, out);
	print_lost(&report->lost, out);
	fputs("</section>\n", out);
}
