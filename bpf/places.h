/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits each user's entries in the tables of processes, which all jobs share.
 *
 * A user over the quota loses detail only in their own jobs.
 * The collector sets the quota (collector/kernel/programs_map_sizes.c).
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

/* Returns false if the quota of @uid in @place is used up. */
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
 * Gives an entry of @place back to the quota of @uid. Returns false if @uid is not in "users".
 *
 * The collector removes users without jobs, but a process can outlive its user's jobs. So the user may be new, and the
 * count already 0. The count never falls below 0.
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
