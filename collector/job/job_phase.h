/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state machine of a job, from its first message until stintd forgets it. It can be forgotten in any phase.
 *
 *   JOB_OPEN --closes--> JOB_ENDING --builder starts--> JOB_BUILDING --record is kept--> (forgotten)
 *                            ^                             |    ^
 *                            +------- keeper fails --------+    | builder starts
 *                                                          |    |
 *                                          builder fails   +-> JOB_HELD
 *
 * The journal shows the phase, too: it has a file of the job's close in all phases except JOB_OPEN. A builder does not
 * outlive its stintd, so the next one begins with JOB_ENDING.
 */
#ifndef STINT_JOB_PHASE_H
#define STINT_JOB_PHASE_H

enum job_phase {
	JOB_OPEN,     /* its steps come and go, and are counted */
	JOB_ENDING,   /* it has left the node; its last processes may be ending, or its record waits for a builder */
	JOB_BUILDING, /* the keeper or the job's own child builds its record */
	JOB_HELD,     /* that failed: its counts stay in the kernel's memory, and the next builder comes later */
	JOB_PHASES
};

enum job_event {
	JOB_CLOSES,         /* its CONTROL_JOB_CLOSE */
	JOB_BUILDER_STARTS, /* the keeper has its record, or a child was forked for it */
	JOB_KEEPER_FAILS,   /* the keeper could not keep the record, or has ended: the job's own child will build it */
	JOB_BUILDER_FAILS,  /* its child could neither keep the record nor have the report written */
	JOB_EVENTS
};

/* Returns the phase that follows @phase when @event comes; JOB_PHASES: it is not expected there. */
enum job_phase job_phase_next(enum job_phase phase, enum job_event event);

/* The names of both, for the log. */
const char *job_phase_name(enum job_phase phase);
const char *job_event_name(enum job_event event);

#endif
