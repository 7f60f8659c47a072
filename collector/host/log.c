/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/host/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"

#define KINDS 256 /* kinds that are counted at a time */
#define SPAN_S 10
#define LINES_MAX 50 /* lines of one kind in SPAN_S */
#define USERS_MAX 200 /* lines of one format about users */
#define NO_USER UINT32_MAX

/* The lines of one format that are about one user, or about no user. */
struct kind {
	const char *format;
	uint32_t uid;
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

static void begin_span(struct kind *kind, time_t now)
{
	int length = (int)strcspn(kind->format, "%");

	if (kind->left_out && kind->uid == NO_USER)
		write_line(kind->priority, "%lu more lines like this were left out: %.*s...", kind->left_out, length,
			   kind->format);
	else if (kind->left_out)
		write_line(kind->priority, "%lu more lines like this on uid %u were left out: %.*s...", kind->left_out,
			   kind->uid, length, kind->format);
	kind->since = now;
	kind->lines = 0;
	kind->left_out = 0;
}

/* Returns the entry for a line. If all entries are in use, all users share one entry (NO_USER) for each format. */
static struct kind *find_kind(uint32_t uid, int priority, const char *format, time_t now)
{
	struct kind *kind = &kinds[0];

	for (int i = 0; i < KINDS; i++) {
		if (kinds[i].format == format && kinds[i].uid == uid)
			return &kinds[i];
		if (kinds[i].since < kind->since)
			kind = &kinds[i];
	}
	if (uid != NO_USER && kind->format && now - kind->since < SPAN_S)
		return find_kind(NO_USER, priority, format, now);
	if (kind->format)
		begin_span(kind, 0);
	*kind = (struct kind){ .format = format, .uid = uid, .priority = priority };
	return kind;
}

static unsigned int count_users(const char *format, time_t now)
{
	unsigned int lines = 0;

	for (int i = 0; i < KINDS; i++)
		if (kinds[i].format == format && now - kinds[i].since < SPAN_S)
			lines += kinds[i].lines;
	return lines;
}

/*
 * Returns true if the line may be written. A user gets at most LINES_MAX lines of a format. If few of the USERS_MAX
 * lines are left, he gets fewer, so that some remain for other users.
 */
static bool is_within(const struct kind *kind, time_t now)
{
	unsigned int lines;

	if (kind->uid == NO_USER || kind->lines >= LINES_MAX)
		return kind->lines < LINES_MAX;
	lines = count_users(kind->format, now);
	return lines < USERS_MAX && kind->lines < USERS_MAX - lines;
}

static bool may_say(uint32_t uid, int priority, const char *format)
{
	time_t now = clock_ns(CLOCK_BOOTTIME) / 1000000000;
	struct kind *kind = find_kind(uid, priority, format, now);

	if (!kind->since || now - kind->since >= SPAN_S)
		begin_span(kind, now);
	if ((uid != NO_USER && priority == LOG_ERR) || is_within(kind, now)) {
		kind->lines++;
		return true;
	}
	kind->left_out++;
	return false;
}

void collector_log(int priority, const char *format, ...)
{
	va_list args;

	if (!may_say(NO_USER, priority, format))
		return;
	va_start(args, format);
	write_formatted(priority, format, args);
	va_end(args);
}

void collector_log_user(uint32_t uid, int priority, const char *format, ...)
{
	va_list args;

	if (!may_say(uid, priority, format))
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
