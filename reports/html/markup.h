/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the building blocks of all pages for browsers. Escapes the text of reports. */
#ifndef STINT_MARKUP_H
#define STINT_MARKUP_H

#include <stddef.h>
#include <stdio.h>

#include "reports/terminal/terminal.h"

/*
 * Prints @text so that it is safe in HTML and in a quoted attribute.
 * Prints invisible and deceiving characters as escape_text() writes them.
 */
void html_text(FILE *out, const char *text);

/* Formats like printf(), and prints the result with html_text(). */
void html_textf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Prints a bar filled to @share: 0 to 1; larger values are cut.
 * Screen readers skip the bar, because the number is beside it.
 */
void html_bar(FILE *out, double share);

/* Prints @length bytes of text that escape_text() has already escaped. */
void html_escaped(FILE *out, const char *escaped, size_t length);

/* Prints lines that escape_text() has already escaped. Keeps the line ends. */
void html_lines(FILE *out, const char *lines);

/* Returns the class in page.css with the colour of @style, such as "good". */
const char *html_style_class(enum terminal_style style);

/* Prints a bar like html_bar(), in the colour of @style. From @share to @more the bar is paler. */
void html_gauge(FILE *out, double share, double more, enum terminal_style style);

#endif
