/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/reply.h"

#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/control.h"

void reply_send(int fd, uint16_t kind, int status, const char *text)
{
	struct control_reply reply = {
		.magic = CONTROL_MAGIC,
		.version = CONTROL_VERSION,
		.kind = kind,
		.status = status,
	};

	if (fd < 0)
		return;
	if (status < 0)
		snprintf(reply.text, sizeof(reply.text), "%.*s", (int)sizeof(reply.text) - 1, text);
	/* ignore errors: the plugin may have stopped waiting */
	send(fd, &reply, sizeof(reply), MSG_NOSIGNAL | MSG_DONTWAIT);
	close(fd);
}
