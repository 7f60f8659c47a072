/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the building blocks of all pages for browsers: text, bars and colours. Text from a report is escaped, so it
 * cannot add markup.
 */
#ifndef STINT_MARKUP_H
#define STINT_MARKUP_H

#include <stddef.h>
#include <stdio.h>

#include "reports/terminal/terminal.h"

/*
 * Prints @text so that it is safe both in HTML and in a quoted attribute. Some characters are invisible, or change
 * how the surrounding text looks. These are printed as escape_text() writes them.
 */
void html_text(FILE *out, const char *text);

/*
 * Formats like printf(), and prints the result with html_text().
 */
void html_textf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Prints a bar filled to @share, from 0 to 1; larger values are cut. The bar is hidden from screen readers, because
 * the same number is beside it as text.
 */
void html_bar(FILE *out, double share);

/*
 * Prints @length bytes of text that escape_text() has already escaped.
 */
void html_escaped(FILE *out, const char *escaped, size_t length);

/* Prints lines of text that escape_text() has already escaped. Keeps the ends of the lines. */
void html_lines(FILE *out, const char *lines);

/*
 * Returns the class in page.css that has the colour of @style: "good", "look", "bad", "accent", "quiet" or "plain".
 */
const char *html_style_class(enum terminal_style style);

/* Prints a bar as html_bar() does, in the colour of @style. The part from @share to @more is paler. */
void html_gauge(FILE *out, double share, double more, enum terminal_style style);

#endif
