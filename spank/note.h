/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leaves notes. A note is a control message that is written to a file, because no collector is there to receive it. */
#ifndef STINT_NOTE_H
#define STINT_NOTE_H

#include "common/control.h"
#include "common/error.h"

/* The most notes on a node. The number is limited because RUN_DIR is in memory, and no collector may run for weeks. */
#define NOTE_MAX 4096

/*
 * The most notes of one job. The limit exists because the steps and tasks of one job must not use up the notes of all
 * other jobs while stintd is away. If NOTE_MAX / 2 notes exist, a job gets only NOTE_JOB_FEW. Messages about tasks
 * may use three quarters of the job's notes, so there is room for the messages about the ends of its steps. These
 * limits do not apply to the JOB_CLOSE of a job. For a JOB_CLOSE, only NOTE_MAX and the limit of the user apply.
 */
#define NOTE_JOB_MAX 256
#define NOTE_JOB_FEW 16

/*
 * A user may have this many times as many notes as may still be added before NOTE_MAX is reached. So one user alone
 * gets at most three quarters of NOTE_MAX, and cannot use up the notes of other users, even if hundreds of that
 * user's jobs end.
 */
#define NOTE_USER_TIMES 3

/*
 * Writes @message to a file in RUN_DIR/notes. The file's name is that of control_note_name(). While the file is
 * written, its name begins with an additional '.'.
 *
 * Returns 0; -1 with @err and errno set: ENOENT if there is no such directory; EPERM if the directory or RUN_DIR does
 * not belong to the calling user, or others may write to it; EDQUOT if there is no room for one more note.
 */
int note_leave(const char *run_dir, const struct control_message *message, struct error *err);

#endif
