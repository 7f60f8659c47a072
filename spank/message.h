/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a control message and hands it to the collector, within a bound of time. */
#ifndef STINT_MESSAGE_H
#define STINT_MESSAGE_H

#include <stddef.h>

#include "collector/common/error.h"
#include "spank/control.h"

/* "/" CONTROL_SOCKET must fit behind it in sockaddr_un.sun_path. */
#define MESSAGE_RUN_DIR_MAX 95

/*
 * Starts a message: header and time are filled, the numbers that every kind
 * has are CONTROL_NONE, all else is zero.
 */
void message_init(struct control_message *message, enum control_kind kind, enum control_mode mode);

/*
 * Copies @text (may be NULL) into a field of @size bytes. A text that does not
 * fit is left out: half a path would be another path.
 */
void message_text(char *field, size_t size, const char *text);

/*
 * Sends @message to RUN_DIR/stintd.sock, when a process of the same user listens there.
 *
 * @run_dir: of MESSAGE_RUN_DIR_MAX characters at most
 * @wait_ms: how long it may take, the connection and the answer included; 0:
 *           one try, nothing is waited for
 * @reply: the answer, which is waited for when this is not NULL
 *
 * Returns 0; -1 with @err telling the socket and what is wrong with it. No
 * signal is raised, and no descriptor is left open.
 */
int message_send(const char *run_dir, const struct control_message *message, unsigned int wait_ms,
		 struct control_reply *reply, struct error *err);

#endif
