/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Says how much of its allocation a job used, in the way that all pages show it. Each bar has a share, how good that
 * share is, and the amount that was allocated.
 */
#ifndef STINT_JOB_BARS_H
#define STINT_JOB_BARS_H

#include <stddef.h>

#include "reports/model/report.h"
#include "reports/rules/looks.h"
#include "reports/terminal/terminal.h"

#define JOB_BARS LOOK_ATS /* CPU, memory, time */
#define JOB_BAR_OF 128

struct job_bar {
	enum look_at at;
	const char *label;
	double share;
	double more; /* the share at which the paler part of the bar ends. This part shows the memory charged, which
		      * includes the page cache. 0 if there is none */
	enum terminal_style style;
	char of[JOB_BAR_OF]; /* "2 CPUs" */
};

/* Fills those bars in @bars for which @report has the numbers. Returns how many bars are filled. */
size_t job_bars(const struct report *report, struct job_bar bars[JOB_BARS]);

#endif
