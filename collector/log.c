/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collector/common/escape.h"

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

static struct kind kinds[KINDS];

static void write_line(const char *text)
{
	char stamp[32] = "", shown[2048];

	if (!getenv("JOURNAL_STREAM")) {
		time_t now = time(NULL);
		struct tm local;

		localtime_r(&now, &local);
		strftime(stamp, sizeof(stamp), "%FT%T ", &local);
	}
	fprintf(stderr, "%sstintd: %s\n", stamp, escape_text(text, shown, sizeof(shown)));
}

static time_t seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec;
}

/* Begins a new span of @kind's time; tells how many lines were left out in the one before, by what they begin with. */
static void begin_span(struct kind *kind, time_t now)
{
	char text[256];

	if (kind->left_out) {
		snprintf(text, sizeof(text), "%lu more lines like this were left out: %.*s...", kind->left_out,
			 (int)strcspn(kind->format, "%"), kind->format);
		write_line(text);
	}
	kind->since = now;
	kind->lines = 0;
	kind->left_out = 0;
}

static struct kind *find_kind(const char *format)
{
	struct kind *kind = &kinds[0];

	for (int i = 0; i < KINDS; i++) {
		if (kinds[i].format == format)
			return &kinds[i];
		if (kinds[i].since < kind->since)
			kind = &kinds[i];
	}
	if (kind->format)
		begin_span(kind, 0);
	kind->format = format;
	return kind;
}

static bool may_say(const char *format)
{
	struct kind *kind = find_kind(format);
	time_t now = seconds();

	if (!kind->since || now - kind->since >= SPAN_S)
		begin_span(kind, now);
	if (kind->lines++ < LINES_MAX)
		return true;
	kind->left_out++;
	return false;
}

static void write_formatted(const char *format, va_list args)
{
	char text[1024];

	vsnprintf(text, sizeof(text), format, args);
	write_line(text);
}

void collector_log(const char *format, ...)
{
	va_list args;

	if (!may_say(format))
		return;
	va_start(args, format);
	write_formatted(format, args);
	va_end(args);
}

void collector_log_each(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_formatted(format, args);
	va_end(args);
}

void collector_log_tick(void)
{
	time_t now = seconds();

	for (int i = 0; i < KINDS; i++)
		if (kinds[i].left_out && now - kinds[i].since >= SPAN_S)
			begin_span(&kinds[i], now);
}
