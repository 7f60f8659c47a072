/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the figures of a group of jobs, for all forms of output. */
#ifndef STINT_JOB_FIGURES_H
#define STINT_JOB_FIGURES_H

#include "reports/site/job_group.h"

/*
 * X(enum, name): the figures. Names are fields of JSON and CSV, and values of --sort.
 * The causes of waste are in the order of JOB_MEASURES().
 */
#define JOB_FIGURES(X)                                   \
	X(JOBS, "jobs")                                  \
	X(CORE_H_GIVEN, "core_hours_given")              \
	X(CORE_H_USED, "core_hours_used")                \
	X(CORE_H_WASTED, "core_hours_wasted")            \
	X(CPU_EFF, "cpu_efficiency")                     \
	X(CPU_EFF_MEDIAN, "cpu_efficiency_median")       \
	X(CPU_EFF_Q1, "cpu_efficiency_lower_quartile")   \
	X(CPU_EFF_Q3, "cpu_efficiency_upper_quartile")   \
	X(WASTED_FAILED, "core_hours_failed")            \
	X(WASTED_TIMEOUT, "core_hours_time_limit")       \
	X(WASTED_FILES, "core_hours_files")              \
	X(WASTED_WAITS, "core_hours_waits")              \
	X(WASTED_IDLE, "core_hours_idle")                \
	X(WASTED_SERIAL, "core_hours_serial")            \
	X(WASTED_KEPT, "core_hours_no_cpu")              \
	X(WASTED_SPARE, "core_hours_spare")              \
	X(WASTED_UNCLEAR, "core_hours_unclear")          \
	X(CORE_H_LOST, "core_hours_used_for_nothing")    \
	X(GIB_H_GIVEN, "gib_hours_given")                \
	X(GIB_H_USED, "gib_hours_used")                  \
	X(GIB_H_WASTED, "gib_hours_wasted")              \
	X(MEM_EFF, "memory_efficiency")                  \
	X(MEM_EFF_MEDIAN, "memory_efficiency_median")    \
	X(MEM_EFF_Q1, "memory_efficiency_lower_quartile") \
	X(MEM_EFF_Q3, "memory_efficiency_upper_quartile") \
	X(MEMORY_FAILED, "gib_hours_failed")             \
	X(MEMORY_TIMEOUT, "gib_hours_time_limit")        \
	X(MEMORY_MARGIN, "gib_hours_margin")             \
	X(MEMORY_RESERVED, "gib_hours_reserved")         \
	X(NODE_H_GIVEN, "node_hours_given")              \
	X(NODE_H_WASTED, "node_hours_wasted")            \
	X(GPU_H_GIVEN, "gpu_hours_given")                \
	X(GPU_H_BUSY, "gpu_hours_busy")                  \
	X(GPU_H_WASTED, "gpu_hours_wasted")              \
	X(GPU_H_UNKNOWN, "gpu_hours_unknown")            \
	X(GPU_EFF, "gpu_efficiency")                     \
	X(COMPLETED, "completed")                        \
	X(FAILED, "failed")                              \
	X(OOM, "out_of_memory")                          \
	X(TIMEOUT, "timed_out")                          \
	X(CANCELLED, "cancelled")                        \
	X(NODE_FAIL, "node_failed")                      \
	X(REQUEUED, "requeued")                          \
	X(SHORT, "short")                                \
	X(COMPLETE, "counted_whole")                     \
	X(COVERAGE, "coverage")                          \
	X(ELAPSED_MEDIAN, "elapsed_median_s")            \
	X(QUEUED_MEDIAN, "queued_median_s")              \
	X(TOOL_RUNS, "tool_runs")                        \
	X(TOOL_FAILURES, "tool_failures")                \
	X(TOOL_CPU_H, "tool_core_hours")

enum job_figure {
#define JOB_FIGURE_ENUM(figure, name) FIGURE_##figure,
	JOB_FIGURES(JOB_FIGURE_ENUM)
#undef JOB_FIGURE_ENUM
	JOB_FIGURE_COUNT
};

extern const char *const job_figure_names[JOB_FIGURE_COUNT];

/*
 * The causes of waste, with names for people: names[FIGURE_WASTED_IDLE - FIGURE_WASTED_FAILED] is the name of
 * FIGURE_WASTED_IDLE.
 */
#define JOB_CAUSES (FIGURE_WASTED_UNCLEAR - FIGURE_WASTED_FAILED + 1)
#define JOB_MEMORY_CAUSES (FIGURE_MEMORY_RESERVED - FIGURE_MEMORY_FAILED + 1)

struct job_causes {
	const char *head;
	enum job_figure all; /* the sum over all causes */
	enum job_figure first; /* the first cause; the others follow it */
	size_t count;
	const char *const *names;
};

extern const struct job_causes job_cpu_causes, job_memory_causes;

/* Returns a figure, in the unit that its name says. Shares are from 0 to 1. Returns NAN if no job has the figure. */
double job_figure(const struct job_group *group, enum job_figure figure);

/*
 * job_figures_need(): whether a figure needs @measure of each job. job_figures_add(): whether a figure needs the sum of
 * @measure.
 */
bool job_figures_need(enum job_measure measure);
bool job_figures_add(enum job_measure measure);

/* Returns the figure called @name; JOB_FIGURE_COUNT if there is no such figure. */
enum job_figure job_figure_find(const char *name);

/* For people: "0.12", "45.3", "1,234". Returns @text. */
#define HOURS_TEXT 40
const char *job_hours_text(double hours, char text[HOURS_TEXT]);

/* For people: "12", "1,234". Returns @text. */
const char *job_count_text(double count, char text[HOURS_TEXT]);

#endif
