/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends the answer to a control message. */
#ifndef STINT_REPLY_H
#define STINT_REPLY_H

#include <stdint.h>

/*
 * Answers the plugin on @fd and closes @fd. If @fd is -1, does nothing.
 *
 * @text: the reason for a @status of -1
 */
void reply_send(int fd, uint16_t kind, int status, const char *text);

#endif
