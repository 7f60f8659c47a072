/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report's timeline as it is drawn and traced: times on one clock, nodes by number. */
#ifndef STINT_SPANS_H
#define STINT_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "collector/common/error.h"

struct span {
	int64_t start_us, end_us; /* since 1970 UTC; the report tells them to the millisecond */
	int64_t wall_us;          /* exact; of a burst the sum over its runs */
	int64_t count;            /* above 1: a burst of that many runs */
	int64_t failures;
	int64_t pid;     /* -1: not told, as of a burst */
	double cpu_s;    /* below 0: not known */
	size_t node;     /* index into the nodes */
	bool slurm;      /* of a tool of Slurm's own */
	bool open;       /* its end is not known: it is the job's */
	const char *tool, *interpreter, *step; /* borrowed; interpreter and step "" when not told */
	struct json_object *entry;             /* as the report has it; borrowed */
};

struct spans {
	struct span *list; /* by start, as the report has them */
	size_t count;
	const char **nodes; /* those of the report, in its order, then others that its timeline or series names */
	size_t node_count;
	int64_t start_us, end_us; /* the job's, or what its processes and samples go beyond that */
};

/*
 * Fills @spans from @report, as report_load() took it, which must outlive them. What has no start
 * that can be read is left out.
 *
 * Returns 0; -1 with @err set when memory is short. Either way spans_free() it.
 */
int spans_read(struct spans *spans, struct json_object *report, struct error *err);

void spans_free(struct spans *spans);

/*
 * Returns the index of the node @name, or -1 when there is none.
 */
int64_t spans_node(const struct spans *spans, const char *name);

#endif
