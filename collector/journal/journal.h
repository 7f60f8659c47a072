/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores messages below the run directory, for root only. A reboot removes the files.
 *
 * jobs/ is the journal of messages that stintd has handled. The next stintd learns the open jobs from the journal.
 * notes/ has messages that the plugin could not send.
 *
 * JOURNAL_FILES_MAX and NOTE_MAX limit what jobs write into /run.
 */
#ifndef STINT_JOURNAL_H
#define STINT_JOURNAL_H

#include <stdbool.h>

#include "collector/job/job.h"
#include "collector/journal/journal_file.h"
#include "common/control.h"

/*
 * Makes jobs/ and notes/ below @run_fd. Removes files of an earlier boot.
 * Returns 0; -1 with @err set.
 */
int journal_prepare(int run_fd, struct error *err);

/*
 * Most files in jobs/: one for each step and for each end of a job. If half of them exist, a job gets only
 * JOURNAL_FILES_FEW files. The end of a job is always written.
 */
#define JOURNAL_FILES_MAX 8192
#define JOURNAL_FILES_FEW 16

/*
 * Writes @kept, the begin of a step or the end of a job. Keeps entries of journal_append() in the file.
 * Returns 0; -1 with @err set, and errno EDQUOT without room.
 */
int journal_write(int run_fd, const struct journal_message *kept, struct error *err);

/*
 * Appends @message, a task or the end of a step, to the step's file.
 *
 * @begin_ns: when the step's begin was sent
 *
 * Returns 0; -1 with @err and errno set, ENOENT without a file.
 */
int journal_append(int run_fd, const struct control_message *message, uint64_t begin_ns, struct error *err);

/* Removes the job's messages up to @until_ns (CLOCK_BOOTTIME). Later messages belong to the next attempt. */
void journal_forget(int run_fd, uint32_t job_id, const char *node, uint64_t until_ns);

/*
 * Calls @take for each message of the journal, in the order of sending. From another version's file, reads only the
 * control message. Removes a damaged file, and calls @bad with its name.
 */
void journal_read(int run_fd, void (*take)(const struct journal_message *kept, void *data),
		  void (*bad)(const char *name, const char *why, void *data), void *data);

/* Returns true if @name is the name for a step of this job. */
#define JOURNAL_NAME_MAX 192
bool journal_is_open_of(const char *name, uint32_t job_id, const char *node);

/* Calls @take for each note, the oldest first, and removes it. @bad: as in journal_read() */
void journal_take_notes(int run_fd, void (*take)(const struct control_message *message, void *data),
			void (*bad)(const char *name, const char *why, void *data), void *data);

int journal_write_closed(int run_fd, const struct jobs *jobs, struct error *err);

/* Reads the list of recently closed jobs, if it exists. Returns 0; -1 with @err set if it is damaged. */
int journal_read_closed(int run_fd, struct jobs *jobs, struct error *err);

/* Removes the note of @message, which came through the socket, too. */
void journal_remove_note(int run_fd, const struct control_message *message);

#endif
