/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packs and unpacks a journal file: a message in a frame. After the begin of a step, short entries follow for its tasks
 * and its end. Each entry has a checksum. A killed stintd can leave the last entry incomplete.
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
	struct cgroup_job cgroup;   /* the step's; job_id is 0 if not found */
	uint64_t registered_ns;     /* CLOCK_BOOTTIME when counting began */
	uint64_t before_cpu_ns;
	struct error no_cgroup;     /* why there is none */
	char late_why[256];         /* from struct job, like the next two */
	bool unseen;
	bool cpu_unknown;
};

#define JOURNAL_CLOSED "closed" /* list of recently closed jobs (journal_closed.c) */

struct journal_entry {
	uint32_t checksum; /* of all members below */
	uint32_t kind; /* CONTROL_TASK or CONTROL_STEP_CLOSE */
	uint64_t sent_ns;
	uint32_t rank; /* a task's rank, or a step's mode */
	int32_t value; /* a task's pid or a step's exit status */
};

/*
 * Returns the content of a file, which the caller frees; NULL if out of memory.
 *
 * @entries: follow @kept
 * @size: receives the length
 */
char *journal_file_make(const struct journal_message *kept, const char *entries, size_t entries_size, size_t *size);

struct journal_entry journal_file_entry(const struct control_message *message);

/*
 * Reads the message in the content @data of the file @name. In another version's file, only the control message is
 * known.
 *
 * @entries: receives the offset of the first entry; @size if there is none
 *
 * Returns 0; -1 with @err set if the file is damaged.
 */
int journal_file_read(const char *name, const char *data, size_t size, struct journal_message *kept, size_t *entries,
		      struct error *err);

/*
 * Reads the entry at *@at, and moves *@at behind it. @begin: the step's begin
 * Returns false if no complete entry is left.
 */
bool journal_file_next(const char *data, size_t size, size_t *at, const struct journal_message *begin,
		       struct journal_message *kept);

#endif
