/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/deliver/epilog_serve.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <grp.h>
#include <json-c/json.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/process/helper.h"
#include "common/process/writer_process.h"
#include "reports/files/known_groups.h"

#define CALLS_MAX 1000

/*
 * Receives a call, with a descriptor in *@fd. Clears @call first, because the writer must not see an earlier call.
 * Returns 1; 0 if the message is no call; -1 if no call will come.
 */
static int receive(struct writer_call *call, int *fd)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(*fd))];
	} control;
	struct iovec data = { .iov_base = call, .iov_len = sizeof(*call) };
	struct msghdr envelope = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	const struct cmsghdr *header;
	ssize_t length;

	memset(call, 0, sizeof(*call));
	length = recvmsg(STDIN_FILENO, &envelope, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (length <= 0)
		return -1;
	header = CMSG_FIRSTHDR(&envelope);
	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
		return 0;
	memcpy(fd, CMSG_DATA(header), sizeof(*fd));
	call->record[sizeof(call->record) - 1] = '\0';
	return 1;
}

static void answer(pid_t pid)
{
	const struct writer_answer answer = { .pid = pid };

	send(STDIN_FILENO, &answer, sizeof(answer), MSG_NOSIGNAL);
}

/*
 * Makes a child of stintd, not of this process: stintd waits for the writer, and counts the processes that the writer
 * leaves behind. fork() and posix_spawn() cannot do this. The system call alone is enough, because this process has no
 * threads.
 */
static pid_t fork_sibling(void)
{
	return (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
}

/* Gives the writer its own descriptors. Returns 0; -1 on failure. */
static int take_descriptors(int why_fd)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(why_fd, STDOUT_FILENO) < 0)
		return -1;
	close(null);
	close(why_fd);
	close_range(3, ~0U, 0);
	return 0;
}

/*
 * Looks up the user root, if this asks no directory service. Then the C library has read nsswitch.conf, and no writer
 * needs to read it again.
 */
static void look_up_names(const char *line)
{
	const char *services = strchr(line, ':') + 1;

	services += strspn(services, " \t");
	if (strncmp(services, "files", 5) != 0 || !strchr(" \t\n", services[5]))
		return;
	if (strncmp(line, "passwd:", 7) == 0)
		getpwuid(0);
	else if (strncmp(line, "group:", 6) == 0)
		getgrgid(0);
}

/*
 * Loads libraries of directory services for all writers. Each writer must make the first look-up itself. So loads only
 * libraries that do nothing before a look-up.
 */
static void load_directory_services(void)
{
	static const struct {
		const char *name, *library;
	} services[] = { { "systemd", "libnss_systemd.so.2" }, { "sss", "libnss_sss.so.2" } };
	FILE *file = fopen("/etc/nsswitch.conf", "re");
	char line[512], *rest, *word;

	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "passwd:", 7) != 0 && strncmp(line, "group:", 6) != 0 && strncmp(line, "initgroups:", 11) != 0)
			continue;
		look_up_names(line);
		for (word = strtok_r(line, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest))
			for (size_t i = 0; i < sizeof(services) / sizeof(services[0]); i++)
				if (strcmp(word, services[i].name) == 0)
					dlopen(services[i].library, RTLD_NOW);
	}
	if (file)
		fclose(file);
}

/* Does what each writer would repeat. For example, json-c asks the kernel for a random number. */
static void warm_up(void)
{
	json_object_put(json_tokener_parse("{\"warm\": 1.5}"));
	tzset();
	load_directory_services();
	known_groups_begin();
}

int epilog_serve(int (*deliver)(const char *record, bool first))
{
	static struct writer_call call;
	struct helper helper = { 0 };
	int calls = 0, fd, status;

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* end with stintd */
	unsetenv("LD_BIND_NOW"); /* stintd set it only for this process */
	warm_up();
	answer(0);
	while (calls < CALLS_MAX && helper_waits(&helper, STDIN_FILENO)) {
		pid_t pid;

		status = receive(&call, &fd);
		if (status < 0)
			break;
		if (status == 0)
			continue;
		pid = fork_sibling();
		if (pid == 0) {
			status = take_descriptors(fd) < 0 ? EXIT_FAILURE : deliver(call.record, call.first);
			fflush(NULL);
			_exit(status);
		}
		close(fd);
		answer(pid);
		calls++;
	}
	return EXIT_SUCCESS;
}
