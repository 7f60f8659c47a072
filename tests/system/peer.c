/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tests' peer at the control socket: any plugin, any stintd, or a stand-in for slurmstepd.
 * Knows common/control.h and nothing else of stint.
 *
 *   peer SOCKET send [KEY=VALUE...]   sends a whole message of an unknown job, with the changes of KEY=VALUE.
 *                                     Prints the answer: its status and text, or "closed", or "silent"
 *     magic= version= size= mode=     of the header
 *     kind= job= step= uid= stepd=    as in the message; the default of stepd is this process
 *     task= rank= exit= work_dir= node=
 *     unended=FIELD                   this text (node, cluster, user, partition, node_list, work_dir, output) has no end
 *     bytes=N                         sends N bytes: less or more than the message
 *     count=N                         N times, with a new connection and the next job; prints the last answer
 *     wait=MS                         for each answer (2000); 0: ends the connection at once
 *     as=UID                          connects as root, and sends as this user
 *   peer size                         prints the length of a message, in bytes
 *   peer SOCKET hold N                makes N connections, prints "held", and keeps them until it is killed
 *   peer SOCKET serve HOW [UID]       listens there (as UID), prints "serves", and treats all callers in one way:
 *                                     silent, close, short, long, magic, version, kind.
 *                                     Prints "heard" for each message
 *   peer SOCKET step KEY=VALUE... [-- OWN... -- TASK... -- COMMAND...]
 *                                     does as slurmstepd: enters the cgroups OWN, forks a task that enters the
 *                                     cgroups TASK, opens the step, lets the task run COMMAND, closes the step.
 *                                     OWN and TASK are names of cgroup.procs
 *     late=1                          lets the task run first, and opens the step when it is given a line
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/control.h"

#define ANSWER_MS 2000
#define LONGEST (2 << 20)

static struct sockaddr_un address = { .sun_family = AF_UNIX };

static struct {
	size_t bytes;
	unsigned long count;
	int wait_ms;
	long as;
	bool late;
} how = { sizeof(struct control_message), 1, ANSWER_MS, -1, false };

/* The message's fields of the step or job, if its kind has them. */
static struct {
	struct control_task task;
	int32_t exit_status;
	char cluster[sizeof(((struct control_open *)0)->cluster)];
	char user[sizeof(((struct control_job_close *)0)->user)];
	char partition[sizeof(((struct control_job_close *)0)->partition)];
	char node_list[sizeof(((struct control_open *)0)->node_list)];
	char work_dir[sizeof(((struct control_open *)0)->work_dir)];
	char output[sizeof(((struct control_open *)0)->output)];
} body = { .task = { .rank = CONTROL_NONE }, .work_dir = "/nonexistent" };

