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
	GANTT_BY_CONTAINER,
};

struct gantt_options {
	enum gantt_by by;
	int64_t from_us, to_us; /* since the job's start; negative from_us: the job's start; negative to_us: its end */
};

/*
 * Prints the timeline of @report, with a row for each tool, step or process of a node.
 * Below the rows, prints what was used over time. Escapes the text of the report.
 *
 * Returns 0; -1 with @err set if the requested time is not within the job, or if out of memory.
 */
int gantt_print(const struct report *report, const struct gantt_options *gantt, const struct page_options *page,
		FILE *out, struct error *err);

/*
 * Reads a time relative to the job's start.
 * Forms: "[H:]M:S", or numbers with the units d, h, m, s or ms. A last number without unit is in seconds.
 *
 * Returns false, and leaves *@us unchanged, if @text is no time.
 */
bool relative_parse(const char *text, int64_t *us);

#endif
