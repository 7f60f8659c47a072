/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the processes of a node's record that a shell started, and those that the same parent started after another. A
 * shell goes on if a command fails; other programs that go on have a reason to.
 */
#ifndef STINT_PARENTS_H
#define STINT_PARENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/records/record.h"

struct parent {
	int64_t pid, ppid, start_ns, end_ns; /* ppid: -1: not known; end_ns: INT64_MAX: not known */
	bool shell;
	bool reads; /* it waited at a pipe for most of its time, and may end before it has read everything */
	bool well; /* it ended with 0, was dismissed, or ended by an exec */
};

struct parents {
	struct parent *list; /* sorted by pid, then by start */
	size_t count;
};

/* Reads the processes of @record, a node's record. The list is empty if out of memory. */
void parents_read(struct parents *parents, const struct record *record);

/*
 * Returns true if the parent of @entry of the record's timeline, at the time when it began, was a shell, or a script
 * that a shell runs.
 */
bool parents_shell(const struct parents *parents, const struct record_entry *entry);

/*
 * Returns true if the parent of @entry of the record's timeline started another process after it, which began before
 * @entry ended. A shell starts the next program of a pipe that way.
 */
bool parents_started_next(const struct parents *parents, const struct record_entry *entry);

/*
 * Returns true if @entry of the record's timeline, which failed, had lost the reader of its pipe. That is so if the
 * next process that its parent started, at once, waited at a pipe for most of its time, may stop reading early (head),
 * and ended normally a little earlier. Programs that SIGPIPE does not end, such as Python's, then end with an exit
 * code.
 */
bool parents_reader_ended(const struct parents *parents, const struct record_entry *entry);

void parents_free(struct parents *parents);

#endif
