/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/doctor/doctor.h"

#define PASS 0001    /* to pass through a directory */
#define LINKS_MAX 40 /* as many as the kernel follows */

/* Each kind of finding is printed once for a path. */
struct way {
	struct doctor *doctor;
	enum doctor_level level; /* if users cannot use the file */
	const char *subject;
	/* what users need to do with the file; for directories on the path it is PASS */
	mode_t use;
	unsigned int links; /* links that may still be followed */
	bool closed, open; /* these findings were printed */
};

/* Returns true if users other than root can replace the file. A link has no mode. */
static bool can_others_change(const struct stat *st)
{
	if (S_ISLNK(st->st_mode) || (S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX)))
		return st->st_uid != 0;
	return st->st_uid != 0 || (st->st_mode & S_IWOTH) || ((st->st_mode & S_IWGRP) && st->st_gid != 0);
}

/* Returns true if @last, from the path of another file, is the same finding. Then sets @last to this finding. */
static bool said(struct doctor_said *last, const struct way *way, const char *place)
{
	bool again = last->subject && strcmp(last->subject, way->subject) == 0 && strcmp(last->place, place) == 0;

	last->subject = way->subject;
	snprintf(last->place, sizeof(last->place), "%s", place);
	return again;
}

static bool has(mode_t mode, mode_t bits)
{
	return (mode & bits) == bits;
}

static void say_closed(struct way *way, const char *place, const struct stat *st, mode_t bits)
{
	static const char *const letters[] = { [PASS] = "x", [DOCTOR_READ] = "r", [DOCTOR_RUN] = "rx" };
	static const char *const verbs[] = { [PASS] = "read", [DOCTOR_READ] = "read", [DOCTOR_RUN] = "run" };
	const char *verb = S_ISDIR(st->st_mode) && bits == DOCTOR_LIST ? "list" : verbs[bits];
	char mend[PATH_MAX + 64];

	way->closed = true;
	if (said(&way->doctor->closed, way, place))
		return;
	/* not g+, because users may be in any group */
	snprintf(mend, sizeof(mend), "chmod o+%s %s", letters[bits], place);
	doctor_say(way->doctor, has(st->st_mode, bits << 3) ? DOCTOR_INFO : way->level, way->subject, mend,
		   "%s: mode %04o: each user must %s it, in sbatch, srun or stint report", place, st->st_mode & 07777, verb);
}

static void say_open(struct way *way, const char *place, const struct stat *st)
{
	char mend[2 * PATH_MAX + 64];

	way->open = true;
	if (said(&way->doctor->open, way, place))
		return;
	if (S_ISLNK(st->st_mode))
		snprintf(mend, sizeof(mend), "chown --no-dereference root %s", place);
	else if (st->st_uid == 0 || (S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX)) || !(st->st_mode & (S_IWGRP | S_IWOTH)))
		snprintf(mend, sizeof(mend), "%s %s", st->st_uid == 0 ? "chmod go-w" : "chown root", place);
	else
		snprintf(mend, sizeof(mend), "chown root %s; chmod go-w %s", place, place);
	doctor_say(way->doctor, DOCTOR_WARN, way->subject, mend,
		   "%s: owner %u, mode %04o: users other than root can change what root reads there", place, st->st_uid,
		   st->st_mode & 07777);
}

static void check_way(struct way *way, char *path, bool last);

/* Whoever can change a directory on this path can make root read another file. */
static void check_link(struct way *way, const char *link, bool last)
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
	check_way(way, path, last);
	free(path);
}

static void check_place(struct way *way, const char *place, bool last)
{
	struct stat st;
	mode_t bits = last ? way->use : PASS;

	if (lstat(place, &st) < 0)
		return;
	if (!way->closed && !S_ISLNK(st.st_mode) && !has(st.st_mode, bits))
		say_closed(way, place, &st, bits);
	if (!way->open && can_others_change(&st))
		say_open(way, place, &st);
	if (S_ISLNK(st.st_mode))
		check_link(way, place, last);
}

/* Checks each directory of @path, and its end. @last: the end is the file */
static void check_way(struct way *way, char *path, bool last)
{
	for (char *end = path; *end && (end = strchr(end + 1, '/'));) {
		*end = '\0';
		check_place(way, path, false);
		*end = '/';
	}
	check_place(way, path, last);
}

void doctor_shared(struct doctor *doctor, enum doctor_level level, const char *subject, const char *path, enum doctor_use use)
{
	struct way way = { .doctor = doctor, .level = level, .subject = subject, .use = use, .links = LINKS_MAX };
	char written[PATH_MAX];

	if (access(path, F_OK) < 0)
		return;
	snprintf(written, sizeof(written), "%s", path);
	check_way(&way, written, true);
}
