/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes where text for people goes: width, colours, bars, character set. */
#ifndef STINT_TERMINAL_H
#define STINT_TERMINAL_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reports/rules/looks.h"

#define TERMINAL_WIDTH 80 /* if the width is not known */
#define TERMINAL_WIDTH_MIN 60
#define TERMINAL_WIDTH_MAX 1000

struct page_options {
	int width; /* columns */
	bool colour;
	bool unicode; /* else ASCII */
	bool bars;    /* print pictures beside the numbers */
	bool all;     /* print also what does not fit on one screen */
	int lines;    /* maximum lines of a failed job's own output */
	int rows;     /* height of the terminal: a longer page is cut, and says so; 0 for no limit */
};

/*
 * Returns the options for @out. Call setlocale() first: only a UTF-8 locale gets characters beyond ASCII.
 * A terminal gets bars. It gets colour, except if NO_COLOR is set or TERM is dumb.
 * $COLUMNS may set the width of a terminal.
 * All other output gets 80 columns of plain text.
 */
struct page_options page_options_for(FILE *out);

/* Returns the number of rows of the terminal @out; 0 if @out is no terminal, or if the number is unknown. */
int terminal_rows(FILE *out);

/*
 * The options --color and --width, as a child of the verb's argp parser.
 * At ARGP_KEY_INIT the parent must set state->child_inputs[] to a struct page_options
 * that page_options_for(stdout) has returned.
 */
extern const struct argp terminal_argp;

/* The meaning of words and bars, which decides their colour. */
enum terminal_style {
	STYLE_PLAIN,
	STYLE_HEAD,
	STYLE_FAINT,
	STYLE_GOOD,
	STYLE_WARNING,
	STYLE_BAD,
	STYLE_ACCENT,
};

/* Returns the style of @look, for terminals and browsers. Returns @otherwise if @look has none. */
enum terminal_style terminal_style_of(enum look look, enum terminal_style otherwise);

/* Writes @text, already escaped, in @style. Without colour, writes only the text. */
void terminal_styled(const struct page_options *options, enum terminal_style style, const char *text, FILE *out);

/*
 * terminal_on() returns the escape sequence that begins @style; "" for STYLE_PLAIN.
 * terminal_off() returns the sequence that ends all styles.
 * Without colour, each of them returns "".
 */
const char *terminal_on(const struct page_options *options, enum terminal_style style);
const char *terminal_off(const struct page_options *options);

/*
 * Returns @text as escape_text() writes it; without options->unicode in pure ASCII.
 * The caller must free it. NULL if out of memory, or if @text is NULL.
 */
char *terminal_escape(const struct page_options *options, const char *text);

/*
 * Fills @bar with a bar of @cells columns, and returns it.
 * A share above 0 is always visible.
 *
 * @share: filled part, from 0 to 1
 * @cells: at most TERMINAL_CELLS
 */
#define TERMINAL_CELLS 40
#define TERMINAL_BAR (3 * TERMINAL_CELLS + 1)
const char *terminal_bar(const struct page_options *options, double share, int cells, char bar[TERMINAL_BAR]);

/*
 * Prints a bar whose empty part is visible, too.
 * The bar is in @style up to @share, and paler from there to @more.
 */
void terminal_gauge(const struct page_options *options, double share, double more, int cells,
		    enum terminal_style style, FILE *out);

#endif
