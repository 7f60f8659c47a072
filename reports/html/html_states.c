/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints how the threads spent their time, without parents' waits for children. */
#include <math.h>
#include <stdbool.h>

#include "reports/html/html_internal.h"
#include "reports/json/units.h"
#include "reports/rules/facts.h"
#include "reports/rules/launchers.h"

#define TIME(name) offsetof(struct report_states, name)

_Static_assert(TIME(sleep_s) == offsetof(struct report_job_states, sleep_s), "both begin with the same times");

const struct html_state html_state_groups[HTML_STATES] = {
	{ "on-cpu", "on a CPU", { TIME(on_cpu_s) } },
	{ "runnable", "waiting for a CPU", { TIME(runnable_s) } },
	{ "memory", "memory", { TIME(memory_stall_s), TIME(fault_io_s) } },
	{ "file", "file I/O", { TIME(file_io_s) } },
	{ "gpu", "GPU", { TIME(gpu_s) } },
	{ "network", "network", { TIME(network_s) } },
	{ "lock", "locks", { TIME(lock_s) } },
	{ "pipe", "pipes, terminal", { TIME(pipe_s) } },
	{ "idle", "threads, event, sleep", { TIME(condition_s), TIME(event_s), TIME(sleep_s) } },
	{ "other", "other", { TIME(other_s) } },
};

#define LABEL_MIN 0.0005 /* as a share of the whole; smaller states are not listed */

double html_state_seconds(const void *states, const struct html_state *group)
{
	double sum = 0;

	for (const size_t *offset = group->offsets; *offset; offset++)
		sum += fmax(report_s(*(const struct report_seconds *)((const char *)states + *offset)), 0);
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

static void print_item(FILE *out, const struct report_job_states *states, size_t i, double seconds, double whole)
{
	const struct html_state *state = &html_state_groups[i];
	char text[DURATION_TEXT];
	double throttled_s = report_s(states->throttled_s);

	fprintf(out,
		"<li><svg class=\"key\" viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"s-%s\" width=\"1\" "
		"height=\"1\"/></svg>%s <b>%.1f %%</b> <span class=\"label\">%s", state->name, state->word,
		100 * seconds / whole, short_duration_text(seconds, text));
	if (state->offsets[0] == TIME(runnable_s) && throttled_s > 0)
		fprintf(out, ", of it %s by a CPU quota", short_duration_text(throttled_s, text));
	fputs("</span></li>", out);
}

static void print_launchers(const struct report *report, FILE *out)
{
	bool charts = report->series.count > 0;
	char text[LAUNCHERS_TEXT];

	if (!(charts || launchers_matter(report)) || !launchers_note(report, text))
		return;
	fputs("<p class=\"note\">", out);
	html_text(out, text);
	fprintf(out, "%s.</p>\n", charts ? "; the charts over time include these threads" : "");
}

void html_states(const struct report *report, FILE *out)
{
	double seconds[HTML_STATES], whole = 0;
	struct report_job_states states;

	if (!facts_states_of_work(report, &states))
		return;
	for (size_t i = 0; i < HTML_STATES; i++)
		whole += seconds[i] = html_state_seconds(&states, &html_state_groups[i]);
	if (whole <= 0)
		return;
	fputs("<section aria-labelledby=\"states-h\"><h2 id=\"states-h\">Where the threads' time went</h2>\n", out);
	print_bar(out, seconds, whole);
	fputs("<ul class=\"legend\">", out);
	for (size_t i = 0; i < HTML_STATES; i++)
		if (seconds[i] >= LABEL_MIN * whole)
			print_item(out, &states, i, seconds[i], whole);
	fputs("</ul>\n", out);
	print_launchers(report, out);
	fputs("</section>\n", out);
}
