/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes answers to the plugin, which accepts only an answer of its own version. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "spank/message.h"
#include "tests/fuzz/fuzz.h"

static int listener;
static const char *root;
static struct {
	const uint8_t *data;
	size_t size;
} answer;

static void *answer_one(void *unused)
{
	struct control_message message;
	int fd = accept(listener, NULL, NULL);

	(void)unused;
	HOLDS(fd >= 0 && recv(fd, &message, sizeof(message), 0) == sizeof(message));
	if (answer.size)
		send(fd, answer.data, answer.size, MSG_NOSIGNAL);
	close(fd);
	return NULL;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	(void)argc;
	(void)argv;
	root = fuzz_directory();
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/" CONTROL_SOCKET, root);
	listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	HOLDS(listener >= 0 && bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	      listen(listener, 4) == 0);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct control_message message;
	struct control_reply reply;
	struct error err = { "" };
	pthread_t thread;

	answer.data = data;
	answer.size = size;
	message_init(&message, CONTROL_OPEN, CONTROL_MODE_DEFAULT);
	HOLDS(pthread_create(&thread, NULL, answer_one, NULL) == 0);
	if (message_send(root, &message, 60000, &reply, &err) == 0)
		HOLDS(size == sizeof(reply) && reply.magic == CONTROL_MAGIC && reply.version == CONTROL_VERSION &&
		      reply.kind == CONTROL_OPEN && memchr(reply.text, '\0', sizeof(reply.text)));
	else
		HOLDS(err.text[0]);
	pthread_join(thread, NULL);
	return 0;
}
