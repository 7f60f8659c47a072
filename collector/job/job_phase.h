/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The phases of a job. stintd can forget a job in any phase.
 *
 *   JOB_OPEN --closes--> JOB_ENDING --builder starts--> JOB_BUILDING --record is kept--> (forgotten)
 *                            ^                             |    ^
 *                            +------- keeper fails --------+    | builder starts
 *                                                          |    |
 *                                          builder fails   +-> JOB_HELD
 *
 * The journal has the end of the job in all phases except JOB_OPEN. A builder does not outlive stintd, so the next
 * stintd puts the job into JOB_ENDING.
 */
#ifndef STINT_JOB_PHASE_H
#define STINT_JOB_PHASE_H

enum job_phase {
	JOB_OPEN,     /* steps begin and end, and are counted */
	/* The job has left the node. It waits for its last processes, or for a builder. */
	JOB_ENDING,
	JOB_BUILDING, /* the record is being built */
	JOB_HELD,     /* waits until stintd tries again; the maps keep the counts */
	JOB_PHASES
};

enum job_event {
	JOB_CLOSES,         /* its CONTROL_JOB_CLOSE */
	JOB_BUILDER_STARTS, /* a keeper or child has the job */
	/* The keeper failed, so a child will build the record. */
	JOB_KEEPER_FAILS,
	JOB_BUILDER_FAILS,  /* the child wrote neither record nor report */
	JOB_EVENTS
};

/* Returns the next phase; JOB_PHASES if @phase does not expect @event. */
enum job_phase job_phase_next(enum job_phase phase, enum job_event event);

/* Return the name for the log. */
const char *job_phase_name(enum job_phase phase);
const char *job_event_name(enum job_event event);

#endif
