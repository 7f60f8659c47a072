/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/read/find_messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/escape.h"

void find_complain(const char *who, const char *text)
{
	char shown[1024];

	fprintf(stderr, "%s: %s\n", who, escape_text(text, shown, sizeof(shown)));
}

void find_say_names(const char *who, size_t names)
{
	char text[64];

	snprintf(text, sizeof(text), "%zu more %s of these files", names, names == 1 ? "name" : "names");
	find_complain(who, text);
}

void find_say_left_out(const char *who, const char *path)
{
	char text[512];

	snprintf(text, sizeof(text), "%.300s does not belong to the job's user, and is left out; name the file to see it",
		 path);
	find_complain(who, text);
}

void find_say_foreign(const char *who, size_t more)
{
	char text[128];

	snprintf(text, sizeof(text), "%zu more %s to %s than %s, and %s left out", more, more == 1 ? "file belongs" : "files belong",
		 more == 1 ? "another user" : "other users", more == 1 ? "its job's" : "their jobs'", more == 1 ? "is" : "are");
	find_complain(who, text);
}

void find_say_silent(const char *who, const struct reach *reach)
{
	const char *path = reach->first ? reach->first : "a report";
	char text[512];

	if (reach->silent == 1)
		snprintf(text, sizeof(text), "%.300s: its file system does not answer, so its job is shown without the report", path);
	else
		snprintf(text, sizeof(text), "%.300s and %zu more: their file system does not answer, so their jobs are shown without "
					     "reports",
			 path, reach->silent - 1);
	find_complain(who, text);
}

/* Returns why no report can be written to the directory; NULL if no reason is seen. */
static const char *fault_of(const char *directory, bool is_users)
{
	struct statvfs room;

	/* Another job's writer has other permissions than this process: then a lack of permission says nothing. */
	if (access(directory, W_OK | X_OK) < 0 && (is_users || errno == ENOENT || errno == EROFS))
		return errno == ENOENT ? "it is gone" : errno == EROFS ? "it is read-only" : "you may not write there";
	if (statvfs(directory, &room) == 0 && room.f_blocks && (room.f_bavail == 0 || (room.f_files && room.f_favail == 0)))
		return "its file system is full";
	return NULL;
}

char *find_why_unwritten(const char *directory, bool is_users, unsigned int max_age_h)
{
	const char *fault = fault_of(directory, is_users);
	char *text;

	if (!fault || asprintf(&text, "stint cannot write a report to %.200s, where the job ran: %s. The report waits on its node, %u "
				      "h at most, and comes soon after the directory is fixed; with --stint=output=FILE, a job's "
				      "report goes elsewhere",
			       directory, fault, max_age_h) < 0)
		return NULL;
	return text;
}

void find_tried(const struct rows *rows, const char *format, ...)
{
	char text[1024];
	va_list args;

	if (!rows->verbose)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	find_complain(rows->who, text);
}
