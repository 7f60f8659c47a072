/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds CLOCK_MONOTONIC at switches and wake-ups without reading a clock, because the scheduler has just read the clock
 * of the run queue. If that clock is steady (settings.steady_clock, which the collector sets), it differs from
 * CLOCK_MONOTONIC by a number that changes slowly. The programs check this number once in a millisecond.
 *
 * This is also more exact than reading a clock. The kernel itself uses the run queue's clock as the time of the switch
 * or the wake-up, for its CPU times and its times on run queues. A clock that a program reads is late by the work that
 * the scheduler did meanwhile. That work takes more or less time at a switch than at a wake-up. For threads that take
 * turns quickly, this error was a part of each wait (system/truth-waits.bats).
 */
#ifndef STINT_QUEUE_CLOCK_H
#define STINT_QUEUE_CLOCK_H

#include "bpf/member.h"

#define RQCF_REQ_SKIP 0x01 /* kernel/sched/sched.h */

#define CLOCK_LOOK_NS 1000000
/* 1/1024 of the time that has passed, which is twice the 500 ppm by which clocks are steered at most */
#define CLOCK_DRIFT_SHIFT 10
/*
 * If the difference grew by more than this, one of the clocks was set (for example after a suspend), or the comparison
 * came very late.
 */
#define CLOCK_JUMP_NS 100000000
#define CLOCK_SAME_NS 1000000 /* two results count as the same if they differ by less than this */

/* What is known about the clock of a CPU's run queue. The index is the CPU. */
struct clock {
	s64 ns; /* CLOCK_MONOTONIC minus the run queue's clock */
	u64 at; /* time by the run queue's clock when the member ns was found; 0: not found yet */
	u64 skip; /* time by the run queue's clock of the last wake-up of a job's thread that asked for a switch at once */
	s64 found; /* result of the last comparison, if it is not used yet; 0: none */
	u64 room[4]; /* fills the cache line, so that no two CPUs share one */
};

struct clocks_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, ABI_CPUS_MAX);
	__type(key, u32);
	__type(value, struct clock);
};
struct clocks_map clocks SEC(".maps");

/* Returns the run queue of @task, or the last one that it was on; NULL if the kernel does not show it. */
static __always_inline struct rq *clock_rq(struct task_struct *task)
{
	return bpf_core_field_exists(task->se.cfs_rq->rq) ? task->se.cfs_rq->rq : NULL;
}

static __always_inline struct clock *clock_of(struct rq *rq)
{
	u32 cpu = rq->cpu;

	return bpf_map_lookup_elem(&clocks, &cpu);
}

/* Returns true if the previous comparison also found @ns. */
static __always_inline bool clock_found_again(struct clock *c, s64 ns)
{
	s64 before = c->found;

	c->found = ns;
	return before && ns - before < CLOCK_SAME_NS && before - ns < CLOCK_SAME_NS;
}

/*
 * Compares both clocks, and returns CLOCK_MONOTONIC. The run queue's clock was read shortly before, but sometimes
 * longer before (because of an interrupt, or because the hypervisor ran another guest). The difference is then too
 * large by that time. So this function keeps the smallest difference, and lets it grow only as fast as the clocks can
 * drift apart.
 *
 * The first difference is used only if the next comparison finds it again. The same is true of a difference that is so
 * much larger that a clock must have been set. Until then this function returns the time that it has read, so it never
 * returns a time in the future. If the run queue's clock is useless, no difference is ever used, and each call compares
 * again.
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
 * Returns the time at which @task is woken. The scheduler has read the clock of the task's run queue for the wake-up.
 * If the wake-up asks for a switch at once, the scheduler does not read the clock again for that switch.
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
 * Returns the time of a switch from @task to @next. @sleep: @task goes to sleep; otherwise @task remains runnable.
 *
 * The run queue's clock can be as old as the wake-up that asked for the switch (a wake-up of a job's thread, or of
 * @next), while @task continued to run. If @task goes to sleep, its wait begins later than that old time, so this
 * function reads a clock. If @task remains runnable, the old time is right, because from that time on the kernel counts
 * @task as runnable and @next as on the CPU. But the old time cannot be used to compare the two clocks.
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
