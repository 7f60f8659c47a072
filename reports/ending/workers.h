/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds workers: processes that a program forked, and that failed, while the program continued and ended with 0. Their
 * part of the work may be missing, and no message says so.
 */
#ifndef STINT_WORKERS_H
#define STINT_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"

struct lost_workers {
	const struct report_entry *first; /* the first such worker in the report's timeline, borrowed; NULL if there is none */
	size_t count; /* the number of such workers of the same tool, without workers that ended within a burst of the timeline */
};

/*
 * Finds workers that crashed (SIGSEGV, SIGABRT and the like), workers that ended by a SIGKILL that no process above
 * them had sent, and workers that ended with an exit code.
 *
 * An exit code does not count if a shell forked the process, because the code may be an answer. An exit code counts
 * only if the process lived for more than a second and wrote something, because a shorter process may only have tried
 * to execute a program. Nor does an exit code count if the program forked another process later, because that process
 * may have done the work. SIGKILL does not count if the kernel sent it for memory, or if the job had a program that
 * scripts use to end others, such as pkill.
 */
void workers_find(struct lost_workers *lost, const struct report *report);

/* Returns true if the kernel ended @entry, of a timeline, because it crashed, reached a limit of its own, or gave up by itself. */
bool workers_crashed(const struct report_entry *entry);

/* Returns true if @name is a program that ends other processes, or steps. */
bool workers_is_ender(const char *name);

/* Returns true if @report has a tool by which a script may have ended other processes, such as pkill. */
bool workers_may_be_ended(const struct report *report);

/*
 * Returns true if @entry, of a timeline, is a fork that failed in one of the ways that workers_find() looks for, as far
 * as the entry itself shows.
 */
bool workers_may_be_lost(const struct report_entry *entry);

#endif
