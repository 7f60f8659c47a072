/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a control message and sends it to the collector, within a time limit. */
#ifndef STINT_MESSAGE_H
#define STINT_MESSAGE_H

#include <stddef.h>

#include "common/control.h"
#include "common/error.h"

/* RUN_DIR "/" CONTROL_SOCKET must fit into sockaddr_un.sun_path. */
#define MESSAGE_RUN_DIR_MAX 95

/*
 * Begins a message: fills in the header and the time. The numbers that every kind has are set to CONTROL_NONE, and
 * everything else is zero.
 */
void message_init(struct control_message *message, enum control_kind kind, enum control_mode mode);

/*
 * Copies @text (may be NULL) into a field of @size bytes. If a text does not fit, the field is empty, because half a
 * path would be another path.
 */
void message_text(char *field, size_t size, const char *text);

/*
 * Sends @message to RUN_DIR/stintd.sock, if a process of the same user listens there. Raises no signal, and leaves no
 * descriptor open.
 *
 * @run_dir: has at most MESSAGE_RUN_DIR_MAX characters
 * @wait_ms: how long connection, sending and answer together may take, in milliseconds; 0: tries once, without waiting
 * @reply: set to the answer; if NULL, does not wait for an answer
 *
 * Returns 0; -1 with @err set, which names the socket and what is wrong with it.
 */
int message_send(const char *run_dir, const struct control_message *message, unsigned int wait_ms,
		 struct control_reply *reply, struct error *err);

#endif
