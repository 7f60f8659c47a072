/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads the libraries FILE..., and prints the name of each file that the kernel says is mapped.
 *
 *   mapped HOW FILE...
 *
 * Then starts a second thread, if HOW is not "alone". After that, HOW says what happens:
 *   exec    another program takes its place
 *   fork    a child of it ends first
 *   kill    it is killed
 *   cycle   the list of its libraries leads back to its begin, for ever
 *   wild    the list leads to where nothing is
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *nothing(void *data)
{
	return data;
}

static void print_mapped(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];

	while (maps && fgets(line, sizeof(line), maps))
		if (strchr(line, '/'))
			fputs(strrchr(line, '/') + 1, stdout);
	if (maps)
		fclose(maps);
	fflush(stdout);
}

static void second_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, nothing, NULL) == 0)
		pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	for (int i = 2; i < argc; i++)
		if (!dlopen(argv[i], RTLD_NOW))
			fprintf(stderr, "%s\n", dlerror());
	print_mapped();
	if (strcmp(how, "alone") != 0)
		second_thread();
	if (strcmp(how, "exec") == 0)
		execl("/bin/true", "true", (char *)NULL);
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(how, "fork") == 0) {
		if (fork() == 0) {
			second_thread();
			_exit(0);
		}
		wait(NULL);
	}
	if (strcmp(how, "cycle") == 0)
		_r_debug.r_map->l_next = _r_debug.r_map;
	if (strcmp(how, "wild") == 0)
		_r_debug.r_map->l_next = (struct link_map *)8;
	_exit(0);
}
