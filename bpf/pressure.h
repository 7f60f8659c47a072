/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job as a whole waits for: of the time in which some thread waited, how much
 * was there no other that was on a CPU or runnable.
 *
 * The counts of busy and of waiting threads change by one atomic step each, and whoever brings one
 * from zero notes the time. It is read by a thread that is still counted itself, so
 * that nobody can begin another span meanwhile; the sums need no more care than that.
 */
#ifndef STINT_PRESSURE_H
#define STINT_PRESSURE_H

#include "bpf/member.h"

static __always_inline struct pressure *pressure_get(const struct thread *t)
{
	u32 slot = t->slot;
	struct pressure *p;

	if (!slot)
		return NULL;
	p = bpf_map_lookup_elem(&pressures, &slot);
	return p && p->job == t->job ? p : NULL;
}

static __always_inline u64 span(u64 began, u64 now)
{
	return began && now > began ? now - began : 0;
}

/* The time in which all that had threads waited is over: it is told of each kind of wait, and of the first one alone. */
static __always_inline void pressure_full_ended(struct pressure *p, u64 now)
{
	u64 full = span(p->full_since, now);
	bool told = false;

	p->full_since = 0;
	if (!full)
		return;
	for (int w = WAIT_MEMORY_STALL; w < WAITS; w++) {
		if (!(p->waiting[w] & PRESSURE_WAITING))
			continue;
		p->full_ns[w] += full;
		if (!told)
			p->bound_ns[w] += full;
		told = true;
	}
}

/* One thread more is busy. */
static __always_inline void pressure_busy(struct pressure *p, u64 now)
{
	u64 before = ADD(p->busy, 1);

	if (before >= p->busy_peak)
		p->busy_peak = before + 1;
	if (before == 0) {
		p->active_since = now;
		pressure_full_ended(p, now);
	} else if (before == 1) {
		p->parallel_since = now;
	}
}

/* One thread less is busy. */
static __always_inline void pressure_idle(struct pressure *p, u64 now)
{
	u64 active_since = *(volatile u64 *)&p->active_since;
	u64 parallel_since = *(volatile u64 *)&p->parallel_since;
	u64 before = ADD(p->busy, (u64)-1);

	if (before == 2) {
		ADD(p->parallel_ns, span(parallel_since, now));
	} else if (before == 1) {
		p->active_ns += span(active_since, now);
		p->full_since = now;
	}
}

/* One thread more waits, which is not busy, or will not be in a moment. */
static __always_inline void pressure_wait(struct pressure *p, u64 wait, u64 now)
{
	barrier_var(wait); /* the bound is to be of the very register that is used */
	if (wait >= WAITS)
		return;
	if ((ADD(p->waiting[wait], PRESSURE_WAIT + 1) & PRESSURE_WAITING) == 0)
		p->some_since[wait] = now;
}

static __always_inline void pressure_wait_ended(struct pressure *p, u64 wait, u64 now)
{
	u64 since;

	barrier_var(wait);
	if (wait >= WAITS)
		return;
	since = *(volatile u64 *)&p->some_since[wait];
	if ((ADD(p->waiting[wait], (u64)-1) & PRESSURE_WAITING) == 1)
		ADD(p->some_ns[wait], span(since, now));
}

/* A busy thread begins to wait. */
static __always_inline void pressure_sleep(struct pressure *p, u32 wait, u64 now)
{
	pressure_wait(p, wait, now);
	pressure_idle(p, now);
}

/* A waiting thread is busy again. */
static __always_inline void pressure_wake(struct pressure *p, u32 wait, u64 now)
{
	pressure_busy(p, now);
	pressure_wait_ended(p, wait, now);
}

#endif
