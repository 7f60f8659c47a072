/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crowd RUNS TOOL...: starts every TOOL RUNS times, taking turns, eight at a
 * time, each with its number as argument, and counts how they end. Prints a
 * line a tool: path, runs, failures, of these by a signal.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

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

/* Returns 0 when there is none to wait for. */
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

int main(int argc, char *argv[])
{
	struct tool tools[TOOLS_MAX] = { 0 };
	int count = argc - 2, runs = argc > 2 ? atoi(argv[1]) : 0;

	if (runs <= 0 || count > TOOLS_MAX) {
		fprintf(stderr, "usage: crowd RUNS TOOL...\n");
		return 2;
	}
	for (int i = 0; i < count; i++)
		tools[i].path = argv[i + 2];
	for (int number = 0; number < runs; number++)
		for (int i = 0; i < count; i++)
			if (start(&tools[i], number) < 0)
				return 1;
	while (wait_for_one())
		;
	for (int i = 0; i < count; i++)
		printf("%s %d %d %d\n", tools[i].path, tools[i].runs, tools[i].failures, tools[i].signals);
	return 0;
}
