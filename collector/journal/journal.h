/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages in files below the run directory. jobs/ has those that stintd has processed (the journal), so that the next
 * stintd knows the open jobs; notes/ has those that the plugin could not send. Only root can read both, and both are
 * gone after a reboot. /run is shared, so there is a limit to what a job can put there (JOURNAL_FILES_MAX, NOTE_MAX),
 * and a task takes only some bytes in the file of its step (collector/journal/journal_file.h).
 */
#ifndef STINT_JOURNAL_H
#define STINT_JOURNAL_H

#include <stdbool.h>

#include "collector/job/job.h"
#include "collector/journal/journal_file.h"
#include "common/control.h"

/*
 * Makes jobs/ and notes/ below @run_fd. If the directory survives a reboot, removes what an earlier boot of this
 * machine left there. Returns 0; -1 with @err set.
 */
int journal_prepare(int run_fd, struct error *err);

/*
 * The most files in jobs/: one for each step, and one for the end of a job. Once there are half as many, a job gets no
 * more than JOURNAL_FILES_FEW. There is always room for the end of a job.
 */
#define JOURNAL_FILES_MAX 8192
#define JOURNAL_FILES_FEW 16

/*
 * Writes @kept, the begin of a step or the end of a job. Entries that journal_append() added to the file stay. Returns
 * 0; -1 with @err set, errno EDQUOT if there is no room for it.
 */
int journal_write(int run_fd, const struct journal_message *kept, struct error *err);

/*
 * Appends @message, of a task or of a step's end, to the file of the step's begin, which was sent at @begin_ns. Returns
 * 0; -1 with @err and errno set, ENOENT if there is no such file.
 */
int journal_append(int run_fd, const struct control_message *message, uint64_t begin_ns, struct error *err);

/*
 * Removes all messages of the job @job_id on @node that were sent until @until_ns (CLOCK_BOOTTIME): later ones are of
 * its next attempt.
 */
void journal_forget(int run_fd, uint32_t job_id, const char *node, uint64_t until_ns);

/*
 * Calls @take for each message of the journal, in the order of sending. If a stintd of another version wrote a file,
 * reads only its control message. Removes a damaged file, and calls @bad with its name. Reads all entries of a step
 * that are whole.
 */
void journal_read(int run_fd, void (*take)(const struct journal_message *kept, void *data),
		  void (*bad)(const char *name, const char *why, void *data), void *data);

/* Whether a file of this name had a message of a step's begin, of the job @job_id on @node. */
#define JOURNAL_NAME_MAX 192
bool journal_is_open_of(const char *name, uint32_t job_id, const char *node);

/* Calls @take for each of the plugin's notes, oldest first, and removes them; @bad as for journal_read(). */
void journal_take_notes(int run_fd, void (*take)(const struct control_message *message, void *data),
			void (*bad)(const char *name, const char *why, void *data), void *data);

/* Writes the list of the last closed jobs. Returns 0; -1 with @err set. */
int journal_write_closed(int run_fd, const struct jobs *jobs, struct error *err);

/* Reads that list, if it exists. Returns 0; -1 with @err set if it is damaged. */
int journal_read_closed(int run_fd, struct jobs *jobs, struct error *err);

/* Removes the note of @message, if there is one: the message has arrived in another way. */
void journal_remove_note(int run_fd, const struct control_message *message);

#endif
