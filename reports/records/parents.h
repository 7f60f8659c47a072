/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the processes in a node's record that a shell started, and the processes that the same parent started after
 * another process. If a command fails, a shell continues. Other programs continue only if they have a reason to.
 */
#ifndef STINT_PARENTS_H
#define STINT_PARENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/records/record.h"

struct parent {
	int64_t pid, ppid, start_ns, end_ns; /* ppid: -1 if not known; end_ns: INT64_MAX if not known */
	bool shell;
	bool reads; /* the process waited at a pipe for most of its time, and may end before it has read everything */
	bool well; /* the process ended with 0, was dismissed, or ended by an exec */
};

struct parents {
	struct parent *list; /* sorted by pid, then by start */
	size_t count;
};

/* Reads the processes of @record, a node's record. If out of memory, the list is empty. */
void parents_read(struct parents *parents, const struct record *record);

/*
 * Returns true if @entry, of the record's timeline, was started by a shell, or by a script that a shell ran: that is
 * what the parent of @entry ran when @entry began.
 */
bool parents_shell(const struct parents *parents, const struct record_entry *entry);

/*
 * Returns true if the parent of @entry, of the record's timeline, started another process after @entry, and before
 * @entry ended. A shell starts the next program of a pipe this way.
 */
bool parents_started_next(const struct parents *parents, const struct record_entry *entry);

/*
 * Returns true if @entry, of the record's timeline, failed after the reader of its pipe had ended. The reader is the
 * next process that the parent of @entry started, within a second. It must have waited at a pipe for most of its time,
 * be a program that may stop reading early (head), and have ended normally a little before @entry. A program that
 * SIGPIPE does not end, such as one in Python, then ends with an exit code.
 */
bool parents_reader_ended(const struct parents *parents, const struct record_entry *entry);

/* What an entry's parent, and the other processes of that, show about it. */
struct entry_marks {
	bool by_shell;  /* it failed, and a shell had started it */
	bool unawaited; /* and that shell went on before it ended: it was in a pipe, or in the background */
	bool unread;    /* and the reader of its output had ended before */
	bool no_pipe;   /* SIGPIPE ended it, and it wrote to none of the next processes of its parent */
};

/*
 * Finds the @marks of @entry of the timeline of @record. @parents: empty, or read from @record; read here if that is
 * necessary, so free it in the end. Returns false if out of memory.
 */
bool parents_mark(struct parents *parents, const struct record *record, const struct record_entry *entry, struct entry_marks *marks);

void parents_free(struct parents *parents);

#endif
