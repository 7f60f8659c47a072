/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries in the tables of processes, "processes" and "process_uses". All jobs of the node share them, and a process
 * takes them without asking the collector. So each user has a quota, for all of that user's jobs together: a user
 * who takes more loses only their own detail and takes nothing from others. The collector sets the quota
 * (collector/kernel/programs_map_sizes.c).
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

/* Takes an entry for a process of the user @uid. Returns whether that user may have it. */
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
 * Gives an entry back. The collector forgets a user without jobs, so a process that outlives them may find nothing
 * to give back.
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
