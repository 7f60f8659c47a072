/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts what a job as a whole waits for.
 *
 * The thread that raises a count from zero stores the present time.
 * The thread that lowers the count to zero reads the stored time first.
 * So atomic counts are enough, and the sums need no other protection.
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

/* Adds the time to full_ns of each kind of wait that the job is in, but to bound_ns of only the first kind. */
static __always_inline void pressure_full_ended(struct pressure *p, u64 now)
{
	u64 full = span(p->full_since, now);
	bool bound = false;

	p->full_since = 0;
	if (!full)
		return;
	for (int w = WAIT_MEMORY_STALL; w < WAITS; w++) {
		if (!(p->waiting[w] & PRESSURE_WAITING))
			continue;
		p->full_ns[w] += full;
		if (!bound)
			p->bound_ns[w] += full;
		bound = true;
	}
}

/* @now may be too early, because the programs do not see every wake-up. */
static __always_inline void pressure_busy(struct pressure *p, u64 now)
{
	u64 before = ADD(p->busy, 1);

	if (before >= p->busy_peak)
		p->busy_peak = before + 1;
	if (before == 0) {
		if (now < p->full_since)
			now = p->full_since;
		p->active_since = now;
		pressure_full_ended(p, now);
	} else if (before == 1) {
		p->parallel_since = now < p->parallel_until ? p->parallel_until : now;
	}
}

static __always_inline void pressure_idle(struct pressure *p, u64 now)
{
	u64 active_since = *(volatile u64 *)&p->active_since;
	u64 parallel_since = *(volatile u64 *)&p->parallel_since;
	u64 before = ADD(p->busy, (u64)-1);

	if (before == 2) {
		ADD(p->parallel_ns, span(parallel_since, now));
		p->parallel_until = now;
	} else if (before == 1) {
		p->active_ns += span(active_since, now);
		p->full_since = now;
	}
}

/* Call this after each PRESSURE_MARK waits of one kind. Wakes the collector if the last call was recent. */
static __noinline void pressure_mark(struct pressure *p, u64 now)
{
	struct settings *s = settings_get();

	if (!p || !s)
		return;
	if (p->marked_ns && now - p->marked_ns < s->rush_ns)
		ask(p->job, EVENT_RUSH);
	p->marked_ns = now;
}

static __always_inline void pressure_wait(struct pressure *p, u64 wait, u64 now)
{
	u64 before;

	barrier_var(wait); /* for the verifier */
	if (wait >= WAITS)
		return;
	before = ADD(p->waiting[wait], PRESSURE_WAIT + 1);
	if ((before & PRESSURE_WAITING) == 0)
		p->some_since[wait] = now;
	if ((before / PRESSURE_WAIT) % PRESSURE_MARK == PRESSURE_MARK - 1)
		pressure_mark(p, now);
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

static __always_inline void pressure_sleep(struct pressure *p, u32 wait, u64 now)
{
	pressure_wait(p, wait, now);
	pressure_idle(p, now);
}

static __always_inline void pressure_wake(struct pressure *p, u32 wait, u64 now)
{
	pressure_busy(p, now);
	pressure_wait_ended(p, wait, now);
}

#endif
