/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/asking.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/host/log.h"
#include "common/process/child.h"

#define NAME "slurm"
#define HELPER "stint-slurm-job"
#define BACKLOG 64 /* more than there can be writers */

struct asking {
	int epoll_fd; /* watches the socket while no helper runs */
	int listen_fd;
	int pid; /* 0: none */
	const char *libexec_dir;
	struct sockaddr_un address;
};

static int watch(struct asking *asking)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(asking->epoll_fd, EPOLL_CTL_ADD, asking->listen_fd, &event);
}

struct asking *asking_open(const char *run_dir, const char *libexec_dir, struct error *err)
{
	struct asking *asking = calloc(1, sizeof(*asking));
	const char *path;
	int length;

	if (!asking) {
		error_errno(err, "cannot open the socket for " HELPER);
		return NULL;
	}
	path = asking->address.sun_path;
	asking->libexec_dir = libexec_dir;
	asking->address.sun_family = AF_UNIX;
	length = snprintf(asking->address.sun_path, sizeof(asking->address.sun_path), "%s/" NAME, run_dir);
	asking->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	asking->listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if ((size_t)length >= sizeof(asking->address.sun_path)) {
		error_set(err, "run_dir '%s' is too long for a socket's path", run_dir);
		goto failed;
	}
	unlink(path); /* left by a killed stintd: server_check() found no running one */
	if (asking->epoll_fd < 0 || asking->listen_fd < 0 ||
	    bind(asking->listen_fd, (struct sockaddr *)&asking->address, sizeof(asking->address)) < 0 ||
	    chmod(path, 0600) < 0 || listen(asking->listen_fd, BACKLOG) < 0 || watch(asking) < 0) {
		error_errno(err, "%s", path);
		goto failed;
	}
	return asking;
failed:
	asking_close(asking);
	return NULL;
}

int asking_fd(const struct asking *asking)
{
	return asking->epoll_fd;
}

const char *asking_path(const struct asking *asking)
{
	return asking ? asking->address.sun_path : NULL;
}

static int start_helper(const struct asking *asking)
{
	char program[PATH_MAX + 32];
	const char *arguments[] = { program, "--serve", NULL };

	snprintf(program, sizeof(program), "%s/" HELPER, asking->libexec_dir);
	return child_start(arguments, NULL, &(struct child_files){ asking->listen_fd, CHILD_KEEPS, CHILD_KEEPS });
}

/* Closes the waiting connections, so each writer asks slurmctld itself. */
static void turn_away(const struct asking *asking)
{
	int fd;

	while ((fd = accept4(asking->listen_fd, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		close(fd);
}

void asking_run(struct asking *asking)
{
	if (!asking->pid)
		asking->pid = start_helper(asking);
	if (asking->pid < 0) {
		asking->pid = 0;
		turn_away(asking);
	} else {
		epoll_ctl(asking->epoll_fd, EPOLL_CTL_DEL, asking->listen_fd, NULL);
	}
}

bool asking_child_ended(struct asking *asking, int pid, int status)
{
	if (!asking || !pid || pid != asking->pid)
		return false;
	asking->pid = 0;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		turn_away(asking); /* the next helper would fail, too */
	if (watch(asking) < 0)
		collector_log(LOG_WARNING, "%s: %s; each writer of a report asks Slurm itself",
			      asking->address.sun_path, strerror(errno));
	return true;
}

void asking_close(struct asking *asking)
{
	if (!asking)
		return;
	if (asking->listen_fd >= 0) {
		unlink(asking->address.sun_path);
		close(asking->listen_fd);
	}
	if (asking->epoll_fd >= 0)
		close(asking->epoll_fd);
	free(asking);
}
