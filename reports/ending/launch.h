/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm and its plugins did before the first task of a step began: a container image is imported then, for example. */
#ifndef STINT_LAUNCH_H
#define STINT_LAUNCH_H

#include "reports/model/report.h"

struct launch {
	double took_s;     /* NAN: of no step known */
	const char *step;  /* its id */
	/*
	 * Of the programs that Slurm or a plugin ran before the last of the job's steps began its tasks, the one that used most
	 * CPU time; NULL: none was seen
	 */
	const struct report_tool *tool;
};

/*
 * Finds the step of @report that took longest until its first task began. What *@launch refers to is @report's. The extern
 * step is not looked at: it has no task of the user.
 */
void launch_longest(const struct report *report, struct launch *launch);

/*
 * Returns how long that took for the first step of @report, in seconds: the job could do nothing in that time. 0: it is
 * not known.
 */
double launch_of_first(const struct report *report);

#endif
