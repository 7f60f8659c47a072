/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The note: a control message left as a file, for a collector that is not there now. */
#ifndef STINT_NOTE_H
#define STINT_NOTE_H

#include "common/control.h"
#include "common/error.h"

/* The most notes: RUN_DIR is in memory, and a collector may be away for weeks. */
#define NOTE_MAX 4096

/*
 * The most notes of one job: while stintd is away, the steps and tasks of one job must not take the room of all others.
 * When half of NOTE_MAX is used, a job gets NOTE_JOB_FEW. Its tasks may use three quarters of its notes, so that there
 * is room for the ends of its steps. The end of a job is always noted.
 */
#define NOTE_JOB_MAX 256
#define NOTE_JOB_FEW 16

/*
 * A user may have this many times the remaining notes: one alone has three quarters of NOTE_MAX. If hundreds of one
 * user's jobs end, they must not take the room of others either.
 */
#define NOTE_USER_TIMES 3

/*
 * Writes @message into RUN_DIR/notes, under the name of control_note_name(): first
 * with a '.' in front, then renamed.
 *
 * Returns 0; -1 with @err and errno set: there is no such directory (ENOENT);
 * it or RUN_DIR is not the calling user's, or others may write to it (EPERM); it is full (EDQUOT).
 */
int note_leave(const char *run_dir, const struct control_message *message, struct error *err);

#endif
