/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a message takes at most its allowed time, whatever the collector does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "spank/message.h"
#include "tests/unit/within.h"

#define SLACK_MS 60

enum behaviour {
	ANSWERS,
	REFUSES,        /* status -1 */
	HANGS,          /* listens, never accepts */
	IS_SLOW,        /* answers after the caller has gone */
	ANSWERS_GARBAGE,
	ANSWERS_TOO_MUCH,
	CLOSES_EARLY,
	RESETS,         /* closes with the message unread */
};

struct server {
	enum behaviour behaviour;
	int listener;
	int stop[2];
	pthread_t thread;
	char directory[64];
	struct control_message seen;
};

/* How long threads of this process have waited for a CPU: on a busy machine they wait. */
static uint64_t run_delay_ns(void)
{
	DIR *directory = opendir("/proc/self/task");
	struct dirent *entry;
	uint64_t sum = 0;

	while (directory && (entry = readdir(directory))) {
		unsigned long long on_cpu, delay;
		char path[sizeof("/proc/self/task//schedstat") + NAME_MAX];
		FILE *file;

		snprintf(path, sizeof(path), "/proc/self/task/%s/schedstat", entry->d_name);
		file = fopen(path, "re");
		if (file && fscanf(file, "%llu %llu", &on_cpu, &delay) == 2)
			sum += delay;
		if (file)
			fclose(file);
	}
	if (directory)
		closedir(directory);
	return sum;
}

/* The time, less what other work on this machine has taken from it. */
static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec * 1000000000ull + now.tv_nsec - run_delay_ns()) / 1000000;
}

/* Two threads may have waited at once: then nothing is left of the time. */
static uint64_t since_ms(uint64_t began)
{
	uint64_t now = now_ms();

	return now > began ? now - began : 0;
}

static void answer(struct server *server, int fd)
{
	struct control_reply reply = { CONTROL_MAGIC, CONTROL_VERSION, 0, 0, "" };
	char much[sizeof(reply) + 100] = "";

	if (server->behaviour == RESETS)
		return;
	if (recv(fd, &server->seen, sizeof(server->seen), 0) != sizeof(server->seen))
		return;
	reply.kind = server->seen.kind;
	switch (server->behaviour) {
	case REFUSES:
		reply.status = -1;
		memset(reply.text, 'x', sizeof(reply.text));
		break;
	case IS_SLOW:
		while (recv(fd, much, sizeof(much), 0) > 0)
			;
		break;
	case ANSWERS_GARBAGE:
		send(fd, "hello", 5, MSG_NOSIGNAL);
		return;
	case ANSWERS_TOO_MUCH:
		memcpy(much, &reply, sizeof(reply));
		send(fd, much, sizeof(much), MSG_NOSIGNAL);
		return;
	case CLOSES_EARLY:
		return;
	default:
		break;
	}
	send(fd, &reply, sizeof(reply), MSG_NOSIGNAL);
}

static void *serve(void *data)
{
	struct server *server = data;
	char byte;

	if (server->behaviour == HANGS) {
		if (read(server->stop[0], &byte, 1) < 0)
			return NULL;
		return NULL;
	}
	for (;;) {
		int fd = accept(server->listener, NULL, NULL);

		if (fd < 0)
			return NULL;
		answer(server, fd);
		close(fd);
	}
}

static void start(struct server *server, enum behaviour behaviour)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	memset(server, 0, sizeof(*server));
	server->behaviour = behaviour;
	strcpy(server->directory, "/tmp/stint-test-XXXXXX");
	assert_non_null(mkdtemp(server->directory));
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/" CONTROL_SOCKET, server->directory);
	server->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(server->listener, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(server->listener, 0), 0);
	assert_int_equal(pipe(server->stop), 0);
	assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

static void end_server(struct server *server)
{
	char path[128];

	shutdown(server->listener, SHUT_RDWR);
	close(server->stop[1]);
	pthread_join(server->thread, NULL);
	close(server->stop[0]);
	close(server->listener);
	snprintf(path, sizeof(path), "%s/" CONTROL_SOCKET, server->directory);
	unlink(path);
	rmdir(server->directory);
}

static unsigned int open_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	unsigned int count = 0;

	while (readdir(directory))
		count++;
	closedir(directory);
	return count;
}

/* Sends an OPEN, and checks its time against the limit of a step's start. */
static int send_open(const char *directory, struct control_reply *reply, struct error *err)
{
	struct control_message message;
	uint64_t began = now_ms();
	int result;

	message_init(&message, CONTROL_OPEN, CONTROL_MODE_TIMELINE);
	message.job_id = 12;
	result = message_send(directory, &message, CONTROL_OPEN_WAIT_MS, reply, err);
	assert_within(since_ms(began), 0, CONTROL_OPEN_WAIT_MS + SLACK_MS);
	return result;
}

static void the_answer_of_the_collector_is_handed_on(void **state)
{
	struct control_reply reply;
	struct server server;
	struct error err;

	(void)state;
	start(&server, ANSWERS);
	assert_int_equal(send_open(server.directory, &reply, &err), 0);
	assert_int_equal(reply.status, 0);
	assert_int_equal(server.seen.magic, CONTROL_MAGIC);
	assert_int_equal(server.seen.size, sizeof(struct control_message));
	assert_int_equal(server.seen.job_id, 12);
	assert_int_equal(server.seen.mode, CONTROL_MODE_TIMELINE);
	assert_true(server.seen.sent_unix_ns > server.seen.sent_ns);
	end_server(&server);
}

