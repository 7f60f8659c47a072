/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/wording/job_bars.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/json/plural.h"
#include "reports/json/units.h"
#include "reports/model/gpu_use.h"
#include "reports/rules/looks.h"
#include "reports/rules/peak_memory.h"

#define EXCEEDS 1.1     /* shares of short jobs are too large, as Slurm has whole seconds; a share from 1 up to this is shown as 1 */
#define ROUGH_S 10      /* below this, a second is more than a tenth of the elapsed time */
#define GPU_ALL_KNOWN 0.95 /* the first reading comes a second or more after the job's start */
#define SHARE_MAX 10000 /* only a forged report has more */

static enum terminal_style style_of(const struct report *report, enum look_at at, double share)
{
	return terminal_style_of(look_of_share(at, share, looks_of_report(report)), STYLE_ACCENT);
}

/* The efficiency is at most 1. If nothing held the job to its CPUs, its share can be more than 1. */
static double cpu_share(const struct report *report, double efficiency, double cpus)
{
	double exact = report_s(report->used.cpu_s) / (report_s(report->job.elapsed_s) * cpus);

	return efficiency >= 1 && exact >= EXCEEDS ? exact : efficiency;
}

/* Slurm gives whole seconds. A time with a fraction comes from the nodes, and is exact. */
static bool is_rough(const struct report *report)
{
	double elapsed_s = report_s(report->job.elapsed_s);

	return elapsed_s < ROUGH_S && elapsed_s == floor(elapsed_s);
}

static bool cpu_bar(const struct report *report, struct job_bar *bar)
{
	double efficiency = report->used.cpu_efficiency, cpus = (double)report->allocated.cpus;

	if (isnan(efficiency) || cpus < 0)
		return false;
	bar->share = cpu_share(report, efficiency, cpus);
	bar->style = style_of(report, LOOK_AT_CPU, bar->share);
	snprintf(bar->of, sizeof(bar->of), "%.0f CPU%s%s", cpus, plural(cpus), is_rough(report) ? ", roughly" : "");
	return true;
}

static bool memory_bar(const struct report *report, struct job_bar *bar)
{
	double charged = fmax((double)report->used.memory_charged_peak_bytes, 0);
	int64_t nodes = report->requested.nodes;
	struct peak_memory peak;
	char given[SIZE_TEXT];

	peak_memory_read(report, &peak);
	bar->share = peak.share;
	if (isnan(bar->share) || isnan(peak.given) || nodes < 1)
		return false;
	bar->more = peak.given > 0 ? charged / peak.given : 0;
	bar->style = style_of(report, LOOK_AT_MEMORY, bar->share);
	snprintf(bar->of, sizeof(bar->of), "%s%s%s", size_text(peak.given, given), nodes > 1 ? " a node" : "",
		 peak.or_more ? ", or more" : "");
	return true;
}

/* A job needs no more time than it takes, so a short bar is no waste. */
static bool time_bar(const struct report *report, struct job_bar *bar)
{
	double elapsed_s = report_s(report->job.elapsed_s), limit_s = (double)report->requested.time_limit_s;
	char given[DURATION_TEXT];

	if (isnan(elapsed_s) || limit_s <= 0)
		return false;
	bar->share = elapsed_s / limit_s;
	bar->style = style_of(report, LOOK_AT_TIME, bar->share);
	snprintf(bar->of, sizeof(bar->of), "%s", worded_duration_text(limit_s, given));
	return true;
}

/* The share of the time for which it is known whether the GPUs were busy. */
static bool gpu_bar(const struct report *report, struct job_bar *bar)
{
	double gpus = report_number(report->allocated.gpus), known_s;
	char percent[PERCENT_TEXT];
	struct gpu_use use;

	gpu_use_read(report, &use);
	known_s = use.busy_s + use.idle_s;
	if (!(known_s > 0))
		return false;
	bar->share = use.busy_s / known_s;
	bar->style = STYLE_ACCENT;
	if (known_s >= GPU_ALL_KNOWN * use.given_s)
		snprintf(bar->of, sizeof(bar->of), "%.0f GPU%s", gpus, plural(gpus));
	else
		snprintf(bar->of, sizeof(bar->of), "%.0f GPU%s (%s known)", gpus, plural(gpus),
			 percent_text(known_s / use.given_s, percent));
	return true;
}

static const struct {
	const char *label;
	bool (*fill)(const struct report *report, struct job_bar *bar);
} kinds[JOB_BARS] = {
	[LOOK_AT_CPU] = { "CPU", cpu_bar },
	[LOOK_AT_MEMORY] = { "Memory", memory_bar },
	[LOOK_AT_TIME] = { "Time", time_bar },
	[LOOK_ATS] = { "GPU", gpu_bar },
};

size_t job_bars(const struct report *report, struct job_bar bars[JOB_BARS])
{
	size_t count = 0;

	for (size_t i = 0; i < JOB_BARS; i++) {
		bars[count] = (struct job_bar){ .at = (enum look_at)i, .label = kinds[i].label };
		count += kinds[i].fill(report, &bars[count]) && bars[count].share >= 0 && bars[count].share <= SHARE_MAX;
	}
	return count;
}
