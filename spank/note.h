/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leaves notes: control messages in files, for a collector that is not there. */
#ifndef STINT_NOTE_H
#define STINT_NOTE_H

#include "common/control.h"
#include "common/error.h"

/* The most notes on a node: RUN_DIR is in memory, and no collector may run for weeks. */
#define NOTE_MAX 4096

/*
 * The most notes of one job, so that one job does not use up all notes.
 * If there are NOTE_MAX / 2 notes, a job gets only NOTE_JOB_FEW.
 *
 * Messages about tasks get three quarters of these. The rest is for the ends of steps.
 * A JOB_CLOSE is limited only by NOTE_MAX and NOTE_USER_TIMES.
 */
#define NOTE_JOB_MAX 256
#define NOTE_JOB_FEW 16

/*
 * A user may have this many times the number of notes that are still free.
 * So one user gets at most three quarters of NOTE_MAX.
 */
#define NOTE_USER_TIMES 3

/*
 * Writes @message to a file in RUN_DIR/notes, named by control_note_name(). An unfinished file has a '.' before its
 * name.
 *
 * Returns 0; -1 with @err and errno set:
 * - ENOENT: no such directory
 * - EPERM: the directory or RUN_DIR belongs to others, or others may write to it
 * - EDQUOT: no room
 */
int note_leave(const char *run_dir, const struct control_message *message, struct error *err);

#endif