static void __attribute__((noreturn)) fail(const char *what)
{
	fprintf(stderr, "peer: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void stamp(struct control_message *message)
{
	message->sent_ns = clock_ns(CLOCK_BOOTTIME);
	message->sent_unix_ns = clock_ns(CLOCK_REALTIME);
}

static void whole_message(struct control_message *message)
{
	memset(message, 0, sizeof(*message));
	message->magic = CONTROL_MAGIC;
	message->version = CONTROL_VERSION;
	message->kind = CONTROL_OPEN;
	message->size = sizeof(*message);
	message->job_id = 4000000000u;
	body.task.stepd_pid = getpid();
	strcpy(message->node, "nowhere");
	stamp(message);
}

#define COPY(to, field) memcpy((to)->field, body.field, sizeof((to)->field))

static void fill_body(struct control_message *message)
{
	struct control_open *open = &message->open;
	struct control_job_close *close = &message->job_close;

	switch (message->kind) {
	case CONTROL_OPEN:
		memset(open, 0, sizeof(*open));
		open->task = body.task;
		open->array_job_id = open->array_task_id = CONTROL_NONE;
		open->step_nodes = open->step_tasks = 1;
		open->umask = -1;
		COPY(open, cluster), COPY(open, node_list), COPY(open, work_dir), COPY(open, output);
		break;
	case CONTROL_TASK:
		message->task = body.task;
		break;
	case CONTROL_STEP_CLOSE:
		message->step_close.exit_status = body.exit_status;
		break;
	case CONTROL_JOB_CLOSE:
		memset(close, 0, sizeof(*close));
		close->exit_status = body.exit_status;
		COPY(close, cluster), COPY(close, user), COPY(close, partition), COPY(close, node_list);
		COPY(close, work_dir), COPY(close, output);
		break;
	}
}

static const struct text {
	const char *name;
	char *at; /* NULL: in the message's head */
	size_t size;
} texts[] = {
#define TEXT(field) { #field, body.field, sizeof(body.field) }
	{ "node", NULL, sizeof(((struct control_message *)0)->node) },
	TEXT(cluster), TEXT(user), TEXT(partition), TEXT(node_list), TEXT(work_dir), TEXT(output),
#undef TEXT
};

static const struct text *text_of(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strncmp(texts[i].name, name, length) == 0 && !texts[i].name[length])
			return &texts[i];
	return NULL;
}

static bool set_number(struct control_message *m, const char *key, unsigned long long value)
{
#define NUMBER(name, field)               \
	if (strcmp(key, name) == 0) {     \
		field = value;            \
		return true;              \
	}
	NUMBER("magic", m->magic)
	NUMBER("version", m->version)
	NUMBER("size", m->size)
	NUMBER("mode", m->mode)
	NUMBER("kind", m->kind)
	NUMBER("job", m->job_id)
	NUMBER("step", m->step_id)
	NUMBER("uid", m->uid)
	NUMBER("gid", m->gid)
	NUMBER("stepd", body.task.stepd_pid)
	NUMBER("task", body.task.pid)
	NUMBER("rank", body.task.rank)
	NUMBER("exit", body.exit_status)
	NUMBER("bytes", how.bytes)
	NUMBER("count", how.count)
	NUMBER("wait", how.wait_ms)
	NUMBER("as", how.as)
	NUMBER("late", how.late)
#undef NUMBER
	return false;
}

static void set(struct control_message *message, const char *argument)
{
	const char *value = strchr(argument, '=');
	const struct text *text = value ? text_of(argument, value - argument) : NULL;
	char key[32];

	if (!value || value - argument >= (ptrdiff_t)sizeof(key))
		fail(argument);
	snprintf(key, sizeof(key), "%.*s", (int)(value++ - argument), argument);
	if (text) {
		snprintf(text->at ? text->at : message->node, text->size, "%s", value);
	} else if (strcmp(key, "unended") == 0 && (text = text_of(value, strlen(value)))) {
		memset(text->at ? text->at : message->node, 'x', text->size);
	} else if (!set_number(message, key, strtoull(value, NULL, 0)) || how.bytes > LONGEST) {
		errno = EINVAL;
		fail(argument);
	}
}

static int call(void)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), room = 2 * LONGEST;

	if (fd < 0)
		fail("socket");
	setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room));
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
		fail(address.sun_path);
	return fd;
}

static void print_answer(int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	struct control_reply reply;
	ssize_t length;

	if (poll(&poller, 1, how.wait_ms) <= 0) {
		puts("silent");
		return;
	}
	length = recv(fd, &reply, sizeof(reply), 0);
	if (length <= 0)
		puts("closed");
	else
		printf("%d %.*s\n", reply.status, (int)sizeof(reply.text), reply.text);
}

/* Sends as much of @message as bytes= says. Fills a longer one with "x". Returns the connection. */
static int say(struct control_message *message)
{
	static char longest[LONGEST];
	int fd = call();

	fill_body(message);
	if (how.bytes > sizeof(*message))
		memset(longest, 'x', how.bytes);
	memcpy(longest, message, sizeof(*message));
	if (how.as >= 0 && setresuid(how.as, how.as, how.as) < 0)
		fail("setresuid");
	if (send(fd, longest, how.bytes, MSG_NOSIGNAL) < 0 && errno != EPIPE && errno != ECONNRESET)
		fail("send");
	return fd;
}

static void send_all(struct control_message *message)
{
	for (unsigned long i = 1; i <= how.count; i++) {
		int fd = say(message);

		if (how.wait_ms && i == how.count)
			print_answer(fd);
		close(fd);
		message->job_id++;
	}
}

static void __attribute__((noreturn)) hold(int count)
{
	for (int i = 0; i < count; i++)
		call();
	puts("held");
	for (;;)
		pause();
}

