/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/terminal/terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/escape.h"
#include "common/usage.h"

static int read_width(const char *text)
{
	char *end;
	long width;

	if (!text || *text < '0' || *text > '9')
		return 0;
	width = strtol(text, &end, 10);
	if (*end || width <= 0)
		return 0;
	return width < TERMINAL_WIDTH_MAX ? (int)width : TERMINAL_WIDTH_MAX;
}

static int find_width(FILE *out)
{
	struct winsize size = { 0 };
	int width = 0;

	if (!isatty(fileno(out)))
		return TERMINAL_WIDTH;
	if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
		width = size.ws_col < TERMINAL_WIDTH_MAX ? size.ws_col : TERMINAL_WIDTH_MAX;
	if (width == 0)
		width = read_width(getenv("COLUMNS"));
	if (width == 0)
		width = TERMINAL_WIDTH;
	return width < TERMINAL_WIDTH_MIN ? TERMINAL_WIDTH_MIN : width;
}

int terminal_rows(FILE *out)
{
	struct winsize size = { 0 };

	return isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

static bool wants_colour(FILE *out)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fileno(out)) && !(no_color && *no_color) && term && *term && strcmp(term, "dumb") != 0;
}

struct page_options page_options_for(FILE *out)
{
	return (struct page_options){
		.width = find_width(out),
		.colour = wants_colour(out),
		.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
		.bars = isatty(fileno(out)),
	};
}

/* ---- options ---- */

enum { OPTION_COLOUR = 0x100, OPTION_WIDTH };

static void set_colour(struct page_options *options, const char *when, const struct argp_state *state)
{
	if (strcmp(when, "always") == 0)
		options->colour = options->bars = true;
	else if (strcmp(when, "never") == 0)
		options->colour = false;
	else if (strcmp(when, "auto") == 0)
		options->colour = wants_colour(stdout);
	else
		usage_fail(state, "--color=%s: expected auto, always or never", when);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
	struct page_options *options = state->input;

	switch (key) {
	case OPTION_COLOUR:
		set_colour(options, value, state);
		return 0;
	case OPTION_WIDTH:
		options->width = read_width(value);
		if (options->width < TERMINAL_WIDTH_MIN)
			usage_fail(state, "--width=%s: expected a number of columns, %d or more", value,
				   TERMINAL_WIDTH_MIN);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option argp_options[] = {
	{ "color", OPTION_COLOUR, "WHEN", 0, "Colours: auto (on a terminal; the default), always or never", 0 },
	{ "width", OPTION_WIDTH, "COLUMNS", 0, "Use this many columns, 60 or more, instead of the terminal's width", 0 },
	{ 0 },
};

const struct argp terminal_argp = { .options = argp_options, .parser = parse_option };

/* ---- text ---- */

const char *terminal_on(const struct page_options *options, enum terminal_style style)
{
	static const char *const sequences[] = {
		[STYLE_PLAIN] = "",	      [STYLE_HEAD] = "\033[1m",	    [STYLE_FAINT] = "\033[2m",
		[STYLE_GOOD] = "\033[32m",    [STYLE_WARNING] = "\033[33m", [STYLE_BAD] = "\033[1;31m",
		[STYLE_ACCENT] = "\033[36m",
	};

	return options->colour ? sequences[style] : "";
}

const char *terminal_off(const struct page_options *options)
{
	return options->colour ? "\033[0m" : "";
}

enum terminal_style terminal_style_of(enum look look, enum terminal_style otherwise)
{
	const enum terminal_style styles[] = {
		[LOOK_NONE] = otherwise, [LOOK_GOOD] = STYLE_GOOD, [LOOK_LOOK] = STYLE_WARNING, [LOOK_BAD] = STYLE_BAD,
	};

	return styles[look];
}

void terminal_styled(const struct page_options *options, enum terminal_style style, const char *text, FILE *out)
{
	bool styled = style != STYLE_PLAIN && *text;

	fprintf(out, "%s%s%s", styled ? terminal_on(options, style) : "", text, styled ? terminal_off(options) : "");
}

char *terminal_escape(const struct page_options *options, const char *text)
{
	size_t size = text ? 4 * strlen(text) + 1 : 0, used = 0;
	cleanup_free char *utf8 = size ? malloc(size) : NULL;
	char *ascii;

	if (!utf8)
		return NULL;
	escape_text(text, utf8, size);
	if (options->unicode)
		return strdup(utf8);
	/* Escaping makes at most four bytes of each byte. */
	ascii = malloc(size);
	for (const char *at = utf8; ascii && *at; at++)
		if ((unsigned char)*at < 0x80)
			ascii[used++] = *at;
		else
			used += snprintf(ascii + used, size - used, "\\x%02x", (unsigned char)*at);
	if (ascii)
		ascii[used] = '\0';
	return ascii;
}

/* Returns how many steps a bar of @of steps fills. A @share above 0 fills at least one step. */
static int steps_of(double share, int of)
{
	int steps;

	if (!(share > 0))
		return 0;
	steps = (int)((share < 1 ? share : 1) * of + 0.5);
	return steps > 0 ? steps : 1;
}

const char *terminal_bar(const struct page_options *options, double share, int cells, char bar[TERMINAL_BAR])
{
	static const char *const eighths[] = { " ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█" };
	int per_cell = options->unicode ? 8 : 1, full = steps_of(share, cells * per_cell);
	size_t used = 0;

	bar[0] = '\0';
	for (int i = 0; i < cells && i < TERMINAL_CELLS; i++, full -= per_cell) {
		int part = full < 0 ? 0 : full < per_cell ? full : per_cell;
		const char *cell = options->unicode ? eighths[part] : part ? "#" : " ";

		used += (size_t)snprintf(bar + used, TERMINAL_BAR - used, "%s", cell);
	}
	return bar;
}

static void put_cells(const struct page_options *options, enum terminal_style style, const char *cell, int count,
		      FILE *out)
{
	if (count <= 0)
		return;
	fputs(terminal_on(options, style), out);
	for (int i = 0; i < count; i++)
		fputs(cell, out);
	if (style != STYLE_PLAIN)
		fputs(terminal_off(options), out);
}

void terminal_gauge(const struct page_options *options, double share, double more, int cells,
		    enum terminal_style style, FILE *out)
{
	int full = steps_of(share, cells), paler = steps_of(more, cells) - full;

	paler = paler > 0 ? paler : 0;
	put_cells(options, style, options->unicode ? "█" : "#", full, out);
	put_cells(options, style, options->unicode ? "▒" : "+", paler, out);
	put_cells(options, STYLE_FAINT, options->unicode ? "░" : ".", cells - full - paler, out);
}
