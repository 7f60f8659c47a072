/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts every TOOL RUNS times, or until FILE exists, in turns, eight at a time.
 *
 *   crowd RUNS|FILE TOOL...
 *
 * FILE has a slash in its name. Each run has its number as argument.
 * Prints a line a tool: path, runs, failures, and failures by a signal.
 */
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define AT_ONCE 8
#define TOOLS_MAX 16

extern char **environ;

struct tool {
	char *path;
	int runs;
	int failures;
	int signals;
};

struct running {
	pid_t pid;
	struct tool *tool;
};

static struct running running[AT_ONCE];

static struct running *find(pid_t pid)
{
	for (int i = 0; i < AT_ONCE; i++)
		if (running[i].pid == pid)
			return &running[i];
	return NULL;
}

/* Returns 0 if there is none to wait for. */
static int wait_for_one(void)
{
	struct running *one;
	int status;
	pid_t pid = wait(&status);

	if (pid < 0)
		return 0;
	one = find(pid);
	if (!one)
		return 1;
	one->tool->runs++;
	one->tool->failures += status != 0;
	one->tool->signals += WIFSIGNALED(status);
	one->pid = 0;
	return 1;
}

static int start(struct tool *tool, int number)
{
	struct running *one;
	char text[16];
	char *argv[] = { tool->path, text, NULL };

	while (!(one = find(0)))
		wait_for_one();
	snprintf(text, sizeof(text), "%d", number);
	if (posix_spawn(&one->pid, tool->path, NULL, NULL, argv, environ)) {
		one->pid = 0;
		fprintf(stderr, "crowd: %s cannot be started\n", tool->path);
		return -1;
	}
	one->tool = tool;
	return 0;
}

static bool is_over(const char *until, int number)
{
	return strchr(until, '/') ? access(until, F_OK) == 0 : number >= atoi(until);
}

int main(int argc, char *argv[])
{
	static struct tool tools[TOOLS_MAX]; /* running[] keeps their addresses */
	int count = argc - 2;

	if (count < 1 || count > TOOLS_MAX || (!strchr(argv[1], '/') && atoi(argv[1]) <= 0)) {
		fprintf(stderr, "usage: crowd RUNS|FILE TOOL...\n");
		return 2;
	}
	for (int i = 0; i < count; i++)
		tools[i].path = argv[i + 2];
	for (int number = 0; !is_over(argv[1], number); number++)
		for (int i = 0; i < count; i++)
			if (start(&tools[i], number) < 0)
				return 1;
	while (wait_for_one())
		;
	for (int i = 0; i < count; i++)
		printf("%s %d %d %d\n", tools[i].path, tools[i].runs, tools[i].failures, tools[i].signals);
	return 0;
}
