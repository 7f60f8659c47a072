/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the report's timeline for the picture and the trace.
 * All times are on one clock, and nodes are numbers.
 */
#ifndef STINT_SPANS_H
#define STINT_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/model/report.h"

struct span {
	int64_t start_us, end_us; /* microseconds since 1970 UTC, exact to a millisecond */
	int64_t wall_us;          /* exact length of the run; for a burst, the sum of its runs */
	int64_t count;            /* more than 1: a burst of that many runs */
	int64_t failures;         /* number of failed runs; forks, and runs that their parent ended, do not count */
	int64_t pid;     /* -1 if unknown, as for a burst */
	double cpu_s;    /* NAN: not known */
	size_t node;     /* index into nodes */
	bool slurm;      /* the span belongs to Slurm's own tools */
	bool living;     /* the run still goes on; its end is now */
	bool forked;     /* the process never ran an image of its own; not counted as a run */
	bool open;       /* the end is not known; end_us is the job's end */
	const char *tool, *interpreter, *step; /* borrowed; interpreter and step are "" if unknown */
	const struct report_entry *entry;      /* borrowed */
};

struct spans {
	struct span *list; /* sorted by start, as in the report */
	size_t count;
	const char **nodes; /* the report's nodes in order, then nodes that are only in its timeline or series */
	size_t node_count;
	int64_t start_us, end_us; /* the job's start and end, extended to include all processes and samples */
};

/*
 * Fills @spans from @report. Leaves out entries without a readable start.
 * @report must outlive @spans.
 *
 * Returns 0; -1 with @err set if out of memory. Call spans_free() in both cases.
 */
int spans_read(struct spans *spans, const struct report *report, struct error *err);

void spans_free(struct spans *spans);

/* Returns the index of node @name; -1 if there is none. */
int64_t spans_node(const struct spans *spans, const char *name);

/* Returns whether the span's tool has the name and interpreter of @tool. */
bool span_is_of(const struct span *span, const struct report_tool *tool);

#endif
