/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pictures of the summary's page: what was used of what was given, week by week and by the size of jobs. */
#ifndef STINT_JOB_CHARTS_H
#define STINT_JOB_CHARTS_H

#include <stdio.h>

#include "reports/site/job_groups.h"

/*
 * Prints a bar for each week from the first to the last: core-hours used, wasted, and those of which that is not known.
 * Only the last two years are drawn. It leads to @target, the id of the table.
 *
 * @groups: by week
 */
void job_chart_weeks(const struct job_groups *groups, const char *target, FILE *out);

/*
 * Prints a field for each size of jobs, as wide as its core-hours, and filled as far as these were used. It leads to
 * @target.
 *
 * @groups: by size
 */
void job_chart_sizes(const struct job_groups *groups, const char *target, FILE *out);

#endif
