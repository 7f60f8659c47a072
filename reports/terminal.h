/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What text for people is written to: how wide it is, whether it has colours, bars, and more than ASCII. */
#ifndef STINT_TERMINAL_H
#define STINT_TERMINAL_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define TERMINAL_WIDTH 80 /* of what is no terminal, or does not tell */
#define TERMINAL_WIDTH_MIN 60
#define TERMINAL_WIDTH_MAX 1000

struct page_options {
	int width; /* columns */
	bool colour;
	bool unicode; /* else ASCII */
	bool bars;    /* pictures beside the numbers */
	bool all;     /* what is left out of one screen too */
};

/*
 * Returns what fits @out. A terminal has the width that it tells, else $COLUMNS, and has bars, and colour unless
 * NO_COLOR is set or TERM is dumb. All else is 80 columns of plain text. More than ASCII goes where the locale has
 * UTF-8: setlocale() comes before.
 */
struct page_options page_options_for(FILE *out);

/*
 * The options --color, --width of a verb, as a child of its own argp. At ARGP_KEY_INIT the parent sets
 * state->child_inputs[] to a struct page_options that is page_options_for(stdout).
 */
extern const struct argp terminal_argp;

/* What the words and pictures of a text mean, and so how they look in colour. */
enum terminal_style {
	STYLE_PLAIN,
	STYLE_HEAD,
	STYLE_FAINT,
	STYLE_GOOD,
	STYLE_WARNING,
	STYLE_BAD,
	STYLE_ACCENT,
};

/*
 * Writes @text, which was escaped, in @style. Where there is no colour, the text alone.
 */
void terminal_styled(const struct page_options *options, enum terminal_style style, const char *text, FILE *out);

/*
 * Returns the sequence that begins a style, or that ends all; "" where there is no colour, and for STYLE_PLAIN.
 */
const char *terminal_on(const struct page_options *options, enum terminal_style style);
const char *terminal_off(const struct page_options *options);

/*
 * Returns @text as escape_text() makes it, and in ASCII where nothing else is to be shown; to be freed. NULL when
 * there is no memory, or @text is NULL.
 */
char *terminal_escape(const struct page_options *options, const char *text);

/*
 * Fills @bar with a bar of @cells columns, of which @share (0 to 1) is full and the rest blank, and returns it. A
 * share above 0 is always to be seen.
 *
 * @cells: TERMINAL_CELLS at most
 */
#define TERMINAL_CELLS 40
#define TERMINAL_BAR (3 * TERMINAL_CELLS + 1)
const char *terminal_bar(const struct page_options *options, double share, int cells, char bar[TERMINAL_BAR]);

/*
 * Writes a bar whose whole length is to be seen: @share of it full, in @style, from there to @more paler.
 */
void terminal_gauge(const struct page_options *options, double share, double more, int cells,
		    enum terminal_style style, FILE *out);

#endif
