/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/text/job_bars.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "reports/json/field.h"
#include "reports/json/units.h"

#define EFFICIENT 0.8

/* ---- colours ---- */

static bool has_finding(struct json_object *report, const char *const *codes, const char *severity)
{
	struct json_object *findings = field_typed(report, "findings", json_type_array);

	for (size_t i = 0; i < field_length(findings); i++) {
		struct json_object *finding = json_object_array_get_idx(findings, i);
		const char *code = field_text(finding, "code"), *of = field_text(finding, "severity");

		for (const char *const *one = codes; code && of && *one; one++)
			if (strcmp(code, *one) == 0 && strcmp(of, severity) == 0)
				return true;
	}
	return false;
}

/* A style is never better than the findings say, since these go by the site's thresholds. */
static enum terminal_style style_of(struct json_object *report, const char *const *codes, enum terminal_style otherwise)
{
	if (has_finding(report, codes, "critical"))
		return STYLE_BAD;
	return has_finding(report, codes, "warning") ? STYLE_WARNING : otherwise;
}

static enum terminal_style style_of_share(double share)
{
	return share >= EFFICIENT ? STYLE_GOOD : STYLE_ACCENT;
}

/* ---- the bars ---- */

static bool cpu_bar(struct json_object *report, struct job_bar *bar)
{
	static const char *const codes[] = { "cpu-efficiency-low",   "cores-unused",	"node-idle",
					     "serial-on-many-cores", "oversubscribed", NULL };
	double cpus;

	if (!field_number(report, "used.cpu_efficiency", &bar->share) ||
	    !field_number(report, "allocated.cpus", &cpus))
		return false;
	bar->style = style_of(report, codes, style_of_share(bar->share));
	snprintf(bar->of, sizeof(bar->of), "%.0f CPU%s", cpus, cpus == 1 ? "" : "s");
	return true;
}

/* The bar shows both peaks: used, and paler up to charged, which has the page cache too. */
static bool memory_bar(struct json_object *report, struct job_bar *bar)
{
	static const char *const codes[] = { "oom-kill", "memory-near-limit", "memory-swapped", "memory-over-asked",
					     "memory-reclaim", NULL };
	double bytes, nodes, charged = 0;
	char given[SIZE_TEXT];

	if (!field_number(report, "used.memory_efficiency", &bar->share) ||
	    !field_number(report, "requested.memory_bytes", &bytes) ||
	    !field_number(report, "requested.nodes", &nodes) || nodes < 1)
		return false;
	field_number(report, "used.memory_charged_peak_bytes", &charged);
	bar->more = bytes > 0 ? charged / (bytes / nodes) : 0;
	bar->style = style_of(report, codes, style_of_share(bar->share));
	snprintf(bar->of, sizeof(bar->of), "%s%s", size_text(bytes / nodes, given), nodes > 1 ? " a node" : "");
	return true;
}

/* A job needs no more of its time than it takes: a short bar is as good as a long one. */
static bool time_bar(struct json_object *report, struct job_bar *bar)
{
	static const char *const codes[] = { "time-limit-hit", "time-limit-near", NULL };
	double elapsed_s, limit_s;
	char given[DURATION_TEXT];

	if (!field_number(report, "job.elapsed_s", &elapsed_s) ||
	    !field_number(report, "requested.time_limit_s", &limit_s) || !(limit_s > 0))
		return false;
	bar->share = elapsed_s / limit_s;
	bar->style = style_of(report, codes, STYLE_ACCENT);
	snprintf(bar->of, sizeof(bar->of), "%s", worded_duration_text(limit_s, given));
	return true;
}

static const struct {
	const char *label;
	bool (*fill)(struct json_object *report, struct job_bar *bar);
} kinds[JOB_BARS] = {
	{ "CPU", cpu_bar },
	{ "Memory", memory_bar },
	{ "Time", time_bar },
};

size_t job_bars(struct json_object *report, struct job_bar bars[JOB_BARS])
{
	size_t count = 0;

	for (size_t i = 0; i < JOB_BARS; i++) {
		bars[count] = (struct job_bar){ .label = kinds[i].label };
		count += kinds[i].fill(report, &bars[count]);
	}
	return count;
}
