/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of a journal file: one packed message in a frame. If the message is the begin of a step, short entries
 * follow it. Each task has one entry, and so has the end of the step. Each entry has a checksum. Entries are appended
 * when their messages come, so a kill may leave a partial last entry. The entries before it stay valid.
 */
#ifndef STINT_JOURNAL_FILE_H
#define STINT_JOURNAL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/host/cgroup.h"
#include "common/control.h"
#include "common/error.h"

struct journal_message {
	struct control_message message;
	struct cgroup_job cgroup;   /* the step's cgroup; job_id 0: not found */
	uint64_t registered_ns;     /* CLOCK_BOOTTIME when counting of the job's cgroup began */
	uint64_t before_cpu_ns;
	struct error no_cgroup;     /* if the cgroup was not found: why */
	char late_why[256];         /* this and the next two members are the job's, as in struct job */
	bool unseen;
	bool cpu_unknown;
};

#define JOURNAL_CLOSED "closed" /* the list of the last closed jobs: journal_closed.c */

struct journal_entry {
	uint32_t checksum; /* of all members below */
	uint32_t kind; /* CONTROL_TASK, CONTROL_STEP_CLOSE */
	uint64_t sent_ns;
	uint32_t rank; /* the rank of a task; for a STEP_CLOSE, the step's mode */
	int32_t value; /* the pid of a task; for a STEP_CLOSE, the exit status */
};

/*
 * Returns the content of a file, which the caller frees: @kept and then the @entries_size bytes of @entries, if any.
 * *@size: bytes of the content. NULL if out of memory.
 */
char *journal_file_make(const struct journal_message *kept, const char *entries, size_t entries_size, size_t *size);

/* Returns the entry for @message, a task or the end of a step. */
struct journal_entry journal_file_entry(const struct control_message *message);

/*
 * Reads the message in @data, the content of the file @name. If another version of stintd wrote it, reads only the
 * control message in it.
 *
 * *@entries: offset of the first entry; @size if there are no entries
 *
 * Returns 0; -1 with @err set if the file is damaged.
 */
int journal_file_read(const char *name, const char *data, size_t size, struct journal_message *kept, size_t *entries,
		      struct error *err);

/*
 * Makes *@kept the message of the entry at *@at of @data. @begin: the message of the step's begin. Moves *@at past the
 * entry. Returns false if there is no complete entry at *@at.
 */
bool journal_file_next(const char *data, size_t size, size_t *at, const struct journal_message *begin,
		       struct journal_message *kept);

#endif
