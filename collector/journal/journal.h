/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores messages in files below the run directory. jobs/ is the journal: it has the messages that stintd has
 * processed, so that the next stintd knows the open jobs. notes/ has the messages that the plugin could not send. Only
 * root can read these two directories, and a reboot removes them.
 *
 * All programs share /run, so JOURNAL_FILES_MAX and NOTE_MAX limit how much a job can write there. A task adds only a
 * few bytes to the file of its step (collector/journal/journal_file.h).
 */
#ifndef STINT_JOURNAL_H
#define STINT_JOURNAL_H

#include <stdbool.h>

#include "collector/job/job.h"
#include "collector/journal/journal_file.h"
#include "common/control.h"

/*
 * Makes jobs/ and notes/ below the directory @run_fd. Removes files of an earlier boot, in case the run directory
 * survives a reboot. Returns 0; -1 with @err set.
 */
int journal_prepare(int run_fd, struct error *err);

/*
 * The most files in jobs/. Each step has one file, and the end of a job has one file. If half of JOURNAL_FILES_MAX
 * files exist, a job gets no more than JOURNAL_FILES_FEW files. The end of a job can always be written.
 */
#define JOURNAL_FILES_MAX 8192
#define JOURNAL_FILES_FEW 16

/*
 * Writes @kept, the begin of a step or the end of a job. If the file already exists, keeps the entries that
 * journal_append() has added to it. Returns 0; -1 with @err set. errno is EDQUOT if there is no room for one more file.
 */
int journal_write(int run_fd, const struct journal_message *kept, struct error *err);

/*
 * Appends @message, a task or the end of a step, to the file that has the begin of this step. @begin_ns: when the begin
 * of the step was sent. Returns 0; -1 with @err and errno set. errno is ENOENT if the file does not exist.
 */
int journal_append(int run_fd, const struct control_message *message, uint64_t begin_ns, struct error *err);

/*
 * Removes all messages of the job @job_id on @node that were sent at @until_ns (CLOCK_BOOTTIME) or earlier. Keeps later
 * messages, because they belong to the job's next attempt.
 */
void journal_forget(int run_fd, uint32_t job_id, const char *node, uint64_t until_ns);

/*
 * Calls @take for each message of the journal, in the order in which the messages were sent. If another version of
 * stintd wrote a file, reads only the control message in this file. If a file is damaged, removes it and calls @bad
 * with its name. Reads only complete entries of a step.
 */
void journal_read(int run_fd, void (*take)(const struct journal_message *kept, void *data),
		  void (*bad)(const char *name, const char *why, void *data), void *data);

/* Returns true if a file with this @name would have the begin of a step of the job @job_id on @node. */
#define JOURNAL_NAME_MAX 192
bool journal_is_open_of(const char *name, uint32_t job_id, const char *node);

/* Calls @take for each of the plugin's notes, oldest first, and removes these notes. @bad: as for journal_read() */
void journal_take_notes(int run_fd, void (*take)(const struct control_message *message, void *data),
			void (*bad)(const char *name, const char *why, void *data), void *data);

/* Writes the list of recently closed jobs. Returns 0; -1 with @err set. */
int journal_write_closed(int run_fd, const struct jobs *jobs, struct error *err);

/*
 * Reads the list of recently closed jobs. It is no error if the list does not exist. Returns 0; -1 with @err set if the
 * list is damaged.
 */
int journal_read_closed(int run_fd, struct jobs *jobs, struct error *err);

/* Removes the note of @message, if there is one, because stintd has also received @message through the socket. */
void journal_remove_note(int run_fd, const struct control_message *message);

#endif
