/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the lines of a page: headings, labels, wrapped text, and a note of what does not fit on one screen. */
#ifndef STINT_PAGE_LINES_H
#define STINT_PAGE_LINES_H

#include <stddef.h>
#include <stdio.h>

#include "reports/model/report.h"
#include "reports/terminal/terminal.h"

#define PAGE_UNKNOWN "not known" /* in a line */

struct page {
	const struct report *report;
	const struct page_options *options;
	FILE *out;
	char *not_known;    /* names of the gaps, for the last line; NULL if there are none, or if already shown */
	char left_out[256]; /* text about what does not fit on one screen */
};

/*
 * Returns @text; PAGE_UNKNOWN if it is NULL.
 */
static inline const char *page_or_unknown(const char *text)
{
	return text ? text : PAGE_UNKNOWN;
}

/*
 * Prints the page's next heading, after an empty line.
 */
void page_head(struct page *page, const char *text);

/*
 * Prints "LABEL: text". Escapes the text, and cuts it if it is wider than the page.
 */
void page_line(struct page *page, const char *label, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Like page_line(), without a label. */
void page_text(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Describes how page_wrapped() prints @text. It escapes @text, and wraps it between words at the page's width. It cuts
 * a word that is wider than a line.
 */
struct page_wrap {
	const char *first; /* printed before its first line; escaped already */
	const char *next;  /* printed before the other lines; if NULL, as many spaces */
	enum terminal_style style; /* style of first and next */
	enum terminal_style head;  /* style of the text's first words */
	size_t head_words; /* how many words have the style head; if 0, the words up to a ':' */
};

void page_wrapped(struct page *page, const struct page_wrap *wrap, const char *text);

/* Prints "LABEL: " and the text, wrapped. Further lines are aligned with the beginning of the text. */
void page_paragraph(struct page *page, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Returns how many items of a list to show. @screen: how many items fit on one screen */
size_t page_limit(const struct page *page, size_t screen);

/*
 * Adds to the page's last line that @count items are not shown.
 *
 * @one, @many: what one item is called, and what several items are called
 */
void page_leave_out(struct page *page, size_t count, const char *one, const char *many);

#endif
