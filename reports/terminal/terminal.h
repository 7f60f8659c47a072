/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describes the destination of text for people: its width, and whether it gets colours, bars, and characters beyond
 * ASCII.
 */
#ifndef STINT_TERMINAL_H
#define STINT_TERMINAL_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reports/rules/looks.h"

#define TERMINAL_WIDTH 80 /* used if there is no terminal, or if its width is not known */
#define TERMINAL_WIDTH_MIN 60
#define TERMINAL_WIDTH_MAX 1000

struct page_options {
	int width; /* columns */
	bool colour;
	bool unicode; /* else ASCII */
	bool bars;    /* whether to print pictures beside the numbers */
	bool all;     /* whether to print also what does not fit on one screen */
	int lines;    /* maximum lines of a failed job's own output */
	int rows;     /* height of the terminal; a longer page ends early, and says how many lines it leaves out; 0 for no limit */
};

/*
 * Returns the options that suit @out. A terminal gets bars, and colour unless NO_COLOR is set or TERM is dumb. Its
 * width is the terminal's width or, if that is not known, $COLUMNS. Any other output gets 80 columns of plain text.
 * Characters beyond ASCII are used if the locale has UTF-8, so call setlocale() first.
 */
struct page_options page_options_for(FILE *out);

/* Returns the number of rows of the terminal @out; 0 if @out is not a terminal, or if the number is not known. */
int terminal_rows(FILE *out);

/*
 * The options --color and --width of a verb, as a child of the verb's argp parser. At ARGP_KEY_INIT the parent must
 * set state->child_inputs[] to a struct page_options that has the values of page_options_for(stdout).
 */
extern const struct argp terminal_argp;

/* The meaning of words and bars in a text, which determines their colour. */
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
 * Returns the style of @look, which is the same on terminals and in browsers. Returns @otherwise if the look has no
 * style.
 */
enum terminal_style terminal_style_of(enum look look, enum terminal_style otherwise);

/*
 * Writes @text, which must be escaped already, in @style. Without colour, writes only the text.
 */
void terminal_styled(const struct page_options *options, enum terminal_style style, const char *text, FILE *out);

/*
 * Return the sequence that begins a style, and the sequence that ends all styles. Both are "" without colour, and for
 * STYLE_PLAIN.
 */
const char *terminal_on(const struct page_options *options, enum terminal_style style);
const char *terminal_off(const struct page_options *options);

/*
 * Returns @text as escape_text() writes it, in pure ASCII unless options->unicode is set. The caller must free it.
 * NULL if out of memory, or if @text is NULL.
 */
char *terminal_escape(const struct page_options *options, const char *text);

/*
 * Fills @bar with a bar of @cells columns, and returns it. The bar is filled to @share, from 0 to 1, and the
 * remainder is blank. A share above 0 is always visible.
 *
 * @cells: at most TERMINAL_CELLS
 */
#define TERMINAL_CELLS 40
#define TERMINAL_BAR (3 * TERMINAL_CELLS + 1)
const char *terminal_bar(const struct page_options *options, double share, int cells, char bar[TERMINAL_BAR]);

/*
 * Prints a bar whose whole length is visible. The bar is filled to @share in @style, and the part from @share to @more
 * is paler.
 */
void terminal_gauge(const struct page_options *options, double share, double more, int cells,
		    enum terminal_style style, FILE *out);

#endif
