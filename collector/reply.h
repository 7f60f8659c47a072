/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer to a control message: the plugin waits for it. */
#ifndef STINT_REPLY_H
#define STINT_REPLY_H

#include <stdint.h>

/* Answers the plugin that waits on @fd, unless that is -1, and closes it. @text: the reason if @status is -1. */
void reply_send(int fd, uint16_t kind, int status, const char *text);

#endif
