/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The timeline of a job as a picture of characters. */
#ifndef STINT_GANTT_H
#define STINT_GANTT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <json-c/json.h>

#include "collector/common/error.h"
#include "reports/terminal.h"

enum gantt_by {
	GANTT_BY_TOOL,
	GANTT_BY_STEP,
	GANTT_BY_PROCESS,
};

struct gantt_options {
	enum gantt_by by;
	int64_t from_us, to_us; /* since the job's start; below 0: its start, its end */
};

/*
 * Prints the timeline of @report, as report_load() took it: a row for each tool, step or process, node by
 * node, and what was used over time beneath. No control character of the report comes through.
 *
 * Returns 0; -1 with @err set when the part asked for is not in the job, or memory is short.
 */
int gantt_print(struct json_object *report, const struct gantt_options *gantt, const struct page_options *page,
		FILE *out, struct error *err);

#endif
