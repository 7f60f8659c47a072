/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that a program had forked to work for it, and that failed while the program went on and ended with 0: their part of the
 * work may be missing, and nobody is told.
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
 * Finds those that crashed (SIGSEGV, SIGABRT and the like), that SIGKILL ended and nobody above them had sent, or that ended with
 * an exit code. The latter is no answer of a shell's part, nor a try to execute a program: such a process lived for more than a
 * second and wrote something, and its program forked no other one later, which may have done its work. SIGKILL does not count if
 * the kernel sent it for memory, or if a program was there that a script ends others with, such as pkill.
 */
void workers_find(struct lost_workers *lost, const struct report *report);

/* Returns true if the kernel ended @entry, of a timeline, because it crashed, reached a limit of its own, or gave up by itself. */
bool workers_crashed(const struct report_entry *entry);

/* Returns true if @report has a tool by which a script may have ended others, such as pkill. */
bool workers_may_be_ended(const struct report *report);

/* Returns true if @entry, of a timeline, is a fork that failed so, as far as it says itself. */
bool workers_may_be_lost(const struct report_entry *entry);

#endif
