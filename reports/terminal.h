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

enum terminal_style {
	STYLE_HEAD,
	STYLE_FAINT,
	STYLE_GOOD,
	STYLE_WARNING,
	STYLE_BAD,
	STYLE_ACCENT,
};

/*
 * Returns the sequence that begins a style, or that ends all; "" where there is no colour.
 */
const char *terminal_on(const struct page_options *options, enum terminal_style style);
const char *terminal_off(const struct page_options *options);

/*
 * Returns @text as escape_text() makes it, and in ASCII where nothing else is to be shown; to be freed. NULL when
 * there is no memory, or @text is NULL.
 */
char *terminal_escape(const struct page_options *options, const char *text);

/*
 * Fills @bar with a bar of @cells columns, of which @share (0 to 1) is full, and returns it. A share above 0 is
 * always to be seen.
 *
 * @size: TERMINAL_BAR(cells) at least
 */
#define TERMINAL_BAR(cells) (3 * (size_t)(cells) + 1)
const char *terminal_bar(const struct page_options *options, double share, int cells, char *bar, size_t size);

#endif
