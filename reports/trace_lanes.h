/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes of a trace: in each, one thing after the other. */
#ifndef STINT_TRACE_LANES_H
#define STINT_TRACE_LANES_H

#include "reports/spans.h"

#define LANES_PID_MAX 4194304 /* no process has a higher id (PID_MAX_LIMIT) */

struct lane {
	int64_t id;     /* a process' pid, or above LANES_PID_MAX */
	size_t last;    /* index of its last span */
	int64_t end_us; /* of what is in it */
	bool process;   /* of one process; else of bursts, and of what was never told apart */
};

struct place { /* of a span */
	size_t lane;
	int64_t start_us, length_us; /* as drawn */
};

struct lanes {
	struct lane *list; /* by node, processes before the others */
	size_t count;
	struct place *places; /* one a span */
};

/*
 * Gives each of @spans a place in @lanes, so that those in one lane do not overlap.
 *
 * Returns 0; -1 with @err set when memory is short. Either way lanes_free() it.
 */
int lanes_make(struct lanes *lanes, const struct spans *spans, struct error *err);

void lanes_free(struct lanes *lanes);

#endif
