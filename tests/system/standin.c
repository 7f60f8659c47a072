/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does what a runtime of containers does, by the name that it is called by:
 *
 * apptainer exec [OPTION...] IMAGE COMMAND...: execs "starter" beside it, which learns of image and command through the
 *	environment
 * starter: makes a user and a mount namespace, mounts the image with squashfuse at STANDIN_ROOT, and runs the command below that; without
 *	STANDIN_ROOT, or if users cannot use FUSE here, runs it below STANDIN_TREE, which has the same files
 * enroot-nsenter COMMAND...: makes the namespaces
 * enroot-switchroot ROOT COMMAND...: runs the command below ROOT
 */
#include <err.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

static void put(const char *path, const char *text)
{
	int file = open(path, O_WRONLY);

	if (file < 0 || write(file, text, strlen(text)) < 0)
		err(125, "%s", path);
	close(file);
}

static void enter_namespaces(void)
{
	char map[2][64];

	snprintf(map[0], sizeof(map[0]), "0 %u 1", getuid());
	snprintf(map[1], sizeof(map[1]), "0 %u 1", getgid());
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		err(125, "unshare");
	put("/proc/self/setgroups", "deny");
	put("/proc/self/uid_map", map[0]);
	put("/proc/self/gid_map", map[1]);
	if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
		err(125, "mount");
}

static void run_below(const char *root, char **command)
{
	if (chroot(root) < 0 || chdir("/") < 0)
		err(125, "%s", root);
	execv(command[0], command);
	err(127, "%s", command[0]);
}

static int wait_for(pid_t child)
{
	int status;

	if (child < 0 || waitpid(child, &status, 0) != child)
		err(125, "fork");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int start(void)
{
	char *image = getenv("STANDIN_IMAGE"), *root = getenv("STANDIN_ROOT"), *command[] = { "/bin/sh", "-c", NULL, NULL };
	bool fuse = root && access("/dev/fuse", R_OK | W_OK) == 0;
	pid_t child;
	int status;

	command[2] = getenv("STANDIN_COMMAND");
	if (!fuse)
		root = getenv("STANDIN_TREE");
	enter_namespaces();
	child = fuse ? fork() : -1;
	if (child == 0) {
		execlp("squashfuse", "squashfuse", image, root, NULL);
		err(127, "squashfuse");
	}
	if (fuse && wait_for(child))
		errx(125, "squashfuse");
	child = fork();
	if (child == 0)
		run_below(root, command);
	status = wait_for(child);
	umount2(root, MNT_DETACH);
	return status;
}

static int apptainer(char **argv)
{
	char starter[PATH_MAX], *own[] = { "Apptainer runtime parent", NULL };
	char **image = argv;
	ssize_t length = readlink("/proc/self/exe", starter, sizeof(starter) - 16);

	while (*image && !strstr(*image, ".sqfs"))
		image++;
	if (!*image || !image[1] || length < 0)
		errx(125, "no image");
	starter[length] = '\0';
	strcpy(strrchr(starter, '/'), "/starter");
	setenv("STANDIN_IMAGE", image[0], 1);
	setenv("STANDIN_COMMAND", image[1], 1);
	execv(starter, own);
	err(127, "%s", starter);
}

int main(int argc, char **argv)
{
	char exe[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	const char *name;

	exe[length > 0 ? length : 0] = '\0';
	name = basename(exe);
	if (strcmp(name, "apptainer") == 0)
		return apptainer(argv + 1);
	if (strcmp(name, "starter") == 0)
		return start();
	if (strcmp(name, "enroot-nsenter") == 0 && argc > 1) {
		enter_namespaces();
		execvp(argv[1], argv + 1);
	} else if (strcmp(name, "enroot-switchroot") == 0 && argc > 2) {
		run_below(argv[1], argv + 2);
	}
	return 125;
}