static void answer(int fd, const char *manner)
{
	struct control_message message;
	struct {
		struct control_reply reply;
		char more[64];
	} out = { .reply = { .magic = CONTROL_MAGIC, .version = CONTROL_VERSION } };
	size_t size = sizeof(out.reply);

	if (recv(fd, &message, sizeof(message), 0) <= 0)
		return;
	puts("heard");
	out.reply.kind = message.kind;
	if (strcmp(manner, "short") == 0)
		size = 5;
	else if (strcmp(manner, "long") == 0)
		size = sizeof(out);
	else if (strcmp(manner, "magic") == 0)
		out.reply.magic++;
	else if (strcmp(manner, "version") == 0)
		out.reply.version++;
	else if (strcmp(manner, "kind") == 0)
		out.reply.kind++;
	else
		return;
	send(fd, &out, size, MSG_NOSIGNAL);
}

static void __attribute__((noreturn)) serve(const char *manner, const char *uid)
{
	int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	unlink(address.sun_path);
	if (bind(listener, (const struct sockaddr *)&address, sizeof(address)) < 0)
		fail(address.sun_path);
	if (uid && (chown(address.sun_path, atoi(uid), -1) < 0 || setresuid(atoi(uid), atoi(uid), atoi(uid)) < 0))
		fail(uid);
	if (listen(listener, 128) < 0)
		fail("listen");
	puts("serves");
	for (;;) {
		int fd = accept(listener, NULL, NULL);

		if (fd < 0)
			fail("accept");
		answer(fd, manner);
		if (strcmp(manner, "silent") != 0)
			close(fd);
	}
}

/* Writes this process into each file up to "--" or the end. Returns what comes behind. */
static char **enter(char **files)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", getpid());
	for (; *files && strcmp(*files, "--") != 0; files++) {
		int fd = open(*files, O_WRONLY | O_CLOEXEC);

		if (fd < 0 || write(fd, pid, strlen(pid)) < 0)
			fail(*files);
		close(fd);
	}
	return *files ? files + 1 : files;
}

/* Forks a task that enters its cgroups, and then waits until @go is closed. */
static pid_t fork_task(char **files, uid_t uid, int ready[2], int go[2])
{
	pid_t pid = fork();
	char byte;

	if (pid != 0)
		return pid;
	files = enter(files);
	close(go[1]);
	close(ready[1]);
	if (read(go[0], &byte, 1) < 0 || setresuid(uid, uid, uid) < 0)
		fail("the task");
	execvp(files[0], files);
	fail(files[0]);
}

static int step(struct control_message *message, char **arguments)
{
	int ready[2], go[2], status, fd;
	char byte;

	for (; *arguments && strcmp(*arguments, "--") != 0; arguments++)
		set(message, *arguments);
	if (!*arguments || pipe2(ready, O_CLOEXEC) < 0 || pipe2(go, O_CLOEXEC) < 0)
		fail("step");
	arguments = enter(arguments + 1);
	body.task = (struct control_task){ getpid(), fork_task(arguments, message->uid, ready, go), 0 };
	close(ready[1]);
	if (body.task.pid < 0 || read(ready[0], &byte, 1) < 0) /* until the task is in its cgroup */
		fail("the task");
	if (how.late) {
		close(go[1]);
		if (read(STDIN_FILENO, &byte, 1) < 0)
			fail("late");
	}
	stamp(message);
	fd = say(message);
	print_answer(fd);
	close(fd);
	if (!how.late)
		close(go[1]);
	waitpid(body.task.pid, &status, 0);
	message->kind = CONTROL_STEP_CLOSE;
	body.exit_status = status;
	stamp(message);
	fd = say(message);
	print_answer(fd);
	close(fd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	struct control_message message;

	if (argc == 2 && strcmp(argv[1], "size") == 0)
		return printf("%zu\n", sizeof(message)) < 0;
	if (argc < 3 || strlen(argv[1]) >= sizeof(address.sun_path))
		fail("usage: peer SOCKET send|hold|serve|step ...");
	setvbuf(stdout, NULL, _IOLBF, 0);
	strcpy(address.sun_path, argv[1]);
	whole_message(&message);
	if (strcmp(argv[2], "hold") == 0 && argc == 4)
		hold(atoi(argv[3]));
	if (strcmp(argv[2], "serve") == 0 && argc >= 4)
		serve(argv[3], argv[4]);
	if (strcmp(argv[2], "step") == 0)
		return step(&message, argv + 3);
	if (strcmp(argv[2], "send") != 0)
		fail("send, hold, serve or step?");
	for (int i = 3; i < argc; i++)
		set(&message, argv[i]);
	send_all(&message);
	return 0;
}
