/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/host/systemd.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/clock.h"

#define EXTEND "EXTEND_TIMEOUT_USEC=10000000"
#define EXTEND_PAUSE_NS 1000000000ull /* shortest time between two messages */

void systemd_tell(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd;

	if (!path || strlen(path) >= sizeof(address.sun_path))
		return;
	memcpy(address.sun_path, path, strlen(path));
	if (path[0] == '@')
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address,
	       offsetof(struct sockaddr_un, sun_path) + strlen(path));
	close(fd);
}

void systemd_extend_start(void)
{
	static uint64_t after_ns; /* CLOCK_MONOTONIC of the next message */
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (now < after_ns)
		return;
	after_ns = now + EXTEND_PAUSE_NS;
	systemd_tell(EXTEND);
}
