/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/cmd/doctor.h"

#define OTHERS 0001  /* may pass through a directory */
#define READERS 0004 /* may read a file */
#define LINKS_MAX 40 /* as many as the kernel follows */

static mode_t bit_of(const struct stat *st)
{
	return S_ISDIR(st->st_mode) ? OTHERS : READERS;
}

/* A way to a file, and what was said of it: each kind of finding once, of the first place that has it. */
struct way {
	struct doctor *doctor;
	enum doctor_level level; /* how bad it is that users cannot read it */
	const char *subject;
	unsigned int links; /* that may still be followed, whoever made them */
	bool closed, open; /* said: users cannot read it; others than root can change it */
};

/* Whether others than root can put something else there. A link's own mode says nothing. */
static bool can_others_change(const struct stat *st)
{
	if (S_ISLNK(st->st_mode) || (S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX)))
		return st->st_uid != 0;
	return st->st_uid != 0 || (st->st_mode & S_IWOTH) || ((st->st_mode & S_IWGRP) && st->st_gid != 0);
}

static void say_closed(struct way *way, const char *place, const struct stat *st)
{
	char mend[PATH_MAX + 64];

	/* a site may have all its users in one group */
	snprintf(mend, sizeof(mend), "chmod o+%s %s", S_ISDIR(st->st_mode) ? "x" : "r", place);
	doctor_say(way->doctor, st->st_mode & bit_of(st) << 3 ? DOCTOR_INFO : way->level, way->subject, mend,
		   "%s: mode %04o: each user has to read it, in sbatch, srun or stint report", place, st->st_mode & 07777);
	way->closed = true;
}

static void say_open(struct way *way, const char *place, const struct stat *st)
{
	char mend[2 * PATH_MAX + 64];

	if (S_ISLNK(st->st_mode))
		snprintf(mend, sizeof(mend), "chown --no-dereference root %s", place);
	else
		snprintf(mend, sizeof(mend), "chown root %s; chmod go-w %s", place, place);
	doctor_say(way->doctor, DOCTOR_WARN, way->subject, mend,
		   "%s: owner %u, mode %04o: others than root can change what root reads there", place, st->st_uid,
		   st->st_mode & 07777);
	way->open = true;
}

static void check_way(struct way *way, char *path);

/* Goes the way that a link names, too: whoever can change a directory on it has root read another file. */
static void check_link(struct way *way, const char *link)
{
	const char *slash = strrchr(link, '/');
	char target[PATH_MAX], *path;
	ssize_t length = readlink(link, target, sizeof(target) - 1);

	if (length < 0 || way->links == 0)
		return;
	way->links--;
	target[length] = '\0';
	if (asprintf(&path, "%.*s%s", target[0] == '/' || !slash ? 0 : (int)(slash - link + 1), link, target) < 0)
		return;
	check_way(way, path);
	free(path);
}

static void check_place(struct way *way, const char *place)
{
	struct stat st;

	if (lstat(place, &st) < 0)
		return;
	if (!way->closed && !S_ISLNK(st.st_mode) && !(st.st_mode & bit_of(&st)))
		say_closed(way, place, &st);
	if (!way->open && can_others_change(&st))
		say_open(way, place, &st);
	if (S_ISLNK(st.st_mode))
		check_link(way, place);
}

/* Looks at each directory of @path, then at the file. */
static void check_way(struct way *way, char *path)
{
	for (char *end = path; *end && (end = strchr(end + 1, '/'));) {
		*end = '\0';
		check_place(way, path);
		*end = '/';
	}
	check_place(way, path);
}

void doctor_shared(struct doctor *doctor, enum doctor_level level, const char *subject, const char *path)
{
	struct way way = { .doctor = doctor, .level = level, .subject = subject, .links = LINKS_MAX };
	char written[PATH_MAX];

	if (access(path, F_OK) < 0)
		return;
	snprintf(written, sizeof(written), "%s", path);
	check_way(&way, written);
}
