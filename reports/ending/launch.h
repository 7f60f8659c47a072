/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds how long Slurm and its plugins worked before the first task of a step began. For example, they may import a
 * container image in that time.
 */
#ifndef STINT_LAUNCH_H
#define STINT_LAUNCH_H

#include "reports/model/report.h"

struct launch {
	double took_s;     /* how long that took, in seconds; NAN if it is not known for any step */
	const char *step;  /* id of the step that took longest */
	/*
	 * The program that used the most CPU time before the last step of the job began its tasks. Only programs that
	 * Slurm or a plugin ran are compared. NULL if there was none.
	 */
	const struct report_tool *tool;
};

/*
 * Finds the step of @report that took longest until its first task began. The members of @launch borrow from @report.
 * Skips the extern step, because it has no task of the user.
 */
void launch_longest(const struct report *report, struct launch *launch);

/*
 * Returns how many seconds the first step of @report took until its first task began. The job could do nothing in
 * that time. Returns 0 if the time is not known.
 */
double launch_of_first(const struct report *report);

#endif
