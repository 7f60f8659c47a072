/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says how much of its CPUs, memory, time and GPUs a job used, for all pages. */
#ifndef STINT_JOB_BARS_H
#define STINT_JOB_BARS_H

#include <stddef.h>

#include "reports/model/report.h"
#include "reports/rules/looks.h"
#include "reports/terminal/terminal.h"

#define JOB_BARS (LOOK_ATS + 1)
#define JOB_BAR_OF 128

struct job_bar {
	enum look_at at; /* LOOK_ATS: the GPUs, which no look judges */
	const char *label;
	double share;
	double more; /* the share at which a second, paler bar ends, for memory charged; 0 if there is no second bar */
	enum terminal_style style;
	char of[JOB_BAR_OF];
};

/* Fills a bar for each number that @report has. Returns how many. */
size_t job_bars(const struct report *report, struct job_bar bars[JOB_BARS]);

#endif
