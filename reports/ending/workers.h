/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds processes that a program forked to work for it, and that failed while the program went on and ended with 0. Their part of
 * the work may be missing, and no message says so.
 */
#ifndef STINT_WORKERS_H
#define STINT_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/model/report.h"

struct lost_workers {
	const struct report_entry *first; /* of the report's timeline, borrowed; NULL: there is none */
	size_t count; /* of the same tool; those that ended within a burst of the timeline are not known */
};

/*
 * Finds workers that crashed (SIGSEGV, SIGABRT and the like), workers that ended by a SIGKILL that no process above them had sent,
 * and workers that ended with an exit code.
 *
 * An exit code does not count if a shell forked the process, because it may be an answer. It counts only if the process lived for
 * more than a second and wrote something: a shorter one may only have tried to execute a program. Nor does it count if the program
 * forked another process later, which may have done the work. SIGKILL does not count if the kernel sent it for memory, or if the
 * job had a program that scripts use to end others, such as pkill.
 */
void workers_find(struct lost_workers *lost, const struct report *report);

/* Returns true if the kernel ended @entry, of a timeline, because it crashed, reached a limit of its own, or gave up by itself. */
bool workers_crashed(const struct report_entry *entry);

/* Returns true if @report has a tool by which a script may have ended others, such as pkill. */
bool workers_may_be_ended(const struct report *report);

/* Returns true if @entry, of a timeline, is a fork that failed in this way, judged by the entry alone. */
bool workers_may_be_lost(const struct report_entry *entry);

#endif
