/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes control messages, and sends them to the collector within a time limit. */
#ifndef STINT_MESSAGE_H
#define STINT_MESSAGE_H

#include <stddef.h>

#include "common/control.h"
#include "common/error.h"

/* The longest RUN_DIR in bytes, because RUN_DIR "/" CONTROL_SOCKET must fit into sockaddr_un.sun_path. */
#define MESSAGE_RUN_DIR_MAX 95

/*
 * Begins a message of @kind. Fills in the header and the time, and sets the numbers that every kind has to
 * CONTROL_NONE. Everything else is zero.
 */
void message_init(struct control_message *message, enum control_kind kind, enum control_mode mode);

/*
 * Copies @text (may be NULL) into a field of @size bytes. If @text does not fit, leaves the field empty, because half
 * a path would name another file.
 */
void message_text(char *field, size_t size, const char *text);

/*
 * Sends @message to RUN_DIR/stintd.sock, but only if a process of the calling user listens there. Raises no signal,
 * and leaves no descriptor open.
 *
 * @run_dir: has at most MESSAGE_RUN_DIR_MAX characters
 * @wait_ms: how many milliseconds connecting, sending and the answer together may take; 0: tries once, without
 * waiting
 * @reply: set to the answer; if NULL, does not wait for an answer
 *
 * Returns 0; -1 with @err set. @err names the socket and what is wrong with it.
 */
int message_send(const char *run_dir, const struct control_message *message, unsigned int wait_ms,
		 struct control_reply *reply, struct error *err);

#endif
