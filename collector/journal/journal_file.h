/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packs and unpacks a journal file. The file begins with one packed message in a frame. If this message is the begin of
 * a step, short entries follow it: one for each task, and one for the end of the step. Each entry has a checksum. An
 * entry is appended when its message comes, so the last entry may be incomplete if stintd was killed. The entries
 * before it stay valid.
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
	struct cgroup_job cgroup;   /* the step's cgroup; its job_id is 0 if the cgroup was not found */
	uint64_t registered_ns;     /* CLOCK_BOOTTIME when stintd began to count the job's cgroup */
	uint64_t before_cpu_ns;
	struct error no_cgroup;     /* why the cgroup was not found */
	char late_why[256];         /* copied from struct job, like the next two members */
	bool unseen;
	bool cpu_unknown;
};

#define JOURNAL_CLOSED "closed" /* name of the list of recently closed jobs: journal_closed.c */

struct journal_entry {
	uint32_t checksum; /* of all members below */
	uint32_t kind; /* CONTROL_TASK, CONTROL_STEP_CLOSE */
	uint64_t sent_ns;
	uint32_t rank; /* of CONTROL_TASK: the rank of the task; of CONTROL_STEP_CLOSE: the step's mode */
	int32_t value; /* of CONTROL_TASK: the pid of the task; of CONTROL_STEP_CLOSE: the exit status */
};

/*
 * Returns the content of a file: @kept, and then the @entries_size bytes of @entries, if any. Sets *@size to the number
 * of bytes. The caller frees the content. Returns NULL if out of memory.
 */
char *journal_file_make(const struct journal_message *kept, const char *entries, size_t entries_size, size_t *size);

/* Returns the entry for @message, a task or the end of a step. */
struct journal_entry journal_file_entry(const struct control_message *message);

/*
 * Reads the message in @data, which has @size bytes and is the content of the file @name. If another version of stintd
 * wrote the file, reads only the control message in it.
 *
 * *@entries: receives the offset of the first entry; @size if there are no entries
 *
 * Returns 0; -1 with @err set if the file is damaged.
 */
int journal_file_read(const char *name, const char *data, size_t size, struct journal_message *kept, size_t *entries,
		      struct error *err);

/*
 * Reads the entry at the offset *@at of @data into *@kept, as a message. Moves *@at past the entry. Returns false if
 * there is no complete entry at *@at.
 *
 * @begin: the message of the step's begin
 */
bool journal_file_next(const char *data, size_t size, size_t *at, const struct journal_message *begin,
		       struct journal_message *kept);

#endif
