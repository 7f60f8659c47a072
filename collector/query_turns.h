/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses which user's query of a running job is answered next. An answer costs a walk over all threads, so stintd
 * gives only a few answers each second. If stintd answered the first caller, a user who calls without a pause would
 * always win. So the next answer goes to the user who was answered longest ago, of those who have called recently.
 */
#ifndef STINT_QUERY_TURNS_H
#define STINT_QUERY_TURNS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define QUERY_CALLERS_MAX 64 /* the most users that stintd remembers */

struct query_caller {
	uid_t uid;
	uint64_t answered_ns; /* 0: not yet */
	uint64_t called_ns; /* when stintd last asked the user to try again; 0: the user is not waiting */
};

struct query_turns {
	struct query_caller callers[QUERY_CALLERS_MAX];
	unsigned int count;
};

/* Returns true if the last answer to @uid was so shortly before @now_ns (CLOCK_MONOTONIC) that this query must wait. */
bool query_turn_is_too_early(const struct query_turns *turns, uid_t uid, uint64_t now_ns);

/* Returns true if @uid is next, because no waiting user had their last answer earlier than @uid. */
bool query_turn_is_next(const struct query_turns *turns, uid_t uid, uint64_t now_ns);

/* Records that the query of @uid was not answered, so the user will try again. */
void query_turn_waits(struct query_turns *turns, uid_t uid, uint64_t now_ns);

/* @uid is answered. */
void query_turn_taken(struct query_turns *turns, uid_t uid, uint64_t now_ns);

#endif
