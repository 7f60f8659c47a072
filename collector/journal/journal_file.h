/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The form of a file of the journal: one message, packed, in a frame. After the message of a step's begin follow short
 * entries, one for each of its tasks and one for its end, each with a checksum. They are appended when they come, so a
 * kill may tear the last one: then the earlier ones count.
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
	struct cgroup_job cgroup;   /* as it was found; job_id 0: it was not found */
	uint64_t registered_ns;     /* CLOCK_BOOTTIME since when the job's cgroup has been counted */
	uint64_t before_cpu_ns;
	struct error no_cgroup;     /* why it was not found, if so */
	char late_why[256];         /* this and the next two: of the job, as in struct job */
	bool unseen;
	bool cpu_unknown;
};

#define JOURNAL_CLOSED "closed" /* the list of the last closed jobs: journal_closed.c */

struct journal_entry {
	uint32_t checksum; /* of all members below */
	uint32_t kind; /* CONTROL_TASK, CONTROL_STEP_CLOSE */
	uint64_t sent_ns;
	uint32_t rank; /* of a task; for a STEP_CLOSE its mode */
	int32_t value; /* its pid; or the step's exit status */
};

/*
 * Returns the file's content, which the caller frees: @kept, followed by its entries, if any. NULL if memory ran out.
 */
char *journal_file_make(const struct journal_message *kept, const char *entries, size_t entries_size, size_t *size);

/*
 * Returns the entry for @message, which is of a task or of a step's end.
 */
struct journal_entry journal_file_entry(const struct control_message *message);

/*
 * Reads the message in @data, the content of the file @name. If another version wrote it, reads only the control
 * message.
 *
 * *@entries: where the entries begin; @size if there are none
 *
 * Returns 0; -1 with @err set if it is damaged.
 */
int journal_file_read(const char *name, const char *data, size_t size, struct journal_message *kept, size_t *entries,
		      struct error *err);

/*
 * Makes *@kept the message of the entry at *@at of @data; @begin is the message of its step's begin. Moves *@at past
 * the entry. Returns false if there is no whole entry.
 */
bool journal_file_next(const char *data, size_t size, size_t *at, const struct journal_message *begin,
		       struct journal_message *kept);

#endif
