/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What text for people is written to: its width, and whether it gets colours, bars, and more than ASCII. */
#ifndef STINT_TERMINAL_H
#define STINT_TERMINAL_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reports/rules/looks.h"

#define TERMINAL_WIDTH 80 /* where there is no terminal, or it does not know its width */
#define TERMINAL_WIDTH_MIN 60
#define TERMINAL_WIDTH_MAX 1000

struct page_options {
	int width; /* columns */
	bool colour;
	bool unicode; /* else ASCII */
	bool bars;    /* pictures beside the numbers */
	bool all;     /* also what is left out on one screen */
	int lines;    /* of a failed job's own output, at most */
	int rows;     /* of the terminal: a page that has more lines ends early, and says how many there are; 0: it has all */
};

/*
 * Returns what suits @out. For a terminal: its own width, or else $COLUMNS; bars; and colour unless NO_COLOR is set or
 * TERM is dumb. For all else: 80 columns of plain text. More than ASCII is written where the locale has UTF-8, so call
 * setlocale() before.
 */
struct page_options page_options_for(FILE *out);

/* Returns how many rows the terminal @out has; 0: it is none, or does not say. */
int terminal_rows(FILE *out);

/*
 * The options --color and --width of a verb, as a child of its own argp. At ARGP_KEY_INIT the parent sets
 * state->child_inputs[] to a struct page_options that is page_options_for(stdout).
 */
extern const struct argp terminal_argp;

/* What words and bars of a text mean, which decides how they look in colour. */
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
 * Returns the style of @look, on terminals as in browsers; @otherwise where there is nothing to say.
 */
enum terminal_style terminal_style_of(enum look look, enum terminal_style otherwise);

/*
 * Writes @text, which is escaped already, in @style. Without colour it writes the text alone.
 */
void terminal_styled(const struct page_options *options, enum terminal_style style, const char *text, FILE *out);

/*
 * Return the sequence that begins a style, and the one that ends all styles; "" where there is no colour, and for
 * STYLE_PLAIN.
 */
const char *terminal_on(const struct page_options *options, enum terminal_style style);
const char *terminal_off(const struct page_options *options);

/*
 * Returns @text as escape_text() makes it, in pure ASCII unless options->unicode; to be freed. NULL when there is no
 * memory, or @text is NULL.
 */
char *terminal_escape(const struct page_options *options, const char *text);

/*
 * Fills @bar with a bar of @cells columns, of which @share (0 to 1) is full and the rest blank, and returns it. A share
 * above 0 always shows.
 *
 * @cells: TERMINAL_CELLS at most
 */
#define TERMINAL_CELLS 40
#define TERMINAL_BAR (3 * TERMINAL_CELLS + 1)
const char *terminal_bar(const struct page_options *options, double share, int cells, char bar[TERMINAL_BAR]);

/*
 * Writes a bar of visible length: @share of it full, in @style, and from there to @more paler.
 */
void terminal_gauge(const struct page_options *options, double share, double more, int cells,
		    enum terminal_style style, FILE *out);

#endif
