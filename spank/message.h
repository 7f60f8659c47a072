/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes control messages, and sends them to the collector with a time limit. */
#ifndef STINT_MESSAGE_H
#define STINT_MESSAGE_H

#include <stddef.h>

#include "common/control.h"
#include "common/error.h"

/* Longest RUN_DIR in bytes: RUN_DIR "/" CONTROL_SOCKET must fit into sockaddr_un.sun_path. */
#define MESSAGE_RUN_DIR_MAX 95

/*
 * Begins a message of @kind: sets the header and the time.
 * Job, step, user and group are CONTROL_NONE. All else is zero.
 */
void message_init(struct control_message *message, enum control_kind kind, enum control_mode mode);

/*
 * Copies @text (may be NULL) into a field of @size bytes.
 * Leaves the field empty if @text is too long: half a path would name another file.
 */
void message_text(char *field, size_t size, const char *text);

/*
 * Sends @message to RUN_DIR/stintd.sock, but only if a process of the calling user listens there.
 * Raises no signal, and leaves no descriptor open.
 *
 * @run_dir: at most MESSAGE_RUN_DIR_MAX characters
 * @wait_ms: limit in milliseconds for connecting, sending and the answer together; 0: one try
 * @reply: set to the answer; NULL: do not wait
 *
 * Returns 0; -1 with @err set, which names the socket and the reason.
 */
int message_send(const char *run_dir, const struct control_message *message, unsigned int wait_ms,
		 struct control_reply *reply, struct error *err);

#endif
