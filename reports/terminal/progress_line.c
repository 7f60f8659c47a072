/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/terminal/progress_line.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "reports/json/units.h"

#define NS_PER_SECOND INT64_C(1000000000)
#define PAUSE_NS (NS_PER_SECOND / 2)
#define COLUMNS_DEFAULT 80
#define LINE 256
#define GUESS_AFTER_S 3 /* an earlier guess of the remaining time would be bad */
#define GUESS_SHARE 0.01

static struct {
	const char *who; /* NULL if nothing is shown */
	int64_t began_ns, shown_ns;
	int columns; /* width of the line on the terminal now */
	bool off;
} line;

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

/* Leaves one column free, so that no terminal breaks the line. */
static int width(void)
{
	struct winsize size = { 0 };

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col < 2)
		return COLUMNS_DEFAULT - 1;
	return size.ws_col < LINE ? size.ws_col - 1 : LINE - 1;
}

void progress_line_off(void)
{
	line.off = true;
}

void progress_line_begin(const char *who)
{
	line.who = !line.off && isatty(STDERR_FILENO) ? who : NULL;
	line.columns = 0;
	line.began_ns = line.shown_ns = now_ns();
}

double progress_line_seconds(void)
{
	double seconds = (double)(now_ns() - line.began_ns) / (double)NS_PER_SECOND;

	return seconds > 0.001 ? seconds : 0.001;
}

static void put_share(double share, char *text, size_t size)
{
	double seconds = progress_line_seconds();
	char left[DURATION_TEXT];

	text[0] = '\0';
	if (share < 0)
		return;
	share = share < 1 ? share : 1;
	if (seconds < GUESS_AFTER_S || share < GUESS_SHARE)
		snprintf(text, size, ", %d %%", (int)(100 * share));
	else
		snprintf(text, size, ", %d %%, %s left", (int)(100 * share),
			 worded_duration_text(ceil(seconds * (1 - share) / share), left));
}

/* Overwrites the previous line with spaces, because some terminals cannot erase it. */
static void put(const char *text)
{
	int columns = (int)strlen(text), most = width();

	columns = columns < most ? columns : most;
	fprintf(stderr, "\r%.*s%*s", columns, text, line.columns > columns ? line.columns - columns : 0, "");
	line.columns = columns;
}

void progress_line_show(double share, const char *format, ...)
{
	char text[LINE], what[LINE], rest[64];
	int64_t now = line.who ? now_ns() : 0;
	va_list args;

	if (!line.who || now - line.shown_ns < PAUSE_NS)
		return;
	line.shown_ns = now;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	put_share(share, rest, sizeof(rest));
	if (snprintf(text, sizeof(text), "%s: %s%s", line.who, what, rest) > 0)
		put(text);
}

void progress_line_erase(void)
{
	if (line.columns)
		fprintf(stderr, "\r%*s\r", line.columns, "");
	line.columns = 0;
}

void progress_line_end(void)
{
	progress_line_erase();
	line.who = NULL;
}
