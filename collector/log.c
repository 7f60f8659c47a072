/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KINDS 64 /* of lines that are told apart */
#define SPAN_S 10
#define LINES_MAX 50 /* of one kind in such a span of time */

/* Lines of one kind have one format. What is said too often is counted instead. */
struct kind {
	const char *format;
	time_t since;
	unsigned int lines;
	unsigned long left_out;
};

static struct kind *find_kind(const char *format)
{
	static struct kind kinds[KINDS];
	struct kind *kind = &kinds[0];

	for (int i = 0; i < KINDS; i++) {
		if (kinds[i].format == format)
			return &kinds[i];
		if (kinds[i].since < kind->since)
			kind = &kinds[i];
	}
	memset(kind, 0, sizeof(*kind));
	kind->format = format;
	return kind;
}

static time_t seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec;
}

/* Whether a line of @format is to be written. @left_out: how many were not, before it. */
static bool may_say(const char *format, unsigned long *left_out)
{
	struct kind *kind = find_kind(format);
	time_t now = seconds();

	*left_out = 0;
	if (!kind->since || now - kind->since >= SPAN_S) {
		*left_out = kind->left_out;
		kind->since = now;
		kind->lines = 0;
		kind->left_out = 0;
	}
	if (kind->lines++ < LINES_MAX)
		return true;
	kind->left_out++;
	return false;
}

void collector_log(const char *format, ...)
{
	char stamp[32] = "", text[1024];
	unsigned long left_out;
	va_list args;

	if (!may_say(format, &left_out))
		return;
	if (!getenv("JOURNAL_STREAM")) {
		time_t now = time(NULL);
		struct tm local;

		localtime_r(&now, &local);
		strftime(stamp, sizeof(stamp), "%FT%T ", &local);
	}
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (left_out)
		fprintf(stderr, "%sstintd: %lu lines like the next were left out\n", stamp, left_out);
	fprintf(stderr, "%sstintd: %s\n", stamp, text);
}
