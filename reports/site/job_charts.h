/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws the charts of the summary's page, which show how much of the allocated CPU time was used, by week and by job
 * size.
 */
#ifndef STINT_JOB_CHARTS_H
#define STINT_JOB_CHARTS_H

#include <stdio.h>

#include "reports/site/job_groups.h"

/*
 * Prints a bar for each week from the first to the last, but at most for the last two years. A bar shows the
 * core-hours used, the core-hours wasted, and the core-hours whose use is not known. The chart links to @target, the
 * id of the table.
 *
 * @groups: must be groups by week
 */
void job_chart_weeks(const struct job_groups *groups, const char *target, FILE *out);

/*
 * Prints a field for each job size. The width of a field shows its core-hours, and the filled part shows how many of
 * these were used. The chart links to @target, the id of the table.
 *
 * @groups: must be groups by size
 */
void job_chart_sizes(const struct job_groups *groups, const char *target, FILE *out);

#endif
