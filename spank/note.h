/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A control message left as a file for a collector that is not there now. */
#ifndef STINT_NOTE_H
#define STINT_NOTE_H

#include "collector/common/error.h"
#include "spank/control.h"

/*
 * RUN_DIR lies in memory, and a collector may be away for weeks: beyond this
 * many notes no more are left.
 */
#define NOTE_MAX 4096

/*
 * Writes @message into RUN_DIR/notes, by the name of control_note_name(): first
 * with a '.' in front, then by a rename.
 *
 * Returns 0; -1 with @err and errno set: there is no such directory (ENOENT),
 * it or RUN_DIR is not a directory of the calling user alone (EPERM), or full (EDQUOT).
 */
int note_leave(const char *run_dir, const struct control_message *message, struct error *err);

#endif
