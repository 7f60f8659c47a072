/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/query_turns.h"

#include <stddef.h>

#define USER_PAUSE_NS 500000000ull /* between two answers to one user */
#define WAIT_NS 300000000ull /* a silent user has given up: stint retries every 100 ms */

static const struct query_caller *find_caller(const struct query_turns *turns, uid_t uid)
{
	for (unsigned int i = 0; i < turns->count; i++)
		if (turns->callers[i].uid == uid)
			return &turns->callers[i];
	return NULL;
}

static uint64_t last_seen(const struct query_caller *caller)
{
	return caller->called_ns > caller->answered_ns ? caller->called_ns : caller->answered_ns;
}

/* If there is no room, replaces the user who was inactive longest. */
static struct query_caller *find_or_add(struct query_turns *turns, uid_t uid)
{
	struct query_caller *caller = (struct query_caller *)find_caller(turns, uid);

	if (caller)
		return caller;
	caller = turns->callers;
	if (turns->count < QUERY_CALLERS_MAX)
		caller = &turns->callers[turns->count++];
	else
		for (unsigned int i = 1; i < turns->count; i++)
			if (last_seen(&turns->callers[i]) < last_seen(caller))
				caller = &turns->callers[i];
	*caller = (struct query_caller){ .uid = uid };
	return caller;
}

bool query_turn_is_too_early(const struct query_turns *turns, uid_t uid, uint64_t now_ns)
{
	const struct query_caller *caller = find_caller(turns, uid);

	return caller && caller->answered_ns && now_ns - caller->answered_ns < USER_PAUSE_NS;
}

bool query_turn_is_next(const struct query_turns *turns, uid_t uid, uint64_t now_ns)
{
	const struct query_caller *caller = find_caller(turns, uid);
	uint64_t answered_ns = caller ? caller->answered_ns : 0;

	for (unsigned int i = 0; i < turns->count; i++) {
		const struct query_caller *other = &turns->callers[i];

		if (other->called_ns && now_ns - other->called_ns < WAIT_NS && other->answered_ns < answered_ns)
			return false;
	}
	return true;
}

void query_turn_waits(struct query_turns *turns, uid_t uid, uint64_t now_ns)
{
	find_or_add(turns, uid)->called_ns = now_ns;
}

void query_turn_taken(struct query_turns *turns, uid_t uid, uint64_t now_ns)
{
	*find_or_add(turns, uid) = (struct query_caller){ .uid = uid, .answered_ns = now_ns };
}
