/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws the timeline of a job with characters. */
#ifndef STINT_GANTT_H
#define STINT_GANTT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"
#include "reports/model/report.h"
#include "reports/terminal/terminal.h"

enum gantt_by {
	GANTT_BY_TOOL,
	GANTT_BY_STEP,
	GANTT_BY_PROCESS,
};

struct gantt_options {
	enum gantt_by by;
	int64_t from_us, to_us; /* since the job's start; if from_us is negative, the job's start; if to_us is negative, its end */
};

/*
 * Prints the timeline of @report node by node, with a row for each tool, step or process. Below the rows of a node,
 * prints what was used over time. Control characters in the report are escaped.
 *
 * Returns 0; -1 with @err set if the requested time is not within the job, or if out of memory.
 */
int gantt_print(const struct report *report, const struct gantt_options *gantt, const struct page_options *page,
		FILE *out, struct error *err);

/*
 * Reads a time relative to the job's start. The time is "[H:]M:S", or a sequence of numbers, each with the unit d, h,
 * m, s or ms. The last number needs no unit if it is in seconds.
 *
 * Returns false, and leaves *@us unchanged, if @text is not such a time.
 */
bool relative_parse(const char *text, int64_t *us);

#endif
