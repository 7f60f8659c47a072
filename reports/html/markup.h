/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all pages for browsers are made of: text, bars and colours. Nothing but text of a report gets through. */
#ifndef STINT_MARKUP_H
#define STINT_MARKUP_H

#include <stddef.h>
#include <stdio.h>

#include "reports/terminal/terminal.h"

/*
 * Prints @text as text, both in HTML and in a quoted attribute. Characters that are invisible, or that change how the
 * text around them looks, are printed as escape_text() writes them.
 */
void html_text(FILE *out, const char *text);

/*
 * As printf(), with html_text() of the result.
 */
void html_textf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Prints a bar of which @share (0 to 1; more is cut) is filled. It is hidden from screen readers, since the same number
 * stands beside it as text.
 */
void html_bar(FILE *out, double share);

/*
 * Prints @length bytes of text that escape_text() has made already.
 */
void html_escaped(FILE *out, const char *escaped, size_t length);

/*
 * Prints lines of text that escape_text() has made already, each with its end.
 */
void html_lines(FILE *out, const char *lines);

/*
 * Returns the class of page.css that has the colour of @style: "good", "look", "bad", "accent", "quiet" or "plain".
 */
const char *html_style_class(enum terminal_style style);

/*
 * As html_bar(), in the colour of @style, and paler up to @more.
 */
void html_gauge(FILE *out, double share, double more, enum terminal_style style);

#endif
