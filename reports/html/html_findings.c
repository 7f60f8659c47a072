/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What should be looked at, what to change, and what is not known. */
#include <string.h>

#include "reports/field.h"
#include "reports/html/html_part.h"
#include "reports/units.h"

#define GAPS_SHOWN 200

/* ---- findings ---- */

static bool ends_in(const char *name, const char *end)
{
	size_t length = strlen(name), end_length = strlen(end);

	return length > end_length && strcmp(name + length - end_length, end) == 0;
}

static void print_number(FILE *out, const char *name, double value, const char *unit)
{
	char text[SIZE_TEXT > DURATION_TEXT ? SIZE_TEXT : DURATION_TEXT];

	if (!unit && (ends_in(name, "_share") || ends_in(name, "_efficiency")))
		fprintf(out, "%.1f %%", 100 * value);
	else if (!unit)
		fprintf(out, "%.4g", value);
	else if (strcmp(unit, "bytes") == 0)
		fputs(size_text(value, text), out);
	else if (strcmp(unit, "s") == 0)
		fputs(short_duration_text(value, text), out);
	else
		html_textf(out, "%.4g %s", value, strcmp(unit, "1/s") == 0 ? "/s" : unit);
}

/* "wait_mean_s" as "wait mean", for the unit stands behind the number. */
static void print_name(FILE *out, const char *name)
{
	static const char *const units[] = { "_per_s", "_s", "_bytes", "_core_hours", "_gib_hours" };
	size_t length = strlen(name);
	char words[128];

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (ends_in(name, units[i])) {
			length -= strlen(units[i]);
			break;
		}
	snprintf(words, sizeof(words), "%.*s", (int)(length < sizeof(words) ? length : sizeof(words) - 1), name);
	for (char *c = words; *c; c++)
		*c = *c == '_' ? ' ' : *c;
	html_text(out, words);
}

void html_evidence(FILE *out, struct json_object *list)
{
	fputs("<dl class=\"evidence\">", out);
	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);
		const char *name = field_text(one, "name"), *unit = field_text(one, "unit");
		const char *text = field_text(one, "value");
		double value = 0, threshold;

		if (!name || (!text && !field_number(one, "value", &value)))
			continue;
		fputs("<div><dt>", out);
		print_name(out, name);
		fputs("</dt> <dd>", out);
		if (text)
			html_text(out, text);
		else
			print_number(out, name, value, unit);
		if (field_number(one, "threshold", &threshold)) {
			fputs(" <span class=\"label\">against ", out);
			print_number(out, name, threshold, unit);
			fputs("</span>", out);
		}
		fputs("</dd></div>", out);
	}
	fputs("</dl>", out);
}

static void print_finding(FILE *out, struct json_object *finding, const char *severity)
{
	const char *code = field_text(finding, "code"), *hint = field_text(finding, "hint");

	fprintf(out, "<li class=\"finding %s\"><h3><span class=\"severity\">%s</span> ", severity, severity);
	print_name(out, code ? code : "?");
	fputs("</h3><p>", out);
	html_text(out, hint ? hint : "");
	fputs("</p>", out);
	html_evidence(out, field_typed(finding, "evidence", json_type_array));
	fputs("</li>\n", out);
}

void html_findings(struct json_object *report, FILE *out)
{
	static const char *const severities[] = { "critical", "warning", "info" };
	struct json_object *findings = field_typed(report, "findings", json_type_array);

	fputs("<section aria-labelledby=\"findings-h\"><h2 id=\"findings-h\">Findings</h2>\n", out);
	if (field_length(findings) == 0)
		fputs("<p class=\"note\">Nothing that should be looked at.</p>", out);
	fputs("<ul class=\"findings\">\n", out);
	for (size_t s = 0; s < sizeof(severities) / sizeof(severities[0]); s++)
		for (size_t i = 0; i < field_length(findings); i++) {
			struct json_object *finding = json_object_array_get_idx(findings, i);
			const char *severity = field_text(finding, "severity");

			if (severity && strcmp(severity, severities[s]) == 0)
				print_finding(out, finding, severities[s]);
		}
	fputs("</ul></section>\n", out);
}

