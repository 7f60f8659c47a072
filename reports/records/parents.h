/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds which processes a shell started, and which processes came later. A shell continues after a command has failed.
 * Another program that continues does so on purpose.
 */
#ifndef STINT_PARENTS_H
#define STINT_PARENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/records/record.h"

struct parent {
	int64_t pid, ppid, start_ns, end_ns; /* unknown: ppid is -1, end_ns is INT64_MAX */
	bool shell;
	bool reads; /* mostly waited at a pipe; may stop early */
	bool well; /* ended with 0, dismissed, or by exec */
};

struct parents {
	struct parent *list; /* sorted by pid, then by start */
	size_t count;
};

/* Reads the processes of @record. If out of memory, the list stays empty. */
void parents_read(struct parents *parents, const struct record *record);

/* Returns true if a shell or its script started @entry. */
bool parents_shell(const struct parents *parents, const struct record_entry *entry);

/* Returns true if the parent started another process while @entry ran. A shell does this in a pipe. */
bool parents_started_next(const struct parents *parents, const struct record_entry *entry);

/*
 * Returns true if @entry failed after the reader of its pipe had ended. For example, a writer in Python then ends with
 * an exit code and not by SIGPIPE.
 *
 * The reader is the next process of the same parent, started within a second. The reader mostly waited at a pipe, may
 * stop reading early (like head), and ended well a little before @entry.
 */
bool parents_reader_ended(const struct parents *parents, const struct record_entry *entry);

/* What other processes show about an entry. */
struct entry_marks {
	bool by_shell;  /* the process failed, and a shell had started it */
	bool unawaited; /* the process failed, and its shell did not wait for it */
	bool unread;    /* the process failed, and the reader of its output had ended */
	bool no_pipe;   /* ended by SIGPIPE, without a reader */
};

/*
 * Sets @marks for @entry in the timeline of @record. Returns false if out of memory.
 *
 * @parents: empty, or read from @record; free it by parents_free() at the end
 */
bool parents_mark(struct parents *parents, const struct record *record, const struct record_entry *entry, struct entry_marks *marks);

void parents_free(struct parents *parents);

#endif
