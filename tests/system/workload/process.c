/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/system/workload/count.h"
#include "tests/system/workload/workload.h"

static int end_as(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int64_t time_ns(struct timeval time)
{
	return time.tv_sec * NS_PER_S + time.tv_usec * INT64_C(1000);
}

/* ---- exec by a thread that is not the leader ---- */

struct execution {
	int64_t cpu_ns;
	char **argv;
};

static void *burn_and_exec(void *data)
{
	struct execution *execution = data;

	burn_ns(execution->cpu_ns);
	execv(execution->argv[0], execution->argv);
	fail(execution->argv[0]);
}

/* Both threads use MS of CPU. The first one sleeps during the exec. */
int work_thread_exec(int argc, char *argv[])
{
	struct execution execution = { .cpu_ns = (int64_t)(atof(argv[1]) * NS_PER_MS), .argv = argv + 2 };
	pthread_t thread;

	(void)argc;
	burn_ns(execution.cpu_ns);
	if (pthread_create(&thread, NULL, burn_and_exec, &execution))
		fail("pthread_create");
	pthread_join(thread, NULL);
	return 1;
}

/* ---- vfork ---- */

int work_vfork(int argc, char *argv[])
{
	int64_t wait_ns = (int64_t)(atof(argv[1]) * NS_PER_MS);
	struct meter meter;
	int status;
	pid_t child;

	(void)argc;
	meter_start(&meter);
	child = vfork(); /* NOLINT: this is what the test needs */
	if (!child) {
		struct timespec time = { .tv_sec = wait_ns / NS_PER_S, .tv_nsec = wait_ns % NS_PER_S };

		nanosleep(&time, NULL);
		execv(argv[2], argv + 2);
		_exit(127);
	}
	told("vfork_ns", meter_waited_ns(&meter));
	waitpid(child, &status, 0);
	told("waited_ns", meter_waited_ns(&meter));
	told("child_pid", child);
	tell("vfork");
	return end_as(status);
}

int work_forks(int argc, char *argv[])
{
	int children = atoi(argv[1]);

	(void)argc;
	for (int i = 0; i < children; i++) {
		pid_t child = fork();

		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
	}
	told("forks", children);
	tell("forks");
	return 0;
}

/* ---- children of a process that is moved ---- */

/* Returns true if no hierarchy has this process in a cgroup of a job. */
static bool is_in_no_job(void)
{
	char text[4096];
	int file = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
	ssize_t length = read(file, text, sizeof(text) - 1);

	close(file);
	text[length > 0 ? length : 0] = '\0';
	return length > 0 && !strstr(text, "/job_");
}

static void *fork_for_ever(void *command)
{
	char **argv = command;

	for (;;) {
		pid_t child = fork();

		if (!child) {
			if (is_in_no_job())
				execv(argv[0], argv);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

int work_strays(int argc, char *argv[])
{
	pthread_t thread;

	(void)argc;
	for (int i = atoi(argv[1]); i > 1; i--)
		if (pthread_create(&thread, NULL, fork_for_ever, argv + 2))
			fail("pthread_create");
	fork_for_ever(argv + 2);
	return 1;
}

int work_into(int argc, char *argv[])
{
	struct clone_args clone = { .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD };
	int cgroup = open(argv[1], O_PATH | O_DIRECTORY | O_CLOEXEC);
	int status;
	pid_t child;

	(void)argc;
	if (cgroup < 0)
		fail(argv[1]);
	clone.cgroup = (uint64_t)cgroup;
	child = (pid_t)syscall(SYS_clone3, &clone, sizeof(clone));
	if (child < 0)
		fail("clone3");
	if (!child) {
		execv(argv[2], argv + 2);
		_exit(127);
	}
	waitpid(child, &status, 0);
	return end_as(status);
}

/* ---- namespaces ---- */

static bool write_text(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);
	bool written = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);

	close(file);
	return written;
}

/* The process keeps its user. */
static bool map_user(uid_t uid, gid_t gid)
{
	char text[64];

	snprintf(text, sizeof(text), "%d %d 1", uid, uid);
	if (!write_text("/proc/self/uid_map", text) || !write_text("/proc/self/setgroups", "deny"))
		return false;
	snprintf(text, sizeof(text), "%d %d 1", gid, gid);
	return write_text("/proc/self/gid_map", text);
}

/*
 * First process of the namespaces, which inherits orphans.
 * @tasks: set to how many tasks were made before it asks for the next number
 */
static int be_init(char *argv[], int64_t *tasks)
{
	int status = 0, ended;
	pid_t command, one;

	if (unshare(CLONE_NEWNS | CLONE_NEWCGROUP) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("proc", "/proc", "proc", 0, NULL))
		fail("the namespaces' first process");
	command = fork();
	if (!command) {
		execv(argv[0], argv);
		fail(argv[0]);
	}
	while ((one = wait(&ended)) > 0)
		if (one == command)
			status = ended;
	/* ids are in order: the next one shows how many tasks and threads there were */
	one = fork();
	if (!one)
		_exit(0);
	waitpid(one, NULL, 0);
	*tasks = one - 1;
	return end_as(status);
}

/*
 * Tells "tasks": how many were made in the pid namespace before the last one, by the kernel's numbers.
 * Tells "children_cpu_ns": wait4's sum for all children that it waited for.
 */
int work_namespaces(int argc, char *argv[])
{
	int64_t *tasks = shared_memory(sizeof(*tasks));
	uid_t uid = getuid();
	gid_t gid = getgid();
	struct rusage usage;
	pid_t init;
	int status;

	(void)argc;
	if (unshare(CLONE_NEWUSER | CLONE_NEWPID) || !map_user(uid, gid))
		fail("unshare");
	init = fork();
	if (!init)
		_exit(be_init(argv + 1, tasks));
	if (wait4(init, &status, 0, &usage) != init)
		fail("wait4");
	told("tasks", *tasks);
	told("init_pid", init);
	told("children_cpu_ns", time_ns(usage.ru_utime) + time_ns(usage.ru_stime));
	tell("namespaces");
	return end_as(status);
}
