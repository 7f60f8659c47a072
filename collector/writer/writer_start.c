/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/writer/writer_start.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define ARGUMENTS_MAX 11
#define ENVIRONMENT_MAX 512 /* variables that the stint-epilog that stays gets */

void writer_path(const struct writer_program *program, char path[PATH_MAX + 32])
{
	snprintf(path, PATH_MAX + 32, "%s/" WRITER_PROGRAM, program->libexec_dir);
}

/* What all of them are started with; there is room for three more. Returns how many arguments these are. */
static int common_arguments(const struct writer_program *program, const char *arguments[])
{
	int n = 1;

	arguments[n++] = "--reason";
	if (program->conf_path) {
		arguments[n++] = "--config";
		arguments[n++] = program->conf_path;
	}
	if (program->slurm) {
		arguments[n++] = "--slurm";
		arguments[n++] = program->slurm;
	}
	if (program->cgroups) {
		arguments[n++] = "--cgroups";
		arguments[n++] = program->cgroups;
	}
	return n;
}

/*
 * Starts stint-epilog with @arguments from the second on. @fd: its @to, standard input or output. Returns its pid; -1
 * with @err set
 */
static int spawn(const struct writer_program *program, const char *arguments[], char *environment[], int fd, int to,
		 struct error *err)
{
	char file[PATH_MAX + 32];
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t how;
	sigset_t none, pipe;
	int pid, why;

	writer_path(program, file);
	arguments[0] = file;
	sigemptyset(&none);
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	posix_spawnattr_init(&how);
	/* It starts as any program would: it inherits no blocked or ignored signals from stintd. */
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setsigdefault(&how, &pipe);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fd, to);
	why = posix_spawn(&pid, file, &actions, &how, (char *const *)(uintptr_t)arguments, environment);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&how);
	if (!why)
		return pid;
	errno = why;
	return error_errno(err, "%s", file);
}

int writer_start(const struct writer_program *program, const char *path, int why_fd, bool first, struct error *err)
{
	const char *arguments[ARGUMENTS_MAX] = { NULL };
	int n = common_arguments(program, arguments);

	if (first)
		arguments[n++] = "--first";
	arguments[n] = path;
	return spawn(program, arguments, environ, why_fd, STDOUT_FILENO, err);
}

int writer_start_staying(const struct writer_program *program, int fd, struct error *err)
{
	const char *arguments[ARGUMENTS_MAX] = { NULL };
	char *environment[ENVIRONMENT_MAX + 2] = { (char *)"LD_BIND_NOW=1" }; /* no writer has to look up functions then */
	int n = common_arguments(program, arguments);

	for (int i = 0; i < ENVIRONMENT_MAX && environ[i]; i++)
		environment[i + 1] = environ[i];
	arguments[n] = "--serve";
	return spawn(program, arguments, environment, fd, STDIN_FILENO, err);
}

int writer_start_store(const struct writer_program *program, const char *what, int why_fd, struct error *err)
{
	const char *arguments[ARGUMENTS_MAX] = { NULL };
	int n = common_arguments(program, arguments);

	arguments[n++] = "--store";
	arguments[n] = what;
	return spawn(program, arguments, environ, why_fd, STDOUT_FILENO, err);
}
