/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/host/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"

#define KINDS 64 /* of lines that are distinguished */
#define SPAN_S 10
#define LINES_MAX 50 /* of one kind in such a span of time */

/* Lines of one kind have one format. When there are too many of a kind, the rest is only counted. */
struct kind {
	const char *format;
	int priority;
	time_t since;
	unsigned int lines;
	unsigned long left_out;
};

static struct kind kinds[KINDS];

static void __attribute__((format(printf, 2, 0))) write_formatted(int priority, const char *format, va_list args)
{
	char program[32] = "stintd", text[1024];
	time_t now = time(NULL);
	struct tm local;

	if (!log_is_journal() && localtime_r(&now, &local))
		strftime(program, sizeof(program), "%FT%T stintd", &local);
	vsnprintf(text, sizeof(text), format, args);
	log_line(priority, program, "%s", text);
}

static void __attribute__((format(printf, 2, 3))) write_line(int priority, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_formatted(priority, format, args);
	va_end(args);
}

/* Begins a new span of time for @kind. Logs how many lines were left out in the span before, and how they begin. */
static void begin_span(struct kind *kind, time_t now)
{
	if (kind->left_out)
		write_line(kind->priority, "%lu more lines like this were left out: %.*s...", kind->left_out,
			   (int)strcspn(kind->format, "%"), kind->format);
	kind->since = now;
	kind->lines = 0;
	kind->left_out = 0;
}

static struct kind *find_kind(int priority, const char *format)
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
	kind->priority = priority;
	return kind;
}

static bool may_say(int priority, const char *format)
{
	struct kind *kind = find_kind(priority, format);
	time_t now = clock_ns(CLOCK_BOOTTIME) / 1000000000;

	if (!kind->since || now - kind->since >= SPAN_S)
		begin_span(kind, now);
	if (kind->lines++ < LINES_MAX)
		return true;
	kind->left_out++;
	return false;
}

void collector_log(int priority, const char *format, ...)
{
	va_list args;

	if (!may_say(priority, format))
		return;
	va_start(args, format);
	write_formatted(priority, format, args);
	va_end(args);
}

void collector_log_each(int priority, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_formatted(priority, format, args);
	va_end(args);
}

void collector_log_tick(void)
{
	time_t now = clock_ns(CLOCK_BOOTTIME) / 1000000000;

	for (int i = 0; i < KINDS; i++)
		if (kinds[i].left_out && now - kinds[i].since >= SPAN_S)
			begin_span(&kinds[i], now);
}