/* ---- advice ---- */

void html_advice(struct json_object *report, FILE *out)
{
	struct json_object *advice = field_typed(report, "advice", json_type_array);

	if (field_length(advice) == 0)
		return;
	fputs("<section class=\"advice\" aria-labelledby=\"advice-h\"><h2 id=\"advice-h\">For the next run</h2>\n"
	      "<p class=\"note\">Lines for the job script.</p>\n<div class=\"paste\"><pre id=\"advice-lines\">", out);
	for (size_t i = 0; i < field_length(advice); i++) {
		const char *line = field_text(json_object_array_get_idx(advice, i), "line");

		if (line)
			html_textf(out, "%s", line);
		fputs("\n", out);
	}
	fputs("</pre><button type=\"button\" class=\"copy\" data-from=\"advice-lines\" hidden>Copy</button></div>\n"
	      "<dl class=\"reasons\">", out);
	for (size_t i = 0; i < field_length(advice); i++) {
		struct json_object *one = json_object_array_get_idx(advice, i);
		const char *line = field_text(one, "line"), *reason = field_text(one, "reason");

		if (!line || !reason)
			continue;
		fputs("<dt><code>", out);
		html_text(out, strncmp(line, "#SBATCH ", 8) == 0 ? line + 8 : line);
		fputs("</code></dt><dd>", out);
		html_text(out, reason);
		fputs("</dd>\n", out);
	}
	fputs("</dl></section>\n", out);
}

/* ---- what is not known ---- */

static void print_gaps(struct json_object *list, FILE *out)
{
	size_t count = field_length(list);

	fputs("<dl class=\"gaps\">", out);
	for (size_t i = 0; i < count && i < GAPS_SHOWN; i++) {
		const char *name = field_text(json_object_array_get_idx(list, i), "name");
		const char *reason = field_text(json_object_array_get_idx(list, i), "reason");

		if (!name || !reason)
			continue;
		fputs("<dt><code>", out);
		html_text(out, name);
		fputs("</code></dt><dd>", out);
		html_text(out, reason);
		fputs("</dd>\n", out);
	}
	fputs("</dl>\n", out);
	if (count > GAPS_SHOWN)
		fprintf(out, "<p class=\"note\">The first %d of %zu; <code>stint report --json</code> has all.</p>\n",
			GAPS_SHOWN, count);
}

void html_incomplete(struct json_object *report, FILE *out)
{
	struct json_object *gaps = field_typed(report, "gaps", json_type_array);

	if (field_true(report, "complete"))
		return;
	fputs("<section class=\"incomplete\" aria-labelledby=\"incomplete-h\"><h2 id=\"incomplete-h\">Not complete</h2>"
	      "<p>This report does not tell all of the job. <a href=\"#gaps-h\">What is not known, and why</a></p>", out);
	if (field_length(gaps) > 0) {
		const char *reason = field_text(json_object_array_get_idx(gaps, 0), "reason");

		fputs("<p>", out);
		html_text(out, reason ? reason : "");
		fputs("</p>", out);
	}
	fputs("</section>\n", out);
}

static bool is_lost(struct json_object *value)
{
	return json_object_is_type(value, json_type_int) && json_object_get_int64(value) > 0;
}

static void print_lost(struct json_object *lost, FILE *out)
{
	json_object_object_foreach(lost, name, value) {
		if (!is_lost(value))
			continue;
		fputs("<p>Lost, ", out);
		print_name(out, name);
		fprintf(out, ": %lld</p>\n", (long long)json_object_get_int64(value));
	}
}

void html_gaps(struct json_object *report, FILE *out)
{
	struct json_object *gaps = field_typed(report, "gaps", json_type_array);
	struct json_object *lost = field_typed(report, "lost", json_type_object);

	fputs("<section aria-labelledby=\"gaps-h\"><h2 id=\"gaps-h\">What is not known</h2>\n", out);
	if (field_length(gaps) > 0)
		print_gaps(gaps, out);
	else
		fputs("<p class=\"note\">Nothing is missing from this report.</p>\n", out);
	if (lost)
		print_lost(lost, out);
	fputs("</section>\n", out);
}
