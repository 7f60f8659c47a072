/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds CLOCK_MONOTONIC at switches and wake-ups without reading a clock.
 *
 * The scheduler has just read the run queue's clock. If that clock is steady (settings.steady_clock), its difference
 * from CLOCK_MONOTONIC changes slowly. The scheduler's time is also more exact than the time at which a program could
 * read a clock (system/truth-waits.bats).
 */
#ifndef STINT_QUEUE_CLOCK_H
#define STINT_QUEUE_CLOCK_H

#include "bpf/member.h"

#define RQCF_REQ_SKIP 0x01 /* kernel/sched/sched.h */

#define CLOCK_LOOK_NS 1000000
/* clocks are corrected by at most 500 ppm; 1 / 2^10 is about twice as much */
#define CLOCK_DRIFT_SHIFT 10
/* A larger jump shows that a clock was set, or that the comparison came late. */
#define CLOCK_JUMP_NS 100000000
#define CLOCK_SAME_NS 1000000

/* The clock of a CPU's run queue. "at" and "skip" are times of that clock. */
struct clock {
	s64 ns; /* CLOCK_MONOTONIC minus the run queue's clock */
	u64 at; /* when ns was found; 0: not yet */
	u64 skip; /* time of the last wake-up with RQCF_REQ_SKIP */
	s64 found; /* last result, not used yet; 0: none */
	u64 room[4]; /* fills the cache line */
};

struct clocks_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, ABI_CPUS_MAX);
	__type(key, u32);
	__type(value, struct clock);
};
struct clocks_map clocks SEC(".maps");

/* Returns NULL if the kernel's types do not show the run queue. */
static __always_inline struct rq *clock_rq(struct task_struct *task)
{
	return bpf_core_field_exists(task->se.cfs_rq->rq) ? task->se.cfs_rq->rq : NULL;
}

static __always_inline struct clock *clock_of(struct rq *rq)
{
	u32 cpu = rq->cpu;

	return bpf_map_lookup_elem(&clocks, &cpu);
}

static __always_inline bool clock_found_again(struct clock *c, s64 ns)
{
	s64 before = c->found;

	c->found = ns;
	return before && ns - before < CLOCK_SAME_NS && before - ns < CLOCK_SAME_NS;
}

/*
 * Compares the run queue's clock with CLOCK_MONOTONIC, and returns CLOCK_MONOTONIC.
 *
 * The run queue's clock can be old. The difference is then too large.
 * So the smallest difference is kept. This difference may grow only as fast as clocks drift.
 *
 * A first or very different result counts only if the next comparison confirms it.
 */
static __noinline u64 clock_look(struct clock *c, u64 clock)
{
	u64 now = bpf_ktime_get_ns(), drift;
	struct settings *s = settings_get();
	s64 ns = now - clock, most;

	if (!c || !s || !s->steady_clock)
		return now;
	drift = (clock - c->at) >> CLOCK_DRIFT_SHIFT;
	most = c->ns + (drift < CLOCK_SAME_NS ? drift : CLOCK_SAME_NS);
	if (!c->at || ns - most >= CLOCK_JUMP_NS) {
		if (!clock_found_again(c, ns))
			return now;
	} else if (ns > most) {
		ns = most;
	}
	c->ns = ns;
	c->at = clock;
	return clock + ns;
}

static __always_inline bool clock_look_due(const struct clock *c, u64 clock)
{
	return clock - c->at > CLOCK_LOOK_NS;
}

static __always_inline u64 clock_monotonic(struct clock *c, u64 clock)
{
	return clock_look_due(c, clock) ? clock_look(c, clock) : clock + c->ns;
}

/* Returns when @task is woken, by the run queue's clock. */
static __always_inline u64 clock_at_wakeup(struct task_struct *task)
{
	struct rq *rq = clock_rq(task);
	struct clock *c = rq ? clock_of(rq) : NULL;
	u64 clock;

	if (!c)
		return bpf_ktime_get_ns();
	clock = rq->clock;
	if (rq->clock_update_flags & RQCF_REQ_SKIP)
		c->skip = clock;
	return clock_monotonic(c, clock);
}

/*
 * Returns the time of a switch from @task to @next.
 *
 * @sleep: @task goes to sleep; otherwise it remains runnable
 *
 * The run queue's clock can be as old as the wake-up that asked for the switch, but a sleep begins after this wake-up.
 */
static __always_inline u64 clock_at_switch(struct task_struct *task, struct task_struct *next, bool sleep)
{
	struct rq *rq = clock_rq(task);
	struct clock *c = rq ? clock_of(rq) : NULL;
	u64 clock;

	if (!c)
		return bpf_ktime_get_ns();
	clock = rq->clock;
	if ((sleep || clock_look_due(c, clock)) && (clock == c->skip || clock == next->sched_info.last_queued))
		return bpf_ktime_get_ns();
	return clock_monotonic(c, clock);
}

#endif
