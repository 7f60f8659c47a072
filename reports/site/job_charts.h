/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws the charts on the summary's page for browsers. The charts show how much of the allocated CPU
 * time was used, by week and by job size.
 */
#ifndef STINT_JOB_CHARTS_H
#define STINT_JOB_CHARTS_H

#include <stdio.h>

#include "reports/site/job_groups.h"

/*
 * Prints a bar for each week from the first week to the last one. If there are more than two years,
 * prints only the last two. A bar shows the core-hours used, the core-hours wasted, and the core-hours
 * whose use is not known. The chart links to the table whose HTML id is @target.
 *
 * @groups: must be groups by week
 */
void job_chart_weeks(const struct job_groups *groups, const char *target, FILE *out);

/*
 * Prints a field for each job size. The width of the field shows how many core-hours the jobs of that
 * size were given. The filled part of the field shows how many of these core-hours were used. The
 * chart links to the table whose HTML id is @target.
 *
 * @groups: must be groups by size
 */
void job_chart_sizes(const struct job_groups *groups, const char *target, FILE *out);

#endif