static void a_refusal_ends_in_a_nul(void **state)
{
	struct control_reply reply;
	struct server server;
	struct error err;

	(void)state;
	start(&server, REFUSES);
	assert_int_equal(send_open(server.directory, &reply, &err), 0);
	assert_int_equal(reply.status, -1);
	assert_int_equal(strlen(reply.text), sizeof(reply.text) - 1);
	end_server(&server);
}

static void an_absent_collector_costs_nothing(void **state)
{
	struct control_reply reply;
	uint64_t began = now_ms();
	struct error err;

	(void)state;
	assert_int_equal(send_open("/nonexistent", &reply, &err), -1);
	assert_string_equal(err.text, "/nonexistent/stintd.sock: No such file or directory");
	assert_within(since_ms(began), 0, SLACK_MS);
}

static void a_dead_collector_costs_nothing(void **state)
{
	struct control_reply reply;
	struct server server;
	struct error err;
	uint64_t began;

	(void)state;
	start(&server, HANGS);
	close(server.listener);
	began = now_ms();
	assert_int_equal(send_open(server.directory, &reply, &err), -1);
	assert_non_null(strstr(err.text, "Connection refused"));
	assert_within(since_ms(began), 0, SLACK_MS);
	end_server(&server);
}

static void bad_collector(enum behaviour behaviour, const char *said)
{
	struct control_reply reply;
	struct server server;
	struct error err;

	start(&server, behaviour);
	assert_int_equal(send_open(server.directory, &reply, &err), -1);
	assert_non_null(strstr(err.text, said));
	end_server(&server);
}

static void a_hung_collector_holds_a_step_250_ms_at_most(void **state)
{
	(void)state;
	bad_collector(HANGS, "no answer in time");
}

static void a_slow_collector_holds_a_step_250_ms_at_most(void **state)
{
	(void)state;
	bad_collector(IS_SLOW, "no answer in time");
}

static void a_full_backlog_holds_a_step_250_ms_at_most(void **state)
{
	int waiting[16];
	unsigned int count = 0;
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct control_reply reply;
	struct server server;
	struct error err;

	(void)state;
	start(&server, HANGS);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/" CONTROL_SOCKET, server.directory);
	for (; count < 16; count++) {
		waiting[count] = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0);
		if (connect(waiting[count], (struct sockaddr *)&address, sizeof(address)) < 0)
			break;
	}
	assert_within(count, 1, 15);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(send_open(server.directory, &reply, &err), -1);
	assert_non_null(strstr(err.text, "timed out"));
	for (unsigned int i = 0; i <= count; i++)
		close(waiting[i]);
	end_server(&server);
}

static void no_descriptor_is_left_open(void **state)
{
	struct control_reply reply;
	struct server server;
	unsigned int before;
	struct error err;

	(void)state;
	start(&server, HANGS); /* accepts nothing, so every descriptor that comes is the sender's */
	before = open_descriptors();
	assert_int_equal(send_open("/nonexistent", &reply, &err), -1);
	assert_int_equal(send_open(server.directory, &reply, &err), -1);
	assert_int_equal(open_descriptors(), before);
	end_server(&server);
}

static void garbage_is_no_answer(void **state)
{
	(void)state;
	bad_collector(ANSWERS_GARBAGE, "another version");
	bad_collector(ANSWERS_TOO_MUCH, "another version");
}

static void a_collector_that_closes_early_raises_no_signal(void **state)
{
	(void)state;
	bad_collector(CLOSES_EARLY, "closed without an answer");
	bad_collector(RESETS, CONTROL_SOCKET ": ");
}

static void nothing_is_waited_for_where_no_answer_is_due(void **state)
{
	struct control_message message;
	struct server server;
	uint64_t began;

	(void)state;
	start(&server, HANGS);
	message_init(&message, CONTROL_TASK, CONTROL_MODE_DEFAULT);
	began = now_ms();
	assert_int_equal(message_send(server.directory, &message, 0, NULL, NULL), 0);
	for (int i = 0; i < 16; i++)
		message_send(server.directory, &message, 0, NULL, NULL);
	assert_within(since_ms(began), 0, SLACK_MS);
	end_server(&server);
}

static void a_text_that_does_not_fit_is_left_out(void **state)
{
	char field[4] = "old";

	(void)state;
	message_text(field, sizeof(field), "abc");
	assert_string_equal(field, "abc");
	message_text(field, sizeof(field), "abcd");
	assert_string_equal(field, "");
	message_text(field, sizeof(field), NULL);
	assert_string_equal(field, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_answer_of_the_collector_is_handed_on),
		cmocka_unit_test(a_refusal_ends_in_a_nul),
		cmocka_unit_test(an_absent_collector_costs_nothing),
		cmocka_unit_test(a_dead_collector_costs_nothing),
		cmocka_unit_test(a_hung_collector_holds_a_step_250_ms_at_most),
		cmocka_unit_test(a_slow_collector_holds_a_step_250_ms_at_most),
		cmocka_unit_test(a_full_backlog_holds_a_step_250_ms_at_most),
		cmocka_unit_test(no_descriptor_is_left_open),
		cmocka_unit_test(garbage_is_no_answer),
		cmocka_unit_test(a_collector_that_closes_early_raises_no_signal),
		cmocka_unit_test(nothing_is_waited_for_where_no_answer_is_due),
		cmocka_unit_test(a_text_that_does_not_fit_is_left_out),
	};

	return cmocka_run_group_tests_name("spank message", tests, NULL, NULL);
}
