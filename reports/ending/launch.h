/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds what Slurm and its plugins did before the first task of a step began. For example, they import a container
 * image then.
 */
#ifndef STINT_LAUNCH_H
#define STINT_LAUNCH_H

#include "reports/model/report.h"

struct launch {
	double took_s;     /* in seconds; NAN if not known for any step */
	const char *step;  /* its id */
	/*
	 * The program that used the most CPU time, among those that Slurm or a plugin ran before the last of the job's
	 * steps began its tasks; NULL if none was seen
	 */
	const struct report_tool *tool;
};

/*
 * Finds the step of @report that took longest until its first task began. *@launch borrows from @report. Skips the
 * extern step, because it has no task of the user.
 */
void launch_longest(const struct report *report, struct launch *launch);

/*
 * Returns how long the first step of @report took until its first task began, in seconds. The job could do nothing in
 * that time. Returns 0 if not known.
 */
double launch_of_first(const struct report *report);

#endif
