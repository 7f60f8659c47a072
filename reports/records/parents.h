/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processes of a node's record were started by a shell, and which by whom after another. A shell goes on when a command fails,
 * other programs have a reason to.
 */
#ifndef STINT_PARENTS_H
#define STINT_PARENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

struct parent {
	int64_t pid, ppid, start_ns, end_ns; /* ppid: -1: not known; end_ns: INT64_MAX: so */
	bool shell;
	bool reads; /* it waited at a pipe for most of its time, and may end before it has read everything */
	bool well; /* it ended with 0, in good order, or by an exec */
};

struct parents {
	struct parent *list; /* by pid, then by start */
	size_t count;
};

/*
 * Reads the processes of @record, a node's record that was not settled. Without memory there are none.
 */
void parents_read(struct parents *parents, struct json_object *record);

/*
 * Returns true if the program that @entry of the record's timeline had as its parent when it began was a shell, or a script that
 * a shell runs.
 */
bool parents_shell(const struct parents *parents, struct json_object *entry);

/*
 * Returns true if the parent of @entry of the record's timeline started another process after it, which began before @entry ended: as
 * a shell starts the next program of a pipe.
 */
bool parents_started_next(const struct parents *parents, struct json_object *entry);

/*
 * Returns true if @entry of the record's timeline, which failed, lost the reader of its pipe before: the next process that its parent
 * had started, at once, waited at a pipe most of the time, may stop reading (head), and ended well a little before it. Programs that
 * do not end by SIGPIPE, such as Python's, end with an exit code then.
 */
bool parents_reader_ended(const struct parents *parents, struct json_object *entry);

void parents_free(struct parents *parents);

#endif
