/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The charts on the summary's page for browsers: how much of the CPU time was used, by week and by job size. */
#ifndef STINT_JOB_CHARTS_H
#define STINT_JOB_CHARTS_H

#include <stdio.h>

#include "reports/site/job_groups.h"

/*
 * Prints a bar for each of the last weeks, at most two years: core-hours used, wasted, and of unknown use.
 * The chart links to the table with the HTML id @target.
 *
 * @groups: by week
 */
void job_chart_weeks(const struct job_groups *groups, const char *target, FILE *out);

/*
 * Prints a field for each job size. Its width shows the core-hours given, its filled part the core-hours used.
 * The chart links to the table with the HTML id @target.
 *
 * @groups: by size
 */
void job_chart_sizes(const struct job_groups *groups, const char *target, FILE *out);

#endif
