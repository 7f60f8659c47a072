/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes of a trace: the events in a lane never overlap. */
#ifndef STINT_TRACE_LANES_H
#define STINT_TRACE_LANES_H

#include "reports/timeline/spans.h"

#define LANES_PID_MAX 4194304 /* highest pid that the kernel gives (PID_MAX_LIMIT) */

struct lane {
	int64_t id;     /* a process' pid, or above LANES_PID_MAX */
	size_t last;    /* index of its last span */
	int64_t end_us; /* when its last event ends */
	bool process;   /* a process' lane; else it has bursts, and runs without a pid */
};

struct place { /* the position at which a span is drawn */
	size_t lane;
	int64_t start_us, length_us; /* as drawn */
};

struct lanes {
	struct lane *list; /* sorted by node, processes before the others */
	size_t count;
	struct place *places; /* one for each span */
};

/*
 * Gives each of @spans a place in @lanes, so that spans in one lane do not overlap.
 *
 * Returns 0; -1 with @err set if memory is short. Call lanes_free() in both cases.
 */
int lanes_make(struct lanes *lanes, const struct spans *spans, struct error *err);

void lanes_free(struct lanes *lanes);

#endif
