/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the threads' time went: a bar of its parts, and a list of them. That of parents who wait for their children is no part of it. */
#include <stdbool.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/html/html_internal.h"
#include "reports/json/field.h"
#include "reports/json/units.h"
#include "reports/rules/facts.h"
#include "reports/rules/launchers.h"

const struct html_state html_state_groups[HTML_STATES] = {
	{ "on-cpu", "on a CPU", { "on_cpu_s" } },
	{ "runnable", "waiting for a CPU", { "runnable_s" } },
	{ "memory", "memory", { "memory_stall_s", "fault_io_s" } },
	{ "file", "file I/O", { "file_io_s" } },
	{ "network", "network", { "network_s" } },
	{ "lock", "locks", { "lock_s" } },
	{ "pipe", "pipes, terminal", { "pipe_s" } },
	{ "idle", "threads, event, sleep", { "condition_s", "event_s", "sleep_s" } },
	{ "other", "other", { "other_s" } },
};

#define LABEL_MIN 0.0005 /* of the whole; the list leaves out smaller parts */

static double state_seconds(struct json_object *states, const struct html_state *state)
{
	double sum = 0, value;

	for (size_t i = 0; i < sizeof(state->fields) / sizeof(state->fields[0]) && state->fields[i]; i++)
		if (field_number(states, state->fields[i], &value))
			sum += value;
	return sum;
}

static void print_bar(FILE *out, const double seconds[HTML_STATES], double whole)
{
	double x = 0;

	fputs("<svg class=\"parts\" viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" aria-hidden=\"true\">", out);
	for (size_t i = 0; i < HTML_STATES; i++) {
		double width = 100 * seconds[i] / whole;

		if (width > 0)
			fprintf(out, "<rect class=\"s-%s\" x=\"%.3f\" width=\"%.3f\" height=\"6\"/>",
				html_state_groups[i].name, x, width);
		x += width;
	}
	fputs("</svg>\n", out);
}

static void print_item(FILE *out, struct json_object *states, size_t i, double seconds, double whole)
{
	const struct html_state *state = &html_state_groups[i];
	char text[DURATION_TEXT];
	double throttled = 0;

	fprintf(out,
		"<li><svg class=\"key\" viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"s-%s\" width=\"1\" "
		"height=\"1\"/></svg>%s <b>%.1f %%</b> <span class=\"label\">%s", state->name, state->word,
		100 * seconds / whole, short_duration_text(seconds, text));
	if (strcmp(state->fields[0], "runnable_s") == 0 && field_number(states, "throttled_s", &throttled) && throttled > 0)
		fprintf(out, ", of it %s by a CPU quota", short_duration_text(throttled, text));
	fputs("</span></li>", out);
}

/* The charts over time have the launchers that the list leaves out. */
static void print_launchers(struct json_object *report, FILE *out)
{
	bool charts = field_length(field_typed(report, "series", json_type_array)) > 0;
	char text[LAUNCHERS_TEXT];

	if (!(charts || launchers_matter(report)) || !launchers_note(report, text))
		return;
	fputs("<p class=\"note\">", out);
	html_text(out, text);
	fprintf(out, "%s.</p>\n", charts ? "; the charts over time have them" : "");
}

void html_states(struct json_object *report, FILE *out)
{
	cleanup_json struct json_object *states = facts_states_of_work(report);
	double seconds[HTML_STATES], whole = 0;

	for (size_t i = 0; i < HTML_STATES; i++)
		whole += seconds[i] = state_seconds(states, &html_state_groups[i]);
	if (whole <= 0)
		return;
	fputs("<section aria-labelledby=\"states-h\"><h2 id=\"states-h\">Where the threads' time went</h2>\n", out);
	print_bar(out, seconds, whole);
	fputs("<ul class=\"legend\">", out);
	for (size_t i = 0; i < HTML_STATES; i++)
		if (seconds[i] >= LABEL_MIN * whole)
			print_item(out, states, i, seconds[i], whole);
	fputs("</ul>\n", out);
	print_launchers(report, out);
	fputs("</section>\n", out);
}
