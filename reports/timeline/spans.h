/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report's timeline for the picture and the trace: all times are on one clock, and nodes are numbers. */
#ifndef STINT_SPANS_H
#define STINT_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "reports/model/report.h"

struct span {
	int64_t start_us, end_us; /* since 1970 UTC; the report has milliseconds */
	int64_t wall_us;          /* exact; for a burst the sum over its runs */
	int64_t count;            /* above 1: a burst of that many runs */
	int64_t failures;         /* failed runs; the end of a fork, or of a run that its parent ended, does not count */
	int64_t pid;     /* -1: not in the report, for example for a burst */
	double cpu_s;    /* NAN: not known */
	size_t node;     /* index into nodes */
	bool slurm;      /* whether it belongs to one of Slurm's own tools */
	bool living;     /* it still runs: its end is now */
	bool forked;     /* processes that ran their parent's image; they do not count as runs */
	bool open;       /* its end is not known: end_us is the job's end */
	const char *tool, *interpreter, *step; /* not owned; interpreter and step are "" if not known */
	const struct report_entry *entry;      /* in the report; not owned */
};

struct spans {
	struct span *list; /* sorted by start, as in the report */
	size_t count;
	const char **nodes; /* the report's nodes, in its order, then others that only its timeline or series name */
	size_t node_count;
	int64_t start_us, end_us; /* the job's; extended if its processes or samples go beyond it */
};

/*
 * Fills @spans from @report, which must outlive them. Entries without a readable start are left out.
 *
 * Returns 0; -1 with @err set if memory is short. Call spans_free() in both cases.
 */
int spans_read(struct spans *spans, const struct report *report, struct error *err);

void spans_free(struct spans *spans);

/*
 * Returns the index of the node @name; -1: there is none.
 */
int64_t spans_node(const struct spans *spans, const char *name);

/*
 * Returns whether the span's tool has the name and interpreter of @tool.
 */
bool span_is_of(const struct span *span, const struct report_tool *tool);

#endif
