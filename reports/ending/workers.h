/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds failed workers. A worker is a process that a program forked. It counts as lost if it failed while the program
 * continued and ended with 0. Its part of the work may be missing, and no message says so.
 */
#ifndef STINT_WORKERS_H
#define STINT_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"

struct lost_workers {
	const struct report_entry *first; /* the first lost worker in the report's timeline, borrowed; NULL if there is none */
	size_t count; /* how many workers of the same tool are lost, not counting those that ended within a burst */
};

/*
 * Finds workers that crashed (SIGSEGV, SIGABRT and the like), workers that a SIGKILL ended which no process above
 * them had sent, and workers that ended with an exit code.
 *
 * Ignores an exit code in any of the following cases:
 * - A shell forked the process, because the code may be the answer to a question.
 * - The process lived for at most a second or wrote nothing, because it may only have tried to execute a program.
 * - The program forked another process later, because that process may have done the work.
 *
 * Ignores SIGKILL if the kernel sent it for memory. Also ignores it if the job had a program that scripts use to end
 * others, such as pkill.
 */
void workers_find(struct lost_workers *lost, const struct report *report);

/*
 * Returns true if the kernel ended the process of @entry, because it crashed or reached a limit of its own, or if the
 * process ended itself by abort(). @entry is in a timeline.
 */
bool workers_crashed(const struct report_entry *entry);

/* Returns true if @name is a program whose purpose is to end other processes or steps. */
bool workers_is_ender(const char *name);

/* Returns true if @report has a tool by which a script may have ended other processes, such as pkill. */
bool workers_may_be_ended(const struct report *report);

/*
 * Returns true if @entry is a fork that failed in one of the ways that workers_find() looks for. Looks only at
 * @entry, which is in a timeline, and not at other entries.
 */
bool workers_may_be_lost(const struct report_entry *entry);

#endif
