/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/writer/writer_start.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "common/process/child.h"

#define ARGUMENTS_MAX 11
#define ENVIRONMENT_MAX 512 /* for the serving stint-epilog */

void writer_path(const struct writer_program *program, char path[PATH_MAX + 32])
{
	snprintf(path, PATH_MAX + 32, "%s/" WRITER_PROGRAM, program->libexec_dir);
}

/* Fills @arguments with the options for all uses. Returns the next index. @arguments has room for three more. */
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

/* Sets @arguments[0] to the program's path. Returns the pid; -1 with @err set. */
static int start(const struct writer_program *program, const char *arguments[], char *environment[],
		 const struct child_files *files, struct error *err)
{
	char file[PATH_MAX + 32];
	pid_t pid;

	writer_path(program, file);
	arguments[0] = file;
	pid = child_start(arguments, environment, files);
	return pid < 0 ? error_errno(err, "%s", file) : pid;
}

int writer_start(const struct writer_program *program, const char *path, int why_fd, bool first, struct error *err)
{
	const char *arguments[ARGUMENTS_MAX] = { NULL };
	int n = common_arguments(program, arguments);

	if (first)
		arguments[n++] = "--first";
	arguments[n] = path;
	return start(program, arguments, NULL, &(struct child_files){ CHILD_KEEPS, why_fd, CHILD_KEEPS }, err);
}

int writer_start_staying(const struct writer_program *program, int fd, struct error *err)
{
	const char *arguments[ARGUMENTS_MAX] = { NULL };
	/* LD_BIND_NOW: the linker looks up all functions before the first fork. */
	char *environment[ENVIRONMENT_MAX + 2] = { (char *)"LD_BIND_NOW=1" };
	int n = common_arguments(program, arguments);

	for (int i = 0; i < ENVIRONMENT_MAX && environ[i]; i++)
		environment[i + 1] = environ[i];
	arguments[n] = "--serve";
	return start(program, arguments, environment, &(struct child_files){ fd, CHILD_KEEPS, CHILD_KEEPS }, err);
}

int writer_start_store(const struct writer_program *program, const char *what, int why_fd, struct error *err)
{
	const char *arguments[ARGUMENTS_MAX] = { NULL };
	int n = common_arguments(program, arguments);

	arguments[n++] = "--store";
	arguments[n] = what;
	return start(program, arguments, NULL, &(struct child_files){ CHILD_KEEPS, why_fd, CHILD_KEEPS }, err);
}
