/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses whose query of a running job is answered next. An answer costs a walk over all threads, so only a few are
 * given each second. A user who calls without a pause would always be first when the next answer is due. So the user
 * who was answered longest ago, and who has called recently, comes first.
 */
#ifndef STINT_QUERY_TURNS_H
#define STINT_QUERY_TURNS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define QUERY_CALLERS_MAX 64 /* the number of users that are remembered */

struct query_caller {
	uid_t uid;
	uint64_t answered_ns; /* 0: not yet */
	uint64_t called_ns; /* when the user was last asked to try again; 0: the user is not waiting */
};

struct query_turns {
	struct query_caller callers[QUERY_CALLERS_MAX];
	unsigned int count;
};

/* Returns true if @uid was answered so shortly before @now_ns (CLOCK_MONOTONIC) that this query must wait. */
bool query_turn_is_too_early(const struct query_turns *turns, uid_t uid, uint64_t now_ns);

/* Returns true if no waiting user was answered longer ago than @uid. */
bool query_turn_is_next(const struct query_turns *turns, uid_t uid, uint64_t now_ns);

/* Records that @uid could be answered but was not, and will try again. */
void query_turn_waits(struct query_turns *turns, uid_t uid, uint64_t now_ns);

/* @uid is answered. */
void query_turn_taken(struct query_turns *turns, uid_t uid, uint64_t now_ns);

#endif
