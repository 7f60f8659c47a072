/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The timeline of a job, drawn with characters. */
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
	int64_t from_us, to_us; /* relative to the job's start; if negative, the job's start and its end */
};

/*
 * Prints the timeline of @report: node by node, a row for each tool, step or process. Below them, prints what was
 * used over time. No control character of the report gets through.
 *
 * Returns 0; -1 with @err set if the requested part is not within the job, or memory is short.
 */
int gantt_print(const struct report *report, const struct gantt_options *gantt, const struct page_options *page,
		FILE *out, struct error *err);

/*
 * Reads a time relative to the job's start: numbers with the units d, h, m, s, ms, or seconds without a unit; or
 * [H:]M:S.
 *
 * Returns false, and leaves *@us unchanged, if @text is not such a time.
 */
bool relative_parse(const char *text, int64_t *us);

#endif
