/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site/job_figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MS_PER_H 3600000.0
#define MIB_S_PER_GIB_H (1024.0 * 3600)
#define PPM 1e6

const char *const job_figure_names[JOB_FIGURE_COUNT] = {
#define JOB_FIGURE_NAME(figure, name) [FIGURE_##figure] = name,
	JOB_FIGURES(JOB_FIGURE_NAME)
#undef JOB_FIGURE_NAME
};

static const char *const cpu_cause_names[JOB_CAUSES] = {
	"failed or killed", "time limits",  "waiting for files",   "other waits", "idle",
	"one busy thread",  "no free CPU", "more CPUs than threads", "not known",
};

static const char *const memory_cause_names[JOB_MEMORY_CAUSES] = { "failed or killed", "time limits", "margin of a fifth",
								   "reserved for nothing" };

const struct job_causes job_cpu_causes = {
	.head = "Core-hours wasted, by cause",
	.all = FIGURE_CORE_H_WASTED,
	.first = FIGURE_WASTED_FAILED,
	.count = JOB_CAUSES,
	.names = cpu_cause_names,
};

const struct job_causes job_memory_causes = {
	.head = "GiB-hours of memory wasted, by cause",
	.all = FIGURE_GIB_H_WASTED,
	.first = FIGURE_MEMORY_FAILED,
	.count = JOB_MEMORY_CAUSES,
	.names = memory_cause_names,
};

static double sum_of(const struct job_group *group, enum job_measure measure, double unit)
{
	return group->known[measure] ? (double)group->sum[measure] / unit : NAN;
}

/* Returns the share of @given that was not wasted. @given: a sum over jobs whose waste is known */
static double efficiency(const struct job_group *group, enum job_measure given, enum job_measure wasted)
{
	return group->sum[given] > 0 ? 1 - (double)group->sum[wasted] / (double)group->sum[given] : NAN;
}

/* Returns the share of the time in which GPUs were busy, of the time for which that is known. */
static double gpu_efficiency(const struct job_group *group)
{
	double busy = (double)group->sum[JOB_GPU_BUSY], known = busy + (double)group->sum[JOB_GPU_WASTED];

	return known > 0 ? busy / known : NAN;
}

static double quantile(const struct job_group *group, enum job_bins bins, double q, double unit, double most)
{
	double value = bins_quantile(&group->bins[bins], q) / unit;

	return value > most ? most : value;
}

