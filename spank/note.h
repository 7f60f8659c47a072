/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leaves notes: control messages in files, for a collector that is not there. */
#ifndef STINT_NOTE_H
#define STINT_NOTE_H

#include "common/control.h"
#include "common/error.h"

/* The largest number of notes on a node. RUN_DIR is in memory, and a node can be without a collector for weeks. */
#define NOTE_MAX 4096

/*
 * The largest number of notes of one job, so that one job does not use up all notes.
 * If a node has NOTE_MAX / 2 notes or more, each job may have only NOTE_JOB_FEW.
 *
 * TASK messages may use only three quarters of a job's notes. The rest is for the begin and end of steps.
 * A JOB_CLOSE is limited only by NOTE_MAX and NOTE_USER_TIMES.
 */
#define NOTE_JOB_MAX 256
#define NOTE_JOB_FEW 16

/*
 * A user's limit is the number of notes that are still free, times this number.
 * So one user gets at most three quarters of NOTE_MAX.
 */
#define NOTE_USER_TIMES 3

/*
 * Writes @message to a file in RUN_DIR/notes. control_note_name() makes the file's name.
 * While the file is not complete, its name begins with '.'.
 *
 * Returns 0; -1 with @err and errno set:
 * - ENOENT: no such directory
 * - EPERM: the directory or RUN_DIR belongs to others, or others may write to it
 * - EDQUOT: no room
 */
int note_leave(const char *run_dir, const struct control_message *message, struct error *err);

#endif
