/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stops the user's stint-epilog processes (SIGSTOP) until SIGTERM, as a user can do to them.
 *
 *   stopper DIRECTORY
 *
 * Looks for them each millisecond. Stops one half at once.
 * Stops the other half when a report gets its name in DIRECTORY, which is about when they answer.
 * Prints how many of each half were stopped, whenever that changes.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#define RECENT 400 /* processes before the latest */
#define PAUSE_US 1000 /* others on this machine have work, too */
#define PIDS_MAX (1 << 22)

static bool stopped[PIDS_MAX];
static unsigned long count[2];
static volatile sig_atomic_t over;

static void end(int signal)
{
	(void)signal;
	over = 1;
}

static int latest_pid(void)
{
	char text[128];
	int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC), pid = 0;
	ssize_t n = read(fd, text, sizeof(text) - 1);

	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0 && sscanf(text, "%*s %*s %*s %*s %d", &pid) == 1 ? pid : 0;
}

static bool is_writer(int pid)
{
	char path[64], name[32] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (read(fd, name, sizeof(name) - 1) < 0)
		name[0] = '\0';
	close(fd);
	return strcmp(name, "stint-epilog\n") == 0;
}

/* @half: 0: even pids; 1: odd pids */
static void stop_all(int half)
{
	int last = latest_pid();

	for (int pid = last; pid > 0 && pid > last - RECENT; pid--) {
		if (pid % 2 != half || !is_writer(pid) || kill(pid, SIGSTOP) < 0)
			continue;
		if (stopped[pid])
			continue;
		stopped[pid] = true;
		count[half]++;
		printf("%lu %lu\n", count[0], count[1]);
		fflush(stdout);
	}
}

int main(int argc, char **argv)
{
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	char events[4096];

	if (argc != 2 || inotify_add_watch(fd, argv[1], IN_MOVED_TO) < 0)
		return 2;
	signal(SIGTERM, end);
	while (!over) {
		stop_all(0);
		if (read(fd, events, sizeof(events)) > 0)
			stop_all(1);
		usleep(PAUSE_US);
	}
	return 0;
}
