/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens and closes a job at stintd, as the plugin does.
 *
 *   job RUN_DIR JOB DIRECTORY STEP_DAEMON_PID TASK_PID   opens the job, with one step
 *   job RUN_DIR JOB DIRECTORY                            closes the job; its report goes to DIRECTORY
 *
 * The job's user is DIRECTORY's owner. Prints how many microseconds stintd took to answer. The exit status is 0 if stintd
 * counts the step, or has written the report.
 */
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "spank/message.h"

#define WAIT_S 10

static void fill(struct control_message *message, char *argv[], bool open)
{
	struct stat directory = {};
	const struct passwd *user;

	if (stat(argv[3], &directory) < 0)
		perror(argv[3]); /* go on: stintd says that the directory is missing */
	message_init(message, open ? CONTROL_OPEN : CONTROL_JOB_CLOSE, CONTROL_MODE_DEFAULT);
	message->job_id = atoi(argv[2]);
	user = getpwuid(directory.st_uid);
	message->uid = directory.st_uid;
	message->gid = directory.st_gid;
	message_text(message->node, sizeof(message->node), "bench");
	if (!open) {
		struct control_job_close *close = &message->job_close;

		message_text(close->user, sizeof(close->user), user ? user->pw_name : "");
		message_text(close->node_list, sizeof(close->node_list), "bench");
		message_text(close->work_dir, sizeof(close->work_dir), argv[3]);
		return;
	}
	message->step_id = 0;
	message_text(message->open.work_dir, sizeof(message->open.work_dir), argv[3]);
	message->open.task = (struct control_task){ atoi(argv[4]), atoi(argv[5]), 0 };
	message->open.step_nodes = message->open.step_tasks = 1;
	message->open.umask = -1;
}

static int connect_to(const char *run_dir)
{
	const struct timeval wait = { .tv_sec = WAIT_S };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/" CONTROL_SOCKET, run_dir);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)) < 0 ||
	    connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
		return -1;
	return fd;
}

/* Sends with the step daemon's pid, because stintd believes only that process. Only root can do so. */
static int send_as(int fd, const struct control_message *message, pid_t sender)
{
	const struct ucred who = { .pid = sender, .uid = geteuid(), .gid = getegid() };
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(who))];
	} control = { .header = { .cmsg_len = CMSG_LEN(sizeof(who)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_CREDENTIALS } };
	struct iovec data = { .iov_base = (void *)message, .iov_len = sizeof(*message) };
	const struct msghdr envelope = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};

	memcpy(CMSG_DATA(&control.header), &who, sizeof(who));
	return sendmsg(fd, &envelope, MSG_NOSIGNAL) == sizeof(*message) ? 0 : -1;
}

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

int main(int argc, char *argv[])
{
	struct control_message message;
	struct control_reply reply = {};
	double began_us;
	int fd;

	if (argc != 4 && argc != 6) {
		fprintf(stderr, "usage: job RUN_DIR JOB DIRECTORY [STEP_DAEMON_PID TASK_PID]\n");
		return 2;
	}
	fill(&message, argv, argc == 6);
	began_us = now_us();
	fd = connect_to(argv[1]);
	if (fd < 0 || send_as(fd, &message, argc == 6 ? message.open.task.stepd_pid : getpid()) < 0 ||
	    recv(fd, &reply, sizeof(reply), 0) != sizeof(reply)) {
		perror("job: stintd does not answer");
		return 1;
	}
	printf("%.0f\n", now_us() - began_us);
	if (reply.status != 0)
		fprintf(stderr, "job: stintd: %s\n", reply.text);
	return reply.status != 0;
}
