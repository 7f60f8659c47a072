/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leaves notes. A note is a control message that is left as a file, because no collector is there to receive it. */
#ifndef STINT_NOTE_H
#define STINT_NOTE_H

#include "common/control.h"
#include "common/error.h"

/* The most notes. There is a limit because RUN_DIR is in memory, and a collector may be away for weeks. */
#define NOTE_MAX 4096

/*
 * The most notes of one job. While stintd is away, the steps and tasks of one job must not use up the notes of all
 * others. When half of NOTE_MAX is used, a job gets only NOTE_JOB_FEW. The tasks of a job may use three quarters of the
 * job's notes, so there is room for the ends of its steps. These limits do not apply to the end of a job, for which
 * only NOTE_MAX and the user's limit count.
 */
#define NOTE_JOB_MAX 256
#define NOTE_JOB_FEW 16

/*
 * A user may have this many times as many notes as are left. So a single user gets at most three quarters of NOTE_MAX.
 * Even if hundreds of jobs of one user end, they must not use up the notes of other users.
 */
#define NOTE_USER_TIMES 3

/*
 * Writes @message to a file in RUN_DIR/notes with the name of control_note_name(). The file first has a '.' before its
 * name, and is then renamed.
 *
 * Returns 0; -1 with @err and errno set: ENOENT if there is no such directory; EPERM if the directory or RUN_DIR does
 * not belong to the calling user, or others may write to it; EDQUOT if there is no room for one more note.
 */
int note_leave(const char *run_dir, const struct control_message *message, struct error *err);

#endif
