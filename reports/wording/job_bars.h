/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job used of its allocation, as all pages show it: a share, how good that share is, and the amount that it is a share of. */
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
	double more; /* the paler part ends at this share: memory with the page cache; 0: there is none */
	enum terminal_style style;
	char of[JOB_BAR_OF]; /* "2 CPUs" */
};

/*
 * Fills @bars with those bars that @report has the numbers for. Returns how many.
 */
size_t job_bars(const struct report *report, struct job_bar bars[JOB_BARS]);

#endif
