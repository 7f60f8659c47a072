/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/cmd/screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "common/clock.h"

#define ENTER "\033[?1049h\033[?25l\033[?7l" /* alternate screen, hidden cursor, no wrapped lines */
#define LEAVE "\033[?7h\033[?25h\033[?1049l"
#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_BELOW "\033[J"
#define FAINT "\033[2m"
#define PLAIN "\033[0m"
#define LINES_UNKNOWN 24

static struct termios before; /* the terminal's settings at the start */
static bool active, has_before;
static volatile sig_atomic_t ends, stops;

bool screen_possible(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

/* Ignores errors: the program goes on even if the terminal takes no output. */
static void write_all(const char *text, size_t length)
{
	while (length > 0) {
		ssize_t n = write(STDOUT_FILENO, text, length);

		if (n < 0 && errno != EINTR)
			return;
		text += n > 0 ? n : 0;
		length -= n > 0 ? n : 0;
	}
}

static void on_end(int signal)
{
	(void)signal;
	ends = 1;
}

static void on_stop(int signal)
{
	(void)signal;
	stops = 1;
}

static void on_size(int signal)
{
	(void)signal; /* the signal ends poll(), and so the page is redrawn */
}

static void handle(int signal, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };

	sigaction(signal, &action, NULL);
}

static void quiet_keys(void)
{
	struct termios quiet;

	has_before = tcgetattr(STDIN_FILENO, &before) == 0;
	if (!has_before)
		return;
	quiet = before;
	quiet.c_lflag &= ~(tcflag_t)(ECHO | ICANON);
	tcsetattr(STDIN_FILENO, TCSANOW, &quiet);
}

void screen_begin(void)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		handle(ending[i], on_end);
	handle(SIGTSTP, on_stop);
	handle(SIGWINCH, on_size);
	quiet_keys();
	write_all(ENTER, strlen(ENTER));
	active = true;
}

void screen_end(void)
{
	if (!active)
		return;
	active = false;
	write_all(LEAVE, strlen(LEAVE));
	if (has_before)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
}

static size_t lines(void)
{
	struct winsize size = { 0 };

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 1 ? size.ws_row : LINES_UNKNOWN;
}

void screen_draw(const char *text, const char *status)
{
	size_t room = lines() - 1, length, drawn = 0;
	char *frame = NULL;
	FILE *out = open_memstream(&frame, &length);

	if (!out)
		return;
	fputs(HOME, out);
	for (; *text && drawn < room; drawn++) {
		size_t columns = strcspn(text, "\n");

		/* Clear the line first: after a text as wide as the screen, clearing would erase the last character. */
		fprintf(out, CLEAR_LINE "%.*s\r\n", (int)columns, text);
		text += columns + (text[columns] == '\n');
	}
	for (; drawn < room; drawn++)
		fputs(CLEAR_LINE "\r\n", out);
	fprintf(out, PLAIN CLEAR_BELOW FAINT "%s" PLAIN, status);
	if (fclose(out) == 0)
		write_all(frame, length);
	free(frame);
}

static void stop(void)
{
	stops = 0;
	screen_end();
	raise(SIGSTOP);
	screen_begin();
}

static bool read_keys(void)
{
	char keys[64];
	ssize_t n = read(STDIN_FILENO, keys, sizeof(keys));

	return n > 0 && memchr(keys, 'q', n);
}

enum screen_event screen_wait(int wait_ms)
{
	int64_t until_ms = clock_ms() + wait_ms, left;

	while (!ends && !stops && (left = until_ms - clock_ms()) > 0) {
		/* Without a keyboard, wait only for the time. */
		struct pollfd keys = { has_before ? STDIN_FILENO : -1, POLLIN, 0 };
		int ready = poll(&keys, 1, (int)left);

		if (ready < 0)
			break;
		if (keys.revents & POLLIN && read_keys())
			return SCREEN_END;
		if (keys.revents & (POLLHUP | POLLERR))
			return SCREEN_END;
	}
	if (ends)
		return SCREEN_END;
	if (!stops)
		return SCREEN_TIME;
	stop();
	return SCREEN_STOPPED;
}
