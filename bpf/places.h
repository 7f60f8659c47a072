/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps quotas of entries in the tables of processes, "processes" and "process_uses". All jobs of the node share these
 * tables, and the programs make entries without asking the collector. So each user has a quota, for all jobs of that
 * user together. A user who reaches the quota loses detail in that user's jobs, and other users lose nothing. The
 * collector sets the quota (collector/kernel/programs_map_sizes.c).
 */
#ifndef STINT_PLACES_H
#define STINT_PLACES_H

#include "bpf/member.h"

static const struct user user_fresh;

static __always_inline struct user *user_get(u32 uid)
{
	struct user *user = bpf_map_lookup_elem(&users, &uid);

	if (user)
		return user;
	bpf_map_update_elem(&users, &uid, &user_fresh, BPF_NOEXIST);
	return bpf_map_lookup_elem(&users, &uid);
}

/* Counts one more entry of the user @uid in the table @place. Returns false if the user's quota is used up. */
static __noinline bool place_take(u32 uid, u32 place)
{
	struct settings *set = settings_get();
	struct user *user = user_get(uid);
	s64 share;

	if (!set || !user || place >= PLACES)
		return false;
	share = set->places_share[place];
	if ((s64)ADD(user->taken[place], 1) < share || !share)
		return true;
	ADD(user->taken[place], -1);
	return false;
}

/*
 * Counts one entry less of the user @uid in the table @place. Returns false if the user is not in "users". This is
 * possible because the collector removes users without jobs from "users", and a process can outlive the user's jobs.
 * For the same reason the count may already be 0.
 */
static __noinline bool place_give(u32 uid, u32 place)
{
	struct user *user = bpf_map_lookup_elem(&users, &uid);

	if (!user || place >= PLACES)
		return false;
	if ((s64)ADD(user->taken[place], -1) <= 0)
		ADD(user->taken[place], 1);
	return true;
}

#endif
