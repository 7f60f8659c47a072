/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does what a user can do to HOME/work/out while a report is written there.
 *
 *   racer HOME VICTIMS
 *
 * Each name in turn becomes a link to a file or directory of VICTIMS, a hard link, a FIFO,
 * a directory, rubbish or nothing. Directories change places with links to VICTIMS.
 * Only makes and moves names, and writes only "rubbish" into files of its own.
 * SIGTERM ends it: it then prints how often it did these things.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const names[] = {
	"stint-77.json", "stint-77.attempt-1.json", "stint-77.attempt-2.json", ".stint-77.1.n2.part", ".stint-77.2.n2.part",
};
/* Targets of links: a file for root alone, a directory that others may not write, and one that they may not enter. */
enum { SECRET, OPEN, CLOSED, SHARED, WORK, VICTIMS };
static const char *const victim_names[VICTIMS] = { "secret", "open", "closed", "open/shared", "work" };
static char victims[VICTIMS][PATH_MAX];
static unsigned long done;
static volatile sig_atomic_t stopped;

static void count(int result)
{
	done += result == 0;
}

static void rubbish(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);

	if (fd < 0)
		return;
	count(write(fd, "rubbish\n", 8) == 8 ? 0 : -1);
	close(fd);
}

/* Makes something new, then moves it over the name, or puts it there after a moment without any. */
static void put(const char *directory, const char *name)
{
	char path[PATH_MAX];
	const char *made = rand() % 2 ? path : "made";

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	if (made == path && unlink(path) < 0)
		rmdir(path);
	switch (rand() % 8) {
	case 0:
	case 1:
	case 2:
		count(symlink(victims[rand() % SHARED], made));
		break;
	case 3:
		count(link(victims[SHARED], made));
		break;
	case 4:
		count(mkfifo(made, 0666));
		break;
	case 5:
		count(mkdir(made, 0777));
		break;
	case 6:
		rubbish(made);
		break;
	case 7:
		break;
	}
	if (made != path && rename(made, path) < 0 && unlink(made) < 0)
		rmdir(made);
}

static void exchange(const char *one, const char *other)
{
	count(renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE));
}

static void move(void)
{
	char from[PATH_MAX], to[PATH_MAX];

	snprintf(from, sizeof(from), "work/out/%s", names[rand() % COUNT(names)]);
	snprintf(to, sizeof(to), "work/out/%s", names[rand() % COUNT(names)]);
	count(renameat2(AT_FDCWD, from, AT_FDCWD, to, rand() % 2 ? RENAME_EXCHANGE : 0));
}

static void play(void)
{
	switch (rand() % 8) {
	case 0:
		exchange("work/out", "out.link");
		break;
	case 1:
		exchange("work", "work.link");
		break;
	case 2:
		exchange("work/out", "out.other");
		break;
	case 3:
		move();
		break;
	default:
		put(rand() % 2 ? "work/out" : "out.other", names[rand() % COUNT(names)]);
	}
}

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

int main(int argc, char *argv[])
{
	const struct timespec pause = { .tv_nsec = 100000 };

	if (argc != 3 || geteuid() == 0) {
		fprintf(stderr, "usage, as a user: racer HOME VICTIMS\n");
		return 2;
	}
	for (int i = 0; i < VICTIMS; i++)
		snprintf(victims[i], PATH_MAX, "%s/%s", argv[2], victim_names[i]);
	signal(SIGTERM, stop);
	srand(77);
	if (chdir(argv[1]) < 0 || symlink(victims[OPEN], "out.link") < 0 || symlink(victims[WORK], "work.link") < 0 ||
	    mkdir("out.other", 0777) < 0) {
		perror(argv[1]);
		return 1;
	}
	while (!stopped) {
		for (int i = 0; i < 20; i++)
			play();
		nanosleep(&pause, NULL);
	}
	printf("%lu\n", done);
	return 0;
}
