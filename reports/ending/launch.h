/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds how long Slurm and its plugins worked before the first task of a step.
 * For example, a plugin may import a container image.
 */
#ifndef STINT_LAUNCH_H
#define STINT_LAUNCH_H

#include "reports/model/report.h"

struct launch {
	double took_s;     /* seconds; NAN if unknown for any step */
	const char *step;  /* id of the step that took longest */
	/*
	 * The program of Slurm or its plugins with the most CPU time before the last step's tasks began.
	 * NULL if there was no such program.
	 */
	const struct report_tool *tool;
};

/*
 * Finds the step that took longest until its first task began. @launch borrows from @report.
 * The extern step does not count, because it has no task of the user.
 */
void launch_longest(const struct report *report, struct launch *launch);

/* Returns the seconds until the first task of the first step began; 0 if unknown. */
double launch_of_first(const struct report *report);

#endif
