/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out which processes of a node's record were started by a shell, and which processes their parents started
 * later. This matters because a shell continues if a command fails, and other programs continue only if they have a
 * reason to.
 */
#ifndef STINT_PARENTS_H
#define STINT_PARENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/records/record.h"

struct parent {
	int64_t pid, ppid, start_ns, end_ns; /* ppid is -1 if not known; end_ns is INT64_MAX if not known */
	bool shell;
	bool reads; /* the process waited at a pipe for most of its time, and its program may end before it has read everything */
	bool well; /* the process ended with 0, was dismissed, or ended by an exec */
};

struct parents {
	struct parent *list; /* sorted by pid, then by start */
	size_t count;
};

/* Reads the processes of @record, which is a node's record. If out of memory, leaves the list empty. */
void parents_read(struct parents *parents, const struct record *record);

/*
 * Returns true if a shell, or a script that a shell ran, started @entry. Looks at the program that the parent of
 * @entry ran when @entry began. @entry is in the record's timeline.
 */
bool parents_shell(const struct parents *parents, const struct record_entry *entry);

/*
 * Returns true if the parent of @entry started another process after @entry began and before @entry ended. A shell
 * starts the next program of a pipe in this way. @entry is in the record's timeline.
 */
bool parents_started_next(const struct parents *parents, const struct record_entry *entry);

/*
 * Returns true if @entry failed after the reader of its pipe had ended. @entry is in the record's timeline. The
 * reader is the next process that the parent of @entry started, within a second. It must have waited at a pipe for
 * most of its time, be a program that may stop reading early (head), and have ended normally a little before @entry.
 * A writer that SIGPIPE does not end, such as a program in Python, then ends with an exit code.
 */
bool parents_reader_ended(const struct parents *parents, const struct record_entry *entry);

/* What the parent of an entry, and the other children of that parent, show about the entry. */
struct entry_marks {
	bool by_shell;  /* the process failed, and a shell had started it */
	bool unawaited; /* it failed, and its shell went on before it ended, because it was in a pipe or in the background */
	bool unread;    /* it failed, and the reader of its output had ended before it */
	bool no_pipe;   /* SIGPIPE ended the process, but its parent started no other process that could have been the reader */
};

/*
 * Sets @marks for @entry, which is in the timeline of @record. Returns false if out of memory.
 *
 * @parents: empty, or read from @record. If it is empty and needed, reads it from @record, so call parents_free() at
 * the end
 */
bool parents_mark(struct parents *parents, const struct record *record, const struct record_entry *entry, struct entry_marks *marks);

void parents_free(struct parents *parents);

#endif
