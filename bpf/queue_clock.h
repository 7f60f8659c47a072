/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CLOCK_MONOTONIC at switches and wake-ups, without reading a clock: the scheduler has just read its own for the run
 * queue. If that clock is steady (settings.steady_clock, which the collector sets), the two differ by a number that
 * changes slowly. The programs check this number once in a millisecond.
 *
 * This is also more exact: the kernel itself uses this time for the switch or the wake-up, in its CPU times and its
 * times on run queues. A clock that a program reads is late by the scheduler's work in between, which takes longer or
 * shorter at a switch than at a wake-up. With threads that take turns quickly, this error was a part of each wait
 * (system/truth-waits.bats).
 */
#ifndef STINT_QUEUE_CLOCK_H
#define STINT_QUEUE_CLOCK_H

#include "bpf/member.h"

#define RQCF_REQ_SKIP 0x01 /* kernel/sched/sched.h */

#define CLOCK_LOOK_NS 1000000
#define CLOCK_DRIFT_SHIFT 10 /* 1/1024 of the time that passed: clocks are steered by at most 500 ppm, which is half
	 * of that */
#define CLOCK_JUMP_NS 100000000 /* more than this: one of the clocks was set, for example after a suspend, or the look
	 * came very late */
#define CLOCK_SAME_NS 1000000 /* two looks that differ by less have found the same */

/* The clock of a CPU's run queue; the index is the CPU. */
struct clock {
	s64 ns; /* CLOCK_MONOTONIC less the run queue's clock */
	u64 at; /* the run queue's clock at that look; 0: not yet */
	u64 skip; /* the run queue's clock at the last wake-up that asked for a switch at once, of a job's thread */
	s64 found; /* the last look's ns, which is not believed yet; 0: none */
	u64 room[4]; /* fills the cache line, so that no two CPUs share one */
};

struct clocks_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, ABI_CPUS_MAX);
	__type(key, u32);
	__type(value, struct clock);
};
struct clocks_map clocks SEC(".maps");

/* The run queue of @task, or its last one; NULL if the kernel does not show it. */
static __always_inline struct rq *clock_rq(struct task_struct *task)
{
	return bpf_core_field_exists(task->se.cfs_rq->rq) ? task->se.cfs_rq->rq : NULL;
}

static __always_inline struct clock *clock_of(struct rq *rq)
{
	u32 cpu = rq->cpu;

	return bpf_map_lookup_elem(&clocks, &cpu);
}

/* Whether the look before also found @ns. */
static __always_inline bool clock_found_again(struct clock *c, s64 ns)
{
	s64 before = c->found;

	c->found = ns;
	return before && ns - before < CLOCK_SAME_NS && before - ns < CLOCK_SAME_NS;
}

/*
 * Looks at both clocks. The run queue's clock was read shortly before, sometimes a long moment (an interrupt, a
 * hypervisor that ran another guest): the difference is too large by that time. So the least difference counts, and it
 * may grow only as fast as the clocks can drift apart. The first difference, and one so much larger that a clock must
 * have been set, is believed when the next look finds it again. Until then no time in the future is returned. If the
 * run queue's clock is useless, no look is ever believed, and each time needs one.
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

/*
 * The time at which @task is woken. The scheduler has read the clock of its run queue for that. If the wake-up asked
 * for a switch, the scheduler does not read the clock again for the switch.
 */
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
 * The time of a switch from @task, which goes to @sleep or stays runnable, to @next. The run queue's clock can be as
 * old as the wake-up (of a job's thread or of @next) that asked for the switch, while @task continued. If @task goes to
 * sleep, its wait begins later than that, and this reads a clock. If it stays runnable, the old time is the right one:
 * from then on the kernel counts @task as runnable, and @next as on the CPU. But it cannot serve to compare the two
 * clocks.
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
