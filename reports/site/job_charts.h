/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The charts of the summary's page: how much of the allocated CPU time was used, by week and by job size. */
#ifndef STINT_JOB_CHARTS_H
#define STINT_JOB_CHARTS_H

#include <stdio.h>

#include "reports/site/job_groups.h"

/*
 * Prints a bar for each week from the first to the last: core-hours used, core-hours wasted, and core-hours whose use is not known.
 * Only the last two years are drawn. The chart links to @target, the id of the table.
 *
 * @groups: by week
 */
void job_chart_weeks(const struct job_groups *groups, const char *target, FILE *out);

/*
 * Prints a field for each job size. Its width shows the core-hours, and its filled part shows how much of them was used. The chart
 * links to @target.
 *
 * @groups: by size
 */
void job_chart_sizes(const struct job_groups *groups, const char *target, FILE *out);

#endif
