/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages in files below the run directory. jobs/ is the journal: the messages that stintd has processed, so that the
 * next stintd knows the open jobs. notes/ has the messages that the plugin could not send. Only root can read both
 * directories, and a reboot removes both.
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
 * Makes jobs/ and notes/ below @run_fd. If the run directory survives a reboot, removes the files of an earlier boot.
 * Returns 0; -1 with @err set.
 */
int journal_prepare(int run_fd, struct error *err);

/*
 * The most files in jobs/. Each step has one file, and the end of a job has one. If half of JOURNAL_FILES_MAX is used,
 * a job gets no more than JOURNAL_FILES_FEW files. The end of a job can always be written.
 */
#define JOURNAL_FILES_MAX 8192
#define JOURNAL_FILES_FEW 16

/*
 * Writes @kept, the begin of a step or the end of a job. If the file exists, keeps the entries that journal_append()
 * added to it. Returns 0; -1 with @err set, errno EDQUOT if there is no room for the file.
 */
int journal_write(int run_fd, const struct journal_message *kept, struct error *err);

/*
 * Appends @message, a task or the end of a step, to the file of the step's begin. @begin_ns: when the step's begin was
 * sent. Returns 0; -1 with @err and errno set, ENOENT if the file does not exist.
 */
int journal_append(int run_fd, const struct control_message *message, uint64_t begin_ns, struct error *err);

/*
 * Removes all messages of the job @job_id on @node that were sent at @until_ns (CLOCK_BOOTTIME) or earlier. Later
 * messages belong to the job's next attempt.
 */
void journal_forget(int run_fd, uint32_t job_id, const char *node, uint64_t until_ns);

/*
 * Calls @take for each message of the journal, in the order of sending. If another version of stintd wrote a file,
 * reads only the control message in it. Removes each damaged file and calls @bad with its name. Reads all complete
 * entries of a step.
 */
void journal_read(int run_fd, void (*take)(const struct journal_message *kept, void *data),
		  void (*bad)(const char *name, const char *why, void *data), void *data);

/* Returns true if a file of this name has the begin of a step of the job @job_id on @node. */
#define JOURNAL_NAME_MAX 192
bool journal_is_open_of(const char *name, uint32_t job_id, const char *node);

/* Calls @take for each of the plugin's notes, oldest first, and removes the notes. @bad: as for journal_read() */
void journal_take_notes(int run_fd, void (*take)(const struct control_message *message, void *data),
			void (*bad)(const char *name, const char *why, void *data), void *data);

/* Writes the list of the last closed jobs. Returns 0; -1 with @err set. */
int journal_write_closed(int run_fd, const struct jobs *jobs, struct error *err);

/*
 * Reads the list of the last closed jobs. A missing list is no error. Returns 0; -1 with @err set if the list is
 * damaged.
 */
int journal_read_closed(int run_fd, struct jobs *jobs, struct error *err);

/* Removes the note of @message, if there is one, because the message also came through the socket. */
void journal_remove_note(int run_fd, const struct control_message *message);

#endif
