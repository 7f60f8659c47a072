/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts direct reclaim: a thread must free memory before it gets any. */
#include "bpf/current.h"

static __always_inline int began(void)
{
	struct thread *t = current_thread();

	if (t)
		t->reclaim_since = bpf_ktime_get_ns();
	return 0;
}

static __always_inline int ended(void)
{
	struct thread *t = current_thread();
	struct thread_use *sum;

	if (!t || !t->reclaim_since)
		return 0;
	sum = current_use(t);
	if (sum) {
		sum->use[USE_RECLAIMS]++;
		sum->use[USE_RECLAIM] += bpf_ktime_get_ns() - t->reclaim_since;
	}
	t->reclaim_since = 0;
	return 0;
}

SEC("tp_btf/mm_vmscan_direct_reclaim_begin")
int BPF_PROG(reclaim_began)
{
	return began();
}

SEC("tp_btf/mm_vmscan_direct_reclaim_end")
int BPF_PROG(reclaim_ended)
{
	return ended();
}

SEC("tp_btf/mm_vmscan_memcg_reclaim_begin")
int BPF_PROG(memcg_reclaim_began)
{
	return began();
}

SEC("tp_btf/mm_vmscan_memcg_reclaim_end")
int BPF_PROG(memcg_reclaim_ended)
{
	return ended();
}
