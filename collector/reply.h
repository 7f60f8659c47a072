/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends the answer to a control message. The plugin waits for this answer.
 */
#ifndef STINT_REPLY_H
#define STINT_REPLY_H

#include <stdint.h>

/*
 * Answers the plugin that waits on @fd, and closes @fd. Does nothing if @fd is -1. @text: the reason, sent if @status
 * is -1
 */
void reply_send(int fd, uint16_t kind, int status, const char *text);

#endif
