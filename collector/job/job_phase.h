/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state machine of a job, from its first message until stintd forgets the job. stintd can forget a job in any
 * phase.
 *
 *   JOB_OPEN --closes--> JOB_ENDING --builder starts--> JOB_BUILDING --record is kept--> (forgotten)
 *                            ^                             |    ^
 *                            +------- keeper fails --------+    | builder starts
 *                                                          |    |
 *                                          builder fails   +-> JOB_HELD
 *
 * The journal shows the phase, too: it has a file of the job's close in all phases except JOB_OPEN. A builder does not
 * outlive its stintd, so the next stintd starts such a job in JOB_ENDING.
 */
#ifndef STINT_JOB_PHASE_H
#define STINT_JOB_PHASE_H

enum job_phase {
	JOB_OPEN,     /* the job's steps begin and end, and are counted */
	/*
	 * The job has left the node; its last processes may be ending, or its record waits for a builder (keeper or
	 * child).
	 */
	JOB_ENDING,
	JOB_BUILDING, /* the keeper or the job's own child is building the record */
	JOB_HELD,     /* the record could not be written: the kernel programs keep the counts until the next attempt */
	JOB_PHASES
};

enum job_event {
	JOB_CLOSES,         /* its CONTROL_JOB_CLOSE */
	JOB_BUILDER_STARTS, /* the keeper has received the record, or a child was forked to build it */
	/*
	 * The keeper could not write the record to the spool, or has ended, so a separate child will build the record.
	 */
	JOB_KEEPER_FAILS,
	JOB_BUILDER_FAILS,  /* the child could neither write the record to the spool nor get the report written */
	JOB_EVENTS
};

/* Returns the phase that follows @phase when @event comes. Returns JOB_PHASES if @phase does not expect @event. */
enum job_phase job_phase_next(enum job_phase phase, enum job_event event);

/* Return the name of a phase or of an event, for the log. */
const char *job_phase_name(enum job_phase phase);
const char *job_event_name(enum job_event event);

#endif
