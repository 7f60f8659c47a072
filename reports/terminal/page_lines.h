/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the lines of a page: headings, labels and wrapped text. */
#ifndef STINT_PAGE_LINES_H
#define STINT_PAGE_LINES_H

#include <stddef.h>
#include <stdio.h>

#include "reports/model/report.h"
#include "reports/terminal/terminal.h"

#define PAGE_UNKNOWN "not known" /* for lines; tables have PAGE_NO_VALUE */

struct page {
	const struct report *report;
	const struct page_options *options;
	FILE *out;
	char *not_known;    /* names of the gaps, for the last line; NULL if no gap is left to show */
	char left_out[256]; /* text for the page's last line */
};

static inline const char *page_or_unknown(const char *text)
{
	return text ? text : PAGE_UNKNOWN;
}

/* Prints an empty line, then the heading. */
void page_head(struct page *page, const char *text);

/* Prints "LABEL: text". Escapes the text, and cuts it at the page's width. */
void page_line(struct page *page, const char *label, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Prints text like page_line(), without a label. */
void page_text(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * How page_wrapped() prints @text.
 * It escapes @text, and wraps it between words at the page's width.
 * It cuts a word that is wider than a line.
 */
struct page_wrap {
	const char *first; /* before the first line; already escaped */
	const char *next;  /* before all other lines; NULL: spaces, as wide as first */
	enum terminal_style style; /* style of first and next */
	enum terminal_style head;  /* style of the text's first words */
	size_t head_words; /* number of words in the style head; 0: the words up to a ':' */
};

void page_wrapped(struct page *page, const struct page_wrap *wrap, const char *text);

/* Prints "LABEL: " and the wrapped text. All lines of the text begin in the same column. */
void page_paragraph(struct page *page, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns how many items of a list to show. @screen: how many fit on one screen */
size_t page_limit(const struct page *page, size_t screen);

/*
 * Adds to the page's last line that @count items are not shown.
 *
 * @one, @many: the word for one item, and for several
 */
void page_leave_out(struct page *page, size_t count, const char *one, const char *many);

#endif
