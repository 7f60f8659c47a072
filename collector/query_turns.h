/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses which user's query is answered next: the user whose last answer is oldest. An answer costs a walk over all
 * threads, so stintd gives few answers a second. A user who asks without a pause must not get all answers.
 */
#ifndef STINT_QUERY_TURNS_H
#define STINT_QUERY_TURNS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define QUERY_CALLERS_MAX 64

struct query_caller {
	uid_t uid;
	uint64_t answered_ns; /* 0: not yet */
	uint64_t called_ns; /* last query without an answer; 0: does not wait */
};

struct query_turns {
	struct query_caller callers[QUERY_CALLERS_MAX];
	unsigned int count;
};

/* Returns true if the last answer to @uid was too recent. @now_ns: CLOCK_MONOTONIC */
bool query_turn_is_too_early(const struct query_turns *turns, uid_t uid, uint64_t now_ns);

/* Returns true if no waiting user's last answer is older than the last answer to @uid. */
bool query_turn_is_next(const struct query_turns *turns, uid_t uid, uint64_t now_ns);

/* Records that @uid was asked to try again. */
void query_turn_waits(struct query_turns *turns, uid_t uid, uint64_t now_ns);

/* Records that @uid was answered. */
void query_turn_taken(struct query_turns *turns, uid_t uid, uint64_t now_ns);

#endif
