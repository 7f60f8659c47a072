/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assigns the events of a trace to lanes. Events of a lane never overlap. */
#ifndef STINT_TRACE_LANES_H
#define STINT_TRACE_LANES_H

#include "reports/timeline/spans.h"

#define LANES_PID_MAX 4194304 /* the kernel's PID_MAX_LIMIT */

struct lane {
	int64_t id;     /* a process's pid, or a number above LANES_PID_MAX */
	size_t last;    /* index of its last span */
	int64_t end_us; /* when its last event ends */
	bool process;   /* else a lane of bursts, and of runs without a pid */
};

struct place { /* where a span is drawn */
	size_t lane;
	int64_t start_us, length_us;
};

struct lanes {
	struct lane *list; /* sorted by node, then processes before all other lanes */
	size_t count;
	struct place *places; /* one for each span */
};

/*
 * Gives each of @spans a place, so that spans of one lane do not overlap.
 *
 * Returns 0; -1 with @err set if out of memory. Call lanes_free() in both cases.
 */
int lanes_make(struct lanes *lanes, const struct spans *spans, struct error *err);

void lanes_free(struct lanes *lanes);

#endif
