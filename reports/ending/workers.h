/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds lost workers. A program forked these processes, went on after they had failed, and ended with 0.
 * A part of the work may be missing without a message.
 */
#ifndef STINT_WORKERS_H
#define STINT_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"

struct lost_workers {
	const struct report_entry *first; /* in the timeline, borrowed; NULL if none */
	size_t count; /* lost workers of this tool; without those in a burst (many short runs in one entry) */
};

/*
 * Finds workers that crashed (SIGSEGV, SIGABRT), got a SIGKILL from outside, or ended with an exit code.
 *
 * An exit code does not count if:
 *  - a shell forked the process, because the code may be an answer;
 *  - the process lived at most a second or wrote nothing, because it may only have tried to execute a program;
 *  - the program forked another process later, because that process may have done the work.
 *
 * SIGKILL does not count if the kernel sent it for memory, or if the job had a program such as pkill.
 */
void workers_find(struct lost_workers *lost, const struct report *report);

/* Returns true if the process of @entry ended by a crash, by a limit, or by calling abort(). */
bool workers_crashed(const struct report_entry *entry);

/* Returns true if @name is a program that ends other processes or steps. */
bool workers_is_ender(const char *name);

/* Returns true if the job had a program that ends other processes, such as pkill. */
bool workers_may_be_ended(const struct report *report);

/* Returns true if @entry is a fork that failed as workers_find() requires. Looks at no other entry. */
bool workers_may_be_lost(const struct report_entry *entry);

#endif