double job_figure(const struct job_group *group, enum job_figure figure)
{
	if (figure >= FIGURE_WASTED_FAILED && figure <= FIGURE_WASTED_UNCLEAR)
		return sum_of(group, JOB_CPU_FAILED + (figure - FIGURE_WASTED_FAILED), MS_PER_H);
	if (figure >= FIGURE_MEMORY_FAILED && figure <= FIGURE_MEMORY_RESERVED)
		return sum_of(group, JOB_MEM_FAILED + (figure - FIGURE_MEMORY_FAILED), MIB_S_PER_GIB_H);
	switch (figure) {
	case FIGURE_JOBS:
		return (double)group->jobs;
	case FIGURE_CORE_H_GIVEN:
		return sum_of(group, JOB_CPU_GIVEN, MS_PER_H);
	case FIGURE_CORE_H_USED:
		return sum_of(group, JOB_CPU_USED, MS_PER_H);
	case FIGURE_CORE_H_WASTED:
		return sum_of(group, JOB_CPU_WASTED, MS_PER_H);
	case FIGURE_CORE_H_LOST:
		return sum_of(group, JOB_CPU_LOST, MS_PER_H);
	case FIGURE_CPU_EFF:
		return efficiency(group, JOB_CPU_JUDGED, JOB_CPU_WASTED);
	case FIGURE_CPU_EFF_MEDIAN:
		return quantile(group, JOB_BINS_CPU, 0.5, PPM, 1);
	case FIGURE_CPU_EFF_Q1:
		return quantile(group, JOB_BINS_CPU, 0.25, PPM, 1);
	case FIGURE_CPU_EFF_Q3:
		return quantile(group, JOB_BINS_CPU, 0.75, PPM, 1);
	case FIGURE_GIB_H_GIVEN:
		return sum_of(group, JOB_MEM_GIVEN, MIB_S_PER_GIB_H);
	case FIGURE_GIB_H_USED:
		return sum_of(group, JOB_MEM_USED, MIB_S_PER_GIB_H);
	case FIGURE_GIB_H_WASTED:
		return sum_of(group, JOB_MEM_WASTED, MIB_S_PER_GIB_H);
	case FIGURE_MEM_EFF:
		return efficiency(group, JOB_MEM_GIVEN, JOB_MEM_WASTED);
	case FIGURE_MEM_EFF_MEDIAN:
		return quantile(group, JOB_BINS_MEMORY, 0.5, PPM, 1);
	case FIGURE_MEM_EFF_Q1:
		return quantile(group, JOB_BINS_MEMORY, 0.25, PPM, 1);
	case FIGURE_MEM_EFF_Q3:
		return quantile(group, JOB_BINS_MEMORY, 0.75, PPM, 1);
	case FIGURE_NODE_H_GIVEN:
		return sum_of(group, JOB_NODE_GIVEN, MS_PER_H);
	case FIGURE_NODE_H_WASTED:
		return sum_of(group, JOB_NODE_WASTED, MS_PER_H);
	case FIGURE_GPU_H_GIVEN:
		return sum_of(group, JOB_GPU_GIVEN, MS_PER_H);
	case FIGURE_GPU_H_BUSY:
		return sum_of(group, JOB_GPU_BUSY, MS_PER_H);
	case FIGURE_GPU_H_WASTED:
		return sum_of(group, JOB_GPU_WASTED, MS_PER_H);
	case FIGURE_GPU_H_UNKNOWN:
		return sum_of(group, JOB_GPU_UNTOLD, MS_PER_H);
	case FIGURE_GPU_EFF:
		return gpu_efficiency(group);
	case FIGURE_COMPLETED:
		return (double)group->ends[JOB_END_COMPLETED];
	case FIGURE_FAILED:
		return (double)group->ends[JOB_END_FAILED];
	case FIGURE_OOM:
		return (double)group->oom;
	case FIGURE_TIMEOUT:
		return (double)group->ends[JOB_END_TIMEOUT];
	case FIGURE_CANCELLED:
		return (double)group->ends[JOB_END_CANCELLED];
	case FIGURE_NODE_FAIL:
		return (double)group->ends[JOB_END_NODE_FAIL];
	case FIGURE_REQUEUED:
		return (double)group->ends[JOB_END_REQUEUED];
	case FIGURE_SHORT:
		return (double)group->brief;
	case FIGURE_COMPLETE:
		return (double)group->complete;
	case FIGURE_COVERAGE:
		return group->nodes_expected ? (double)group->nodes_present / (double)group->nodes_expected : NAN;
	case FIGURE_ELAPSED_MEDIAN:
		return quantile(group, JOB_BINS_ELAPSED, 0.5, 1000, INFINITY);
	case FIGURE_QUEUED_MEDIAN:
		return quantile(group, JOB_BINS_QUEUED, 0.5, 1000, INFINITY);
	case FIGURE_TOOL_RUNS:
		return group->tool_runs ? (double)group->tool_runs : NAN;
	case FIGURE_TOOL_FAILURES:
		return group->tool_runs ? (double)group->tool_failures : NAN;
	case FIGURE_TOOL_CPU_H:
		return group->tool_runs ? (double)group->tool_cpu_ms / MS_PER_H : NAN;
	default:
		return NAN;
	}
}

bool job_figures_add(enum job_measure measure)
{
	return (measure >= JOB_CPU_GIVEN && measure <= JOB_NODE_WASTED) || (measure >= JOB_GPU_GIVEN && measure <= JOB_GPU_UNTOLD);
}

bool job_figures_need(enum job_measure measure)
{
	return measure == JOB_ELAPSED || measure == JOB_QUEUED || measure == JOB_OOM_KILLS || job_figures_add(measure);
}

enum job_figure job_figure_find(const char *name)
{
	for (enum job_figure figure = 0; figure < JOB_FIGURE_COUNT; figure++)
		if (strcmp(name, job_figure_names[figure]) == 0)
			return figure;
	return JOB_FIGURE_COUNT;
}

/* ---- for people ---- */

const char *job_count_text(double count, char text[HOURS_TEXT])
{
	char digits[HOURS_TEXT];
	size_t length, used = 0;

	if (count > 1e15)
		return strcpy(text, "> 1e15");
	snprintf(digits, sizeof(digits), "%.0f", count);
	length = strlen(digits);
	for (size_t i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			text[used++] = ',';
		text[used++] = digits[i];
	}
	text[used] = '\0';
	return text;
}

const char *job_hours_text(double hours, char text[HOURS_TEXT])
{
	if (isnan(hours))
		return strcpy(text, "-");
	if (hours >= 99.95)
		return job_count_text(hours, text);
	snprintf(text, HOURS_TEXT, "%.*f", hours < 9.995 ? 2 : 1, hours);
	return text;
}
